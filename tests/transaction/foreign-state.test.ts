import { describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { describeState } from "../../src/transaction/describe-state.ts";
import { findLeftovers, listForeign } from "../../src/transaction/journal/foreign.ts";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { tarEntry } from "../../src/transaction/stage/tar.ts";
import { adopt } from "../../src/transaction/undo/adopt.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import type { Ledger } from "../../src/workspace/ledger.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { ledgerAt } from "../support/ledger.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const log = silentLog;
const { signal } = new AbortController();
const request = (workspace: Workspace) => ({ workspace, clock: systemClock, log, signal });
const state = (text: string, mode = 0o644) => ({
  sha256: sha256(text),
  mode,
  sizeBytes: text.length,
});

/** A folder with a home beside it, so that either can be lost, copied or moved. */
function openHouse() {
  const dir = tempDir();
  const [root, home] = [join(dir.path, "ws"), join(dir.path, "home")];
  writeTree(root, { "a.txt": "old\n", "gone.txt": "gone\n" });
  const at = (path: string, house = home): Workspace => ({
    ...workspaceAt(path),
    ledger: ledgerAt(house),
  });
  return { dir: dir.path, root, home, at, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** Updates, creates and deletes a file. */
/** The same folder with a home that does some things otherwise. */
function withLedger(workspace: Workspace, other: Partial<Ledger>): Workspace {
  const { ledger } = workspace;
  if (!ledger) throw new Error("no home");
  return { ...workspace, ledger: { ...ledger, ...other } };
}

function refuse(): never {
  throw new Error("database or disk is full");
}

async function applyOnce(workspace: Workspace): Promise<string> {
  const base_sha256 = sha256(readFileSync(join(workspace.root, "a.txt")));
  const line = { path: "a.txt", base_sha256, start_line: 1, end_line: 1, content: "new" };
  const changeSet = changeSetOf(workspace, [
    { kind: "REPLACE_RANGE", ...line },
    { kind: "CREATE_FILE", path: "made.txt", content: "made\n" },
    { kind: "DELETE_FILE", path: "gone.txt" },
  ]);
  const result = await runTransaction(requestFor(workspace, changeSet));
  if (!result.ok) throw new Error(result.message);
  return result.txId;
}

/** The same, cut off before its end, as by a crash. */
async function applyHalf(workspace: Workspace): Promise<string> {
  const { ledger } = workspace;
  if (!ledger) throw new Error("no home");
  let kept = false;
  // The end reaches neither the home nor, below, the journal.
  const deaf = {
    ...workspace,
    ledger: { ...ledger, ending: () => {}, end: () => void (kept = true) },
  };
  const txId = await applyOnce(deaf);
  expect(kept).toBe(true);
  dropLastLine(workspace.root, txId);
  return txId;
}

/** The same with a home that was told that it is about to end. */
async function applyAnnounced(workspace: Workspace): Promise<string> {
  const txId = await applyOnce(withLedger(workspace, { end: () => {} }));
  dropLastLine(workspace.root, txId);
  return txId;
}

function dropLastLine(root: string, txId: string): void {
  const path = journalOf(root, txId);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
}

function journalOf(root: string, txId: string): string {
  return join(root, ".papa-yu/tx", txId, "journal.jsonl");
}

/** Whatever may be asked of it, nothing happens to its files, and a new change can be made. */
async function expectLeftAlone(workspace: Workspace): Promise<void> {
  const before = readTree(workspace.root);
  expect(recover(workspace, { log })).toEqual([]);
  expect(await undo(request(workspace))).toMatchObject({ code: "UNDO_NOTHING" });
  expect(readTree(workspace.root)).toEqual(before);
  const changeSet = changeSetOf(workspace, [{ kind: "CREATE_DIR", path: "mine" }]);
  expect(await runTransaction(requestFor(workspace, changeSet))).toMatchObject({ ok: true });
  expect(await undo(request(workspace))).toMatchObject({ ok: true });
  expect(readTree(workspace.root)).toEqual(before);
}

/** What the released version wrote, and what a stranger can write as well. */
function plantOldJournal(root: string, changes: readonly object[], end?: object): void {
  const header = { v: 1, line: "begin", kind: "apply", at: 1, changeSetId: "x", summary: "x" };
  const lines = [{ ...header, changes }, ...(end ? [{ line: "end", ...end }] : [])];
  writeTree(root, {
    ".papa-yu/tx/tx_00000000000000aa/journal.jsonl": lines
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
    ".papa-yu/objects/tx_00000000000000aa.tar": tarEntry(
      sha256("evil\n"),
      Buffer.from("evil\n"),
      0,
    ),
  });
}

const FORGED: readonly (readonly [string, object])[] = [
  ["a create, to delete a file", { kind: "create", path: "a.txt", after: state("old\n") }],
  [
    "an update, to write a file",
    { kind: "update", path: "a.txt", before: state("evil\n"), after: state("old\n") },
  ],
  ["a delete, to make a file", { kind: "delete", path: "evil", before: state("evil\n", 0o4755) }],
  ["an mkdir, to remove a folder", { kind: "mkdir", path: "empty", mode: 0o755 }],
  ["an rmdir, to make a folder", { kind: "rmdir", path: "evil", mode: 0o7777 }],
];

describe("A journal that this home did not write", () => {
  for (const [end, name] of [
    [undefined, "unfinished"],
    [{ status: "committed" }, "finished"],
  ] as const) {
    test.each([...FORGED])(`is left alone, ${name}: %s`, async (_, change) => {
      using house = openHouse();
      writeTree(house.root, { "empty/x": "" });
      rmSync(join(house.root, "empty/x"));
      plantOldJournal(house.root, [change], end);
      const workspace = house.at(house.root);
      await expectLeftAlone(workspace);
      expect(listForeign(workspace).items).toMatchObject([
        { why: "older version", claims: { outcome: end } },
      ]);
    });
  }

  test("is none when it was cut after any of its lines", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const txId = await applyOnce(workspace);
    const path = journalOf(house.root, txId);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.length).toBe(5);
    for (let count = 0; count < lines.length; count++) {
      writeFileSync(
        path,
        lines
          .slice(0, count)
          .map((line) => `${line}\n`)
          .join(""),
      );
      expect(readHistory(workspace).map((entry) => entry.txId)).not.toContain(txId);
      await expectLeftAlone(workspace);
      expect(listForeign(workspace).items).toEqual([{ txId, why: "damaged", claims: undefined }]);
    }
  });

  test("is none when its lines change places, or one is left out", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const path = journalOf(house.root, await applyOnce(workspace));
    const [a = "", b = "", c = "", d = "", e = ""] = readFileSync(path, "utf8").split("\n");
    for (const order of [
      [a, c, b, d, e],
      [e, a, b, c, d],
      [a, b, c, e],
      [a, e],
      [b, c, d, e],
    ]) {
      writeFileSync(path, `${order.join("\n")}\n`);
      expect(readHistory(workspace)).toEqual([]);
      expect(recover(workspace, { log })).toEqual([]);
    }
  });

  test("is none under another id, whole or cut", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const txId = await applyOnce(workspace);
    const old = readFileSync(journalOf(house.root, txId), "utf8");
    const other = "tx_00000000000000bb";
    for (const text of [old, old.slice(0, old.indexOf("\n") + 1), old.replaceAll(txId, other)]) {
      writeTree(house.root, { [`.papa-yu/tx/${other}/journal.jsonl`]: text });
      expect(readHistory(workspace).map((entry) => entry.txId)).toEqual([txId]);
      expect(recover(workspace, { log })).toEqual([]);
      expect(listForeign(workspace).items).toEqual([
        { txId: other, why: "damaged", claims: undefined },
      ]);
    }
  });

  test("is none when another home wrote it, finished or not", async () => {
    for (const write of [applyOnce, applyHalf]) {
      using house = openHouse();
      const txId = await write(house.at(house.root, join(house.dir, "other")));
      const workspace = house.at(house.root);
      expect(listForeign(workspace).items).toMatchObject([{ txId, why: "other key" }]);
      await expectLeftAlone(workspace);
    }
  });

  test("is none of a copy, while the original keeps it", async () => {
    using house = openHouse();
    const txId = await applyHalf(house.at(house.root));
    const copy = join(house.dir, "copy");
    cpSync(house.root, copy, { recursive: true });
    const workspace = house.at(copy);
    expect(listForeign(workspace).items).toMatchObject([{ txId, why: "unknown here" }]);
    await expectLeftAlone(workspace);
    expect(recover(house.at(house.root), { log })).toMatchObject([{ txId }]);
    const kinds = readHistory(workspace).map((entry) => entry.kind);
    expect(kinds).toEqual(["apply", "undo"]);
  });
});

describe("recover()", () => {
  test("rolls back in a folder that was moved since", async () => {
    using house = openHouse();
    const before = readTree(house.root);
    const txId = await applyHalf(house.at(house.root));
    const moved = join(house.dir, "moved");
    renameSync(house.root, moved);
    const claims = [expect.stringContaining(`was at "${house.root}"; its history came along`)];
    expect(describeState(house.at(moved))).toEqual(claims);
    expect(recover(house.at(moved), { log })).toMatchObject([{ txId, looked: { kept: [] } }]);
    expect(readTree(moved)).toEqual(before);
    expect(readHistory(house.at(moved))).toMatchObject([{ txId, status: "rolled_back" }]);
    expect(describeState(house.at(moved))).toEqual([]);
  });

  test("rolls back by what the home knows when the key is lost, and the journal with it", async () => {
    using house = openHouse();
    const before = readTree(house.root);
    await applyHalf(house.at(house.root));
    rmSync(join(house.home, "journal.key"));
    expect(recover(house.at(house.root), { log })).toHaveLength(1);
    expect(readTree(house.root)).toEqual(before);
  });

  test("takes an end that only the journal knows for the end", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const txId = await applyOnce(withLedger(workspace, { end: refuse }));
    const after = readTree(house.root);
    expect(recover(workspace, { log })).toEqual([]);
    expect(readTree(house.root)).toEqual(after);
    expect(readHistory(workspace)).toMatchObject([{ txId, status: "committed" }]);
  });

  test.each(["journal", "state folder"])(
    "takes nothing back of what had ended, where the home missed the end and the %s is gone",
    async (gone) => {
      using house = openHouse();
      const workspace = house.at(house.root);
      const txId = await applyOnce(withLedger(workspace, { end: refuse }));
      const after = readTree(house.root);
      rmSync(gone === "journal" ? journalOf(house.root, txId) : join(house.root, ".papa-yu"), {
        recursive: true,
      });
      expect(describeState(workspace)).toEqual([]);
      expect(recover(workspace, { log })).toEqual([]);
      expect(readTree(house.root)).toEqual(after);
      expect(findLeftovers(workspace)).toEqual({ own: [], uncertain: [] });
    },
  );

  test("settles nothing while another folder is at its path, as where a disk is not mounted", async () => {
    using house = openHouse();
    const before = readTree(house.root);
    const workspace = house.at(house.root);
    const txId = await applyAnnounced(workspace);
    renameSync(house.root, `${house.root}-disk`);
    mkdirSync(house.root);
    expect(recover(workspace, { log })).toEqual([]);
    expect(findLeftovers(workspace).own).toEqual([]);
    rmSync(house.root, { recursive: true });
    renameSync(`${house.root}-disk`, house.root);
    expect(recover(workspace, { log })).toMatchObject([
      { txId, looked: { status: "rolled_back" } },
    ]);
    expect(readTree(house.root)).toEqual(before);
  });

  test("is about to end no more before anything of it goes back", async () => {
    using house = openHouse();
    const before = readTree(house.root);
    const workspace = house.at(house.root);
    await applyAnnounced(workspace);
    const steps: string[] = [];
    const ending: Ledger["ending"] = (transaction, seal) => {
      steps.push(`ending ${seal}`);
      workspace.ledger?.ending(transaction, seal);
    };
    const onStep = (step: string) => void steps.push(step);
    recover(withLedger(workspace, { ending }), { log, onStep });
    expect(readTree(house.root)).toEqual(before);
    expect(steps[0]).toBe("ending undefined");
    expect(steps.some((step) => step.startsWith("back "))).toBe(true);
  });

  test("commits nothing that the home cannot be told of", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const before = readTree(house.root);
    const told = withLedger(workspace, { ending: refuse });
    const content = "new\n";
    const result = await applyActions(told, [{ kind: "CREATE_FILE", path: "new.txt", content }]);
    expect(result).toMatchObject({ ok: false, status: "rolled_back" });
    expect(result).toMatchObject({ message: expect.stringContaining("state.db") });
    expect(readTree(house.root)).toEqual(before);
  });

  test("leaves alone what a lost state.db knew, and names it", async () => {
    using house = openHouse();
    const txId = await applyHalf(house.at(house.root));
    for (const name of readdirSync(house.home)) {
      if (name.startsWith("state.db")) rmSync(join(house.home, name));
    }
    const workspace = house.at(house.root);
    expect(listForeign(workspace).items).toMatchObject([{ txId, why: "unknown here" }]);
    expect(describeState(workspace)).toEqual([expect.stringContaining(`recover --adopt ${txId}`)]);
    await expectLeftAlone(workspace);
  });
});

describe("adopt()", () => {
  test("shows first, then makes an old commit history that can be undone", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const txId = "tx_00000000000000aa";
    plantOldJournal(
      house.root,
      [{ kind: "update", path: "a.txt", before: state("evil\n", 0o4755), after: state("old\n") }],
      { status: "committed" },
    );
    const before = readTree(house.root);
    const asked = await adopt({ ...request(workspace), txId });
    expect(asked).toMatchObject({ kind: "asked", adoption: { txId, conflicts: [] } });
    expect(readTree(house.root)).toEqual(before);
    const wrong = await adopt({ ...request(workspace), txId, approved: "x" });
    expect(wrong.kind).toBe("asked");
    const done = await adopt({ ...request(workspace), txId, approved: asked.adoption.id });
    expect(done.kind).toBe("adopted");
    expect(readTree(house.root)).toEqual(before);
    expect(readHistory(workspace)).toMatchObject([{ txId, status: "committed" }]);
    expect(listForeign(workspace).items).toEqual([]);
    expect(await undo(request(workspace))).toMatchObject({ ok: true });
    expect(readTree(house.root)["a.txt"]).toBe(`file 755 ${sha256("evil\n")}`);
  });

  test("puts an unfinished one back, as it showed", async () => {
    using house = openHouse();
    const before = readTree(house.root);
    const other = house.at(house.root, join(house.dir, "other"));
    const txId = await applyHalf(other);
    const workspace = house.at(house.root);
    const { adoption } = await adopt({ ...request(workspace), txId });
    const kinds = adoption.changeSet.changes.map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(["create gone.txt", "update a.txt", "delete made.txt"]);
    const done = await adopt({ ...request(workspace), txId, approved: adoption.id });
    expect(done).toMatchObject({ kind: "recovered", recovered: [{ txId, looked: { kept: [] } }] });
    expect(readTree(house.root)).toEqual(before);
    expect(listForeign(workspace).items).toEqual([]);
  });

  test("asks again when a file changed since it was shown", async () => {
    using house = openHouse();
    const txId = await applyHalf(house.at(house.root, join(house.dir, "other")));
    const workspace = house.at(house.root);
    const { adoption } = await adopt({ ...request(workspace), txId });
    writeFileSync(join(house.root, "made.txt"), "mine\n");
    const again = await adopt({ ...request(workspace), txId, approved: adoption.id });
    expect(again).toMatchObject({ kind: "asked", adoption: { conflicts: [{ path: "made.txt" }] } });
  });

  test("refuses what is damaged, of the future, its own, or not there", async () => {
    using house = openHouse();
    const workspace = house.at(house.root);
    const own = await applyOnce(workspace);
    plantOldJournal(house.root, []);
    renameSync(
      join(house.root, ".papa-yu/tx/tx_00000000000000aa"),
      join(house.root, ".papa-yu/tx/tx_zzzzzzzzzzzzzzzz"),
    );
    writeTree(house.root, { ".papa-yu/tx/tx_1/journal.jsonl": "binary\0\n" });
    for (const txId of ["tx_zzzzzzzzzzzzzzzz", "tx_1", own, "tx_2", "../x"]) {
      expect(adopt({ ...request(workspace), txId })).rejects.toMatchObject({ code: "ERR_ADOPT" });
    }
  });
});
