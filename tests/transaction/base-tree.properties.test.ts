import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { Change, ChangeSet } from "../../src/transaction/change.ts";
import { buildChangeSet, contentOf } from "../../src/transaction/change-set.ts";
import { layOver } from "../../src/transaction/compute/base-tree.ts";
import { composeChangeSets, computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { openTree } from "../../src/transaction/tree.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const FILES = { a: "1\n2\n", "d/b": "1\n", "d/e/c": "3\n" };
const PATHS = ["a", "d/b", "d/e/c", "d/e/new", "d/new", "n", "m/n", "d/e", "d", "m"];
const TEXTS = ["1\n", "1\n2\n", "x\ny\n", ""];

const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("CREATE_FILE" as const),
      path: fc.constantFrom(...PATHS),
      content: fc.constantFrom(...TEXTS),
    }),
    fc.record({
      kind: fc.constantFrom("DELETE_FILE" as const, "DELETE_DIR" as const, "CREATE_DIR" as const),
      path: fc.constantFrom(...PATHS),
    }),
    fc.record({
      kind: fc.constant("REPLACE_RANGE" as const),
      path: fc.constantFrom(...PATHS),
      base_sha256: fc.constantFrom(...TEXTS, ...Object.values(FILES)).map((text) => sha256(text)),
      start_line: fc.constant(1),
      end_line: fc.constantFrom(0, 1),
      content: fc.constantFrom("x\n", "y\n"),
    }),
  ),
  { maxLength: 4 },
);

const toWorkspace = (root: string): Workspace => {
  return { name: "w", root, check: "none", checkTimeoutMs: 1, maxActions: 0, protectedPaths: [] };
};

/** Makes a change set in a folder, as plainly as can be. */
function make(root: string, changeSet: ChangeSet): void {
  for (const change of changeSet.changes) {
    const path = join(root, change.path);
    if (change.kind === "mkdir") mkdirSync(path, { mode: change.mode });
    else if (change.kind === "rmdir") rmdirSync(path);
    else if (change.kind === "delete") unlinkSync(path);
    else {
      writeFileSync(path, contentOf(changeSet, change.after));
      chmodSync(path, change.after.mode);
    }
  }
}

/** What is not there yet is nobody's. */
function withoutOwner(change: Change) {
  return JSON.parse(
    JSON.stringify(change, (key, value) => (/^[ug]id$/.test(key) ? undefined : value)),
  );
}

test("computeChangeSet() on a change set gives what it gives on a folder where that was made", () => {
  let compared = 0;
  fc.assert(
    fc.property(actions, actions, (one, two) => {
      using dir = tempDir();
      writeTree(dir.path, FILES);
      const workspace = toWorkspace(dir.path);
      const first = computeChangeSet(workspace, one);
      if (!first.ok) return;
      const laid = computeChangeSet(workspace, two, undefined, first.changeSet);
      make(dir.path, first.changeSet);
      const made = computeChangeSet(workspace, two);
      const toSeen = (computed: typeof laid) =>
        computed.ok
          ? computed.changeSet.changes.map(withoutOwner)
          : computed.problems.map(({ actionIndex }) => actionIndex);
      expect(toSeen(laid)).toEqual(toSeen(made));
      if (!laid.ok) return;
      compared++;
      expect(() => composeChangeSets(first.changeSet, laid.changeSet)).not.toThrow();
    }),
    { numRuns: runs(400, 20_000) },
  );
  expect(compared).toBeGreaterThan(10);
});

test("layOver() shows nothing below a folder that goes, whatever came into it since", () => {
  using dir = tempDir();
  writeTree(dir.path, { "d/e/c": "3\n", "d/e/late": "late\n", "d/late": "late\n", a: "1\n" });
  const before = { sha256: sha256("3\n"), mode: 0o644, sizeBytes: 2 };
  const changeSet = buildChangeSet(
    [
      { kind: "delete", path: "d/e/c", before },
      { kind: "rmdir", path: "d/e", mode: 0o755 },
      { kind: "rmdir", path: "d", mode: 0o755 },
    ],
    new Map(),
  );
  using tree = openTree(dir.path);
  const ground = layOver(tree, changeSet);
  for (const path of ["d", "d/e", "d/e/c", "d/e/late", "d/late", "d/e/x/y"]) {
    expect([path, ground.look(path).kind]).toEqual([path, "nothing"]);
  }
  expect(ground.look("a").kind).toBe("file");
  expect(ground.list("")).toEqual(["a"]);
  const after = { ...before };
  const more = buildChangeSet(
    [
      { kind: "delete", path: "d/e/c", before },
      { kind: "mkdir", path: "n", mode: 0o755 },
      { kind: "create", path: "n/x", after },
      { kind: "create", path: "c", after },
    ],
    new Map([[after.sha256, Buffer.from("3\n")]]),
  );
  const other = layOver(tree, more);
  const lists = ["", "n", "d/e", "d"].map((path) => other.list(path).toSorted());
  expect(lists).toEqual([["a", "c", "d", "n"], ["x"], ["late"], ["e", "late"]]);
});
