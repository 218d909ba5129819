import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet, contentIdOf } from "../../src/transaction/change-set.ts";
import { lookThrough, runTransaction, withModesNow } from "../../src/transaction/run/run.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { requestFor, workspaceAt } from "./scene.ts";

const bytes = new Map(["old\n", "new\n"].map((text) => [sha256(text), Buffer.from(text)]));
const state = (text: string, mode = 0o644) => ({ sha256: sha256(text), mode, sizeBytes: 4 });
const UPDATE = {
  kind: "update",
  path: "a",
  before: state("old\n"),
  after: state("new\n"),
} as const;
const SETS = { ...UPDATE, after: state("new\n", 0o755) };
const ONLY_SETS = { ...UPDATE, after: state("old\n", 0o755) };
const DELETE = { kind: "delete", path: "a", before: state("old\n") } as const;

/** A file that somebody gives this mode after a change of it was worked out. */
async function makeAfterChmod(change: Change, mode: number) {
  const dir = tempDir();
  writeTree(dir.path, { a: "old\n" });
  const workspace = workspaceAt(dir.path);
  const path = join(dir.path, "a");
  chmodSync(path, mode);
  const request = requestFor(workspace, buildChangeSet([change], bytes));
  const result = await runTransaction(request);
  return { dir, path, request, result };
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("a mode that somebody gave a file since a change of it was worked out", () => {
  test.each([0o600, 0o755, 0o700, 0o640])("stays where the change sets none: %o", async (mode) => {
    const { dir, path, request, result } = await makeAfterChmod(UPDATE, mode);
    using _ = dir;
    expect(result).toMatchObject({ status: "committed", changes: [{ after: { mode } }] });
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new\n", mode]);
    expect(await undo(request)).toMatchObject({ status: "undone" });
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["old\n", mode]);
  });

  test("comes back with a file that was deleted", async () => {
    const { dir, path, request, result } = await makeAfterChmod(DELETE, 0o700);
    using _ = dir;
    expect(result).toMatchObject({ status: "committed" });
    expect(await undo(request)).toMatchObject({ status: "undone" });
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["old\n", 0o700]);
  });

  test.each([
    ["sets one", SETS, 0o600],
    ["is nothing else", ONLY_SETS, 0o600],
    ["would take a bit", UPDATE, 0o4755],
  ])("refuses a change that %s", async (_, change, mode) => {
    const { dir, path, result } = await makeAfterChmod(change, mode);
    using __ = dir;
    expect(result).toMatchObject({ status: "rejected", code: "ERR_CHANGE_SET_STALE" });
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["old\n", mode]);
  });
});

test("contentIdOf() is one for all modes that are left, and another for each that is set", () => {
  const idOf = (...changes: readonly Change[]) => contentIdOf(changes);
  const inMode = (mode: number) => ({
    ...UPDATE,
    before: state("old\n", mode),
    after: state("new\n", mode),
  });
  expect(idOf(inMode(0o600))).toBe(idOf(UPDATE));
  expect(idOf({ ...DELETE, before: state("old\n", 0o600) })).toBe(idOf(DELETE));
  const special = { ...DELETE, before: { ...DELETE.before, special: 0o4000 } };
  const create = (mode: number) =>
    ({ kind: "create", path: "a", after: state("new\n", mode) }) as const;
  const others = [UPDATE, SETS, ONLY_SETS, DELETE, special, create(0o644), create(0o755)];
  expect(new Set(others.map((each) => idOf(each))).size).toBe(others.length);
});

test("contentIdOf() leaves out the mode of what comes only where it is that of a file that goes", () => {
  const idOf = (gone: number, come: number) =>
    contentIdOf([
      { kind: "create", path: "b", after: state("old\n", come) },
      { ...DELETE, before: state("old\n", gone) },
    ]);
  expect(idOf(0o600, 0o600)).toBe(idOf(0o644, 0o644));
  const all = [idOf(0o644, 0o644), idOf(0o644, 0o755), idOf(0o644, 0o600), idOf(0o600, 0o644)];
  expect(new Set(all).size).toBe(all.length);
});

test("withModesNow() is the same where a file has other content", () => {
  using dir = tempDir();
  writeTree(dir.path, { a: "mine\n" });
  chmodSync(join(dir.path, "a"), 0o600);
  const changeSet = buildChangeSet([UPDATE], bytes);
  expect(withModesNow({ root: dir.path }, changeSet)).toBe(changeSet);
});

test("lookThrough() finds nothing that counts behind a link, below a file or where nothing is", () => {
  using dir = tempDir();
  writeTree(dir.path, { "there/a": "old\n", file: "x\n" });
  symlinkSync(join(dir.path, "there"), join(dir.path, "link"));
  using tree = openTree(dir.path);
  const kinds = ["there/a", "link/a", "file/a", "gone/a"].map(
    (path) => lookThrough(tree, path).kind,
  );
  expect(kinds).toEqual(["file", "other", "other", "nothing"]);
});
