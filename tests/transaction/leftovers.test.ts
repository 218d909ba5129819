import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import {
  countLeftAlone,
  findLeftovers,
  listForeign,
  listUnknown,
} from "../../src/transaction/journal/foreign.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { adopt } from "../../src/transaction/undo/adopt.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { ledgerAt } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const log = silentLog;

/** A folder whose newest change, two new files, was cut off before its end. */
async function openHalf() {
  const dir = tempDir();
  const root = join(dir.path, "ws");
  writeTree(root, { "a.txt": "old\n" });
  const before = readTree(root);
  const ledger = ledgerAt(join(dir.path, "home"));
  const workspace: Workspace = { ...workspaceAt(root), ledger };
  const changeSet = changeSetOf(workspace, [
    { kind: "CREATE_FILE", path: "README.md", content: "# x\n" },
    { kind: "CREATE_FILE", path: "LICENSE", content: "MIT\n" },
  ]);
  const deaf = { ...workspace, ledger: { ...ledger, ending: () => {}, end: () => {} } };
  const done = await runTransaction(requestFor(deaf, changeSet));
  if (!done.ok) throw new Error(done.message);
  const { txId } = done;
  const path = join(root, ".papa-yu/tx", txId, "journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
  const [state, spare] = [join(root, ".papa-yu"), join(dir.path, "spare")];
  return { root, workspace, txId, before, state, spare, [Symbol.dispose]: dir[Symbol.dispose] };
}

type Half = Awaited<ReturnType<typeof openHalf>>;

/** Deletes the folder and puts one with the same files at its path, as a second clone does. */
function cloneAgain({ root, state, spare }: Half): void {
  cpSync(root, spare, { recursive: true, filter: (path) => path !== state });
  rmSync(root, { recursive: true });
  renameSync(spare, root);
}

describe("An unfinished transaction whose state folder is gone", () => {
  test("takes nothing from another folder at its path, is named, and goes back after a yes", async () => {
    using half = await openHalf();
    const { root, workspace, txId, before } = half;
    cloneAgain(half);
    const cloned = readTree(root);
    expect(recover(workspace, { log })).toEqual([]);
    expect(readTree(root)).toEqual(cloned);
    expect(listForeign(workspace).items).toMatchObject([{ txId, why: "other folder" }]);
    const { signal } = new AbortController();
    const request = { workspace, clock: systemClock, log, signal, txId };
    const asked = await adopt(request);
    expect(asked).toMatchObject({ kind: "asked", adoption: { changeSet: { changes: [{}, {}] } } });
    expect(readTree(root)).toEqual(cloned);
    const result = await adopt({ ...request, approved: asked.adoption.id });
    expect(result).toMatchObject({ kind: "recovered", recovered: [{ txId }] });
    expect(readTree(root)).toEqual(before);
    expect(listForeign(workspace).items).toEqual([]);
  });

  test("keeps nothing from working in the other folder, nor is it taken back after a change there", async () => {
    using half = await openHalf();
    const { root, workspace, txId } = half;
    cloneAgain(half);
    const cloned = readTree(root);
    expect(listForeign(workspace).items).toMatchObject([{ txId, why: "other folder" }]);
    const changeSet = changeSetOf(workspace, [{ kind: "CREATE_DIR", path: "mine" }]);
    expect(await runTransaction(requestFor(workspace, changeSet))).toMatchObject({ ok: true });
    expect(recover(workspace, { log })).toEqual([]);
    expect(readTree(root)).toMatchObject(cloned);
  });

  test("goes back in the folder where it began, and that is said", async () => {
    using half = await openHalf();
    const { root, workspace, txId, before, state } = half;
    rmSync(state, { recursive: true });
    expect(recover(workspace, { log })).toMatchObject([
      { txId, looked: { status: "rolled_back" } },
    ]);
    expect(readTree(root)).toEqual(before);
    expect(recover(workspace, { log })).toEqual([]);
  });

  test("goes back there but for a file that was edited, and that is said once", async () => {
    using half = await openHalf();
    const { root, workspace, txId, before, state } = half;
    rmSync(state, { recursive: true });
    writeFileSync(join(root, "LICENSE"), "mine\n");
    const looked = { status: "conflict", kept: [{ path: "LICENSE" }] };
    expect(recover(workspace, { log })).toMatchObject([{ txId, looked }]);
    expect(readTree(root)).toEqual({ ...before, LICENSE: readTree(root)["LICENSE"] ?? "" });
    expect(recover(workspace, { log })).toEqual([]);
  });

  test("goes back in a folder of which nothing but its own journal says that it is the one", async () => {
    using half = await openHalf();
    const { root, workspace, txId, before, state } = half;
    const copy = () => {
      renameSync(root, `${root}-old`);
      cpSync(`${root}-old`, root, { recursive: true });
      rmSync(`${root}-old`, { recursive: true });
      rmSync(join(state, "workspace.id"), { force: true });
    };
    copy();
    const journal = join(state, "tx", txId, "journal.jsonl");
    const text = readFileSync(journal);
    writeFileSync(journal, "damaged\n");
    expect(findLeftovers(workspace)).toMatchObject({ own: [], uncertain: [{ txId }] });
    writeFileSync(journal, text);
    expect(findLeftovers(workspace)).toMatchObject({ own: [{ txId }], uncertain: [] });
    expect(recover(workspace, { log })).toMatchObject([{ txId }]);
    expect(readTree(root)).toEqual(before);
  });
});

test("listUnknown() looks at so many and says how many more there are; countLeftAlone() counts them", () => {
  using dir = tempDir();
  const workspace = workspaceAt(dir.path);
  expect(listUnknown(workspace)).toEqual({ items: [], leftOut: [] });
  expect(countLeftAlone(workspace)).toBe(0);
  const header = { v: 1, line: "begin", kind: "apply", at: 1, changeSetId: "x", summary: "x" };
  const old = JSON.stringify({ ...header, changes: [] });
  writeTree(dir.path, {
    ".papa-yu/tx/tx_0/journal.jsonl": `${old}\n`,
    ".papa-yu/tx/tx_1/journal.jsonl": old, // cut off before its end
    ".papa-yu/tx/tx_BIG/journal.jsonl": `${old}\n`,
    [`.papa-yu/tx/tx_${"9".repeat(33)}/journal.jsonl`]: `${old}\n`,
    ".papa-yu/tx/mine/journal.jsonl": `${old}\n`,
  });
  const found = listUnknown(workspace);
  expect(found.items).toMatchObject([
    { txId: "tx_0", why: "older version" },
    { txId: "tx_1", why: "damaged" },
  ]);
  expect([found.leftOut, countLeftAlone(workspace)]).toEqual([[], 1]);
  for (let n = 0; n < 203; n++) mkdirSync(join(dir.path, ".papa-yu/tx", `tx_a${n}`));
  const { items, leftOut } = listUnknown(workspace);
  expect([items.length, leftOut]).toEqual([200, [{ what: "folders", count: 5 }]]);
  expect(countLeftAlone(workspace)).toBe(6);
});
