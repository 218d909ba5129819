import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import type { Change, ChangeSet, FileState } from "../../src/transaction/change.ts";
import { buildChangeSet, contentOf } from "../../src/transaction/change-set.ts";
import { composeChangeSets, remainderOf } from "../../src/transaction/compute/compute.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { requestFor, workspaceAt } from "./scene.ts";

type Node = { readonly kind: "dir" | "file"; readonly mode: number; readonly text: string };
type Tree = ReadonlyMap<string, Node>;

const PARENT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const PLACES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "f", "f/a"];

const anyFile = fc.record({
  kind: fc.constant("file" as const),
  mode: fc.constantFrom(0o644, 0o755),
  text: fc.constantFrom("", "1\n", "2\n", "3\n"),
});
const anyDir = fc.record({
  kind: fc.constant("dir" as const),
  mode: fc.constantFrom(...Array<number>(9).fill(0o755), 0o700),
  text: fc.constant(""),
});
/** Mostly of the kind that the place has elsewhere: others can seldom be one change set. */
function anyNodeAt(path: string) {
  const [usual, other] = /(^|\/)[def]$/.test(path) ? [anyDir, anyFile] : [anyFile, anyDir];
  return fc.oneof(
    { weight: 10, arbitrary: usual },
    { weight: 1, arbitrary: other },
    { weight: 6, arbitrary: fc.constant(undefined) },
  );
}

/** Of places drawn at random, those that lie in a folder. */
const anyTree: fc.Arbitrary<Tree> = fc.tuple(...PLACES.map(anyNodeAt)).map((nodes) => {
  const tree = new Map<string, Node>();
  for (const [index, path] of PLACES.entries()) {
    const node = nodes[index];
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (node && (parent === "" || tree.get(parent)?.kind === "dir")) tree.set(path, node);
  }
  return tree;
});

/** The change set between two trees; undefined where no single one leads there. */
function between(from: Tree, to: Tree): ChangeSet | undefined {
  const contents = new Map<string, Uint8Array>();
  const changes: Change[] = [];
  const state = ({ text, mode }: Node): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode, sizeBytes: bytes.length };
  };
  for (const path of PLACES) {
    const [a, b] = [from.get(path), to.get(path)];
    if (a && b && a.kind !== b.kind) return undefined;
    if (a?.kind === "dir" && b && a.mode !== b.mode) return undefined;
    if (!a && b?.kind === "dir") changes.push({ kind: "mkdir", path, mode: b.mode });
    else if (a?.kind === "dir" && !b) changes.push({ kind: "rmdir", path, mode: a.mode });
    else if (!a && b) changes.push({ kind: "create", path, after: state(b) });
    else if (a && !b) changes.push({ kind: "delete", path, before: state(a) });
    else if (a && b && (a.text !== b.text || a.mode !== b.mode))
      changes.push({ kind: "update", path, before: state(a), after: state(b) });
  }
  return buildChangeSet(changes, contents);
}

/** Makes the changes one after another, and believes none that does not fit. */
function walk(tree: Tree, changeSet: ChangeSet): Tree {
  const nodes = new Map(tree);
  const isFolder = (path: string) =>
    !path.includes("/") || nodes.get(path.slice(0, path.lastIndexOf("/")))?.kind === "dir";
  for (const change of changeSet.changes) {
    const { path } = change;
    const here = nodes.get(path);
    if ("before" in change)
      expect(Buffer.from(here?.text ?? "?")).toEqual(
        Buffer.from(contentOf(changeSet, change.before)),
      );
    else if (change.kind !== "rmdir") expect([here, isFolder(path)]).toEqual([undefined, true]);
    if (change.kind === "mkdir") nodes.set(path, { kind: "dir", mode: change.mode, text: "" });
    else if (change.kind === "rmdir" || change.kind === "delete") {
      expect([...nodes.keys()].filter((each) => each.startsWith(`${path}/`))).toEqual([]);
      nodes.delete(path);
    } else {
      const text = Buffer.from(contentOf(changeSet, change.after)).toString();
      nodes.set(path, { kind: "file", mode: change.after.mode, text });
    }
  }
  return nodes;
}

test("composeChangeSets() is the change set from the first tree to the last, or there is none", () => {
  const seen = { composed: 0, impossible: 0 };
  fc.assert(
    fc.property(anyTree, anyTree, anyTree, (a, b, c) => {
      const [first, second] = [between(a, b), between(b, c)];
      fc.pre(first !== undefined && second !== undefined);
      const direct = between(a, c);
      const composed = composeChangeSets(first, second);
      expect(composed.ok).toBe(direct !== undefined);
      if (!composed.ok) {
        seen.impossible += 1;
        expect(composed.paths.length).toBeGreaterThan(0);
        return;
      }
      seen.composed += 1;
      expect(composed.changeSet.id).toBe(direct?.id ?? "");
      expect(composed.changeSet.changes).toEqual(direct?.changes ?? []);
      expect(sorted(walk(a, composed.changeSet))).toEqual(sorted(walk(walk(a, first), second)));
    }),
    { numRuns: runs(300, 600) },
  );
  expect(seen.composed).toBeGreaterThan(50);
  expect(seen.impossible).toBeGreaterThan(5);
});

test("remainderOf() is what composing put behind the first, also where a part of that goes back", () => {
  let compared = 0;
  fc.assert(
    fc.property(anyTree, anyTree, anyTree, (a, b, c) => {
      const [first, second] = [between(a, b), between(b, c)];
      fc.pre(first !== undefined && second !== undefined);
      const composed = composeChangeSets(first, second);
      fc.pre(composed.ok);
      if (!composed.ok) return;
      compared += 1;
      const left = remainderOf(first, composed.changeSet);
      expect(left.id).toBe(second.id);
      expect(sorted(walk(walk(a, first), left))).toEqual(sorted(walk(a, composed.changeSet)));
    }),
    { numRuns: runs(200, 400) },
  );
  expect(compared).toBeGreaterThan(30);
});

test("composeChangeSets() gives the same id whichever two of three come together first", () => {
  let compared = 0;
  fc.assert(
    fc.property(anyTree, anyTree, anyTree, anyTree, (a, b, c, d) => {
      const [first, second, third] = [between(a, b), between(b, c), between(c, d)];
      fc.pre(first !== undefined && second !== undefined && third !== undefined);
      const [left, right] = [composeChangeSets(first, second), composeChangeSets(second, third)];
      fc.pre(left.ok && right.ok);
      if (!left.ok || !right.ok) return;
      const early = composeChangeSets(left.changeSet, third);
      const late = composeChangeSets(first, right.changeSet);
      expect(early.ok).toBe(late.ok);
      if (!early.ok || !late.ok) return;
      compared += 1;
      expect(early.changeSet.id).toBe(late.changeSet.id);
    }),
    { numRuns: runs(150, 300) },
  );
  expect(compared).toBeGreaterThan(20);
});

test("composeChangeSets(): one transaction leaves what two leave", async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, anyTree, async (a, b, c) => {
      const [first, second] = [between(a, b), between(b, c)];
      fc.pre(first !== undefined && second !== undefined);
      const composed = composeChangeSets(first, second);
      fc.pre(composed.ok);
      if (!composed.ok) return;
      using once = tempDir("papayu-test-", PARENT);
      using twice = tempDir("papayu-test-", PARENT);
      for (const { path } of [once, twice]) lay(path, a);
      await apply(once.path, composed.changeSet);
      await apply(twice.path, first);
      await apply(twice.path, second);
      expect(readTree(once.path)).toEqual(readTree(twice.path));
    }),
    { numRuns: runs(8, 25) },
  );
});

test("composeChangeSets() keeps what was noted, and what a file loses only where it still does", () => {
  const state = (text: string, special?: number): FileState => ({
    sha256: sha256(Buffer.from(text)),
    mode: 0o755,
    sizeBytes: text.length,
    ...(special !== undefined && { special }),
  });
  const contents = new Map(
    ["1", "2"].map((text) => [sha256(Buffer.from(text)), Buffer.from(text)]),
  );
  const gone: Change = { kind: "delete", path: "run", before: state("1", 0o4000) };
  const back: Change = { kind: "create", path: "run", after: state("2") };
  const first = buildChangeSet([gone], contents, ["run: hunk 1 found at line 3"]);
  const composed = composeChangeSets(first, buildChangeSet([back], contents, ["second"]));
  expect(composed.ok && wordNotes(composed.changeSet.notes, NOTES_EN)).toEqual([
    "run: hunk 1 found at line 3",
    "second",
    "run: loses its set-user-id bit, which papa-yu gives to nothing; chmod u+s puts it back",
  ]);
});

test("composeChangeSets() holds for broken what does not go on from the first", () => {
  const [one, two] = [treeOf({ a: "1" }), treeOf({ a: "2" })];
  const [first, other] = [between(treeOf({}), one), between(two, treeOf({}))];
  if (!first || !other) throw new Error("a change set is missing");
  expect(() => composeChangeSets(first, other)).toThrow('"a": delete does not go on from create');
});

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const nodes = Object.entries(files);
  return new Map(nodes.map(([path, text]) => [path, { kind: "file", mode: 0o644, text }]));
}

function sorted(tree: Tree) {
  return [...tree].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function lay(root: string, tree: Tree): void {
  for (const [path, { kind, mode, text }] of tree) {
    if (kind === "dir") mkdirSync(join(root, path));
    else writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  }
}

async function apply(root: string, changeSet: ChangeSet): Promise<void> {
  const result = await runTransaction(requestFor(workspaceAt(root), changeSet));
  expect(result.ok ? "" : result.message).toBe("");
}
