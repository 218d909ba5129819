import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { createLedger } from "../../src/store/ledger.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { homeOf } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";
import { crashChangeSet, writeCrashScene } from "./crash-scene.ts";
import { requestFor, workspaceAt } from "./scene.ts";

const FLIPS = 200;
const log = silentLog;
const { signal } = new AbortController();

type Tree = Readonly<Record<string, string>>;

/** A finished apply of every kind of change, in a folder that is copied from where it is no more. */
async function makeApplied(dir: string) {
  const first = join(dir, "first");
  writeCrashScene(first);
  const before = readTree(first);
  const workspace = workspaceAt(first);
  const result = await runTransaction(requestFor(workspace, crashChangeSet(workspace)));
  if (!result.ok) throw new Error(result.message);
  const root = join(dir, "kept");
  renameSync(first, root);
  return { root, before, after: readTree(root), txId: result.txId };
}

/** The same places in every run: a failure names its own. */
function* places(sizeBytes: number, count: number): Generator<{ at: number; bit: number }> {
  let state = 2026;
  const next = (below: number): number => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
  for (let made = 0; made < count; made++) yield { at: next(sizeBytes), bit: 1 << next(8) };
}

function flipped(bytes: Buffer, { at, bit }: { at: number; bit: number }): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bit;
  return copy;
}

/** What each path is: as before, as after, or anything else. */
function expectOldOrNew(tree: Tree, before: Tree, after: Tree, place: object): void {
  for (const path of Object.keys({ ...tree, ...before, ...after })) {
    const isEither = tree[path] === before[path] || tree[path] === after[path];
    expect({ ...place, path, isEither }).toMatchObject({ isEither: true });
  }
}

test(`a finished journal with one of ${FLIPS} bits flipped is no history, and has no effect`, async () => {
  using dir = tempDir();
  const { root, after, txId } = await makeApplied(dir.path);
  using store = openStore(join(homeOf(root), "state.db"));
  const workspace = { ...workspaceAt(root), ledger: createLedger(store, homeOf(root)) };
  expect(recover(workspace, { log })).toEqual([]);
  const path = join(root, ".papa-yu/tx", txId, "journal.jsonl");
  const bytes = readFileSync(path);
  for (const place of places(bytes.length, FLIPS)) {
    writeFileSync(path, flipped(bytes, place));
    expect({ place, history: readHistory(workspace) }).toEqual({ place, history: [] });
    expect(recover(workspace, { log })).toEqual([]);
  }
  expect(readTree(root)).toEqual(after);
  writeFileSync(path, bytes);
  expect(readHistory(workspace)).toHaveLength(1);
});

test("an unfinished journal goes back whatever bits of it are flipped, and wherever it is cut", async () => {
  using dir = tempDir();
  const { root, before, txId } = await makeUnfinished(dir.path);
  const journal = join(".papa-yu/tx", txId, "journal.jsonl");
  const bytes = readFileSync(join(root, journal));
  const damaged = [
    ...Array.from(places(bytes.length, 12), (place) => flipped(bytes, place)),
    ...[0, 1, 100, bytes.indexOf(10), bytes.indexOf(10) + 1, bytes.length - 1].map((size) =>
      bytes.subarray(0, size),
    ),
    Buffer.from("\0binary\n"),
  ];
  for (const [index, content] of damaged.entries()) {
    const copy = join(dir.path, `copy${index}`);
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, journal), content);
    recover(workspaceAt(copy), { log });
    expect({ index, tree: readTree(copy) }).toEqual({ index, tree: before });
    renameSync(copy, `${copy}.done`); // or the next one would be its copy
    renameSync(join(`${copy}.done`, ".papa-yu"), `${copy}.state`);
  }
});

test("an archive with a bit flipped gives back what was there, or nothing, for every file", async () => {
  using dir = tempDir();
  const { root, before, after, txId } = await makeApplied(dir.path);
  const archive = join(".papa-yu/objects", `${txId}.tar`);
  const bytes = readFileSync(join(root, archive));
  for (const place of places(bytes.length, 12)) {
    const copy = join(dir.path, `copy${place.at}`);
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, archive), flipped(bytes, place));
    await undo({ workspace: workspaceAt(copy), clock: systemClock, log, signal });
    expectOldOrNew(readTree(copy), before, after, place);
    renameSync(join(copy, ".papa-yu"), `${copy}.state`);
  }
});

/** Every change made and nothing ended: neither the home nor the journal knows how. */
async function makeUnfinished(dir: string) {
  const first = join(dir, "first");
  writeCrashScene(first);
  const before = readTree(first);
  const workspace = workspaceAt(first);
  const { ledger } = workspace;
  const deaf = {
    ...workspace,
    ...(ledger && { ledger: { ...ledger, ending: () => {}, end: () => {} } }),
  };
  const result = await runTransaction(requestFor(deaf, crashChangeSet(deaf)));
  if (!result.ok) throw new Error(result.message);
  const path = join(first, ".papa-yu/tx", result.txId, "journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
  expect(readdirSync(join(first, ".papa-yu/objects"))).toHaveLength(1);
  const root = join(dir, "kept");
  renameSync(first, root);
  return { root, before, txId: result.txId };
}
