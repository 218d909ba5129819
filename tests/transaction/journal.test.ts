import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readJournal } from "../../src/transaction/journal/own-journals.ts";
import { readFrames } from "../../src/transaction/journal/seal.ts";
import {
  beginJournal,
  type JournalHeader,
  reopenJournal,
} from "../../src/transaction/journal/write-journal.ts";
import { journalPath, transactionPath } from "../../src/transaction/stage/stage.ts";
import { openTree } from "../../src/transaction/tree.ts";
import type { Ledger } from "../../src/workspace/ledger.ts";
import { ledgerAt } from "../support/ledger.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";

const HEADER: JournalHeader = {
  kind: "apply",
  at: 7,
  changeSetId: "cs",
  summary: "a test",
  changes: [{ kind: "mkdir", path: "d", mode: 0o755 }],
};
const key = { workspaceId: "w", txId: "tx_1" };

/** A place for one journal, and a home that was told of it. */
function openScene() {
  const dir = tempDir();
  const root = join(dir.path, "ws");
  mkdirSync(join(root, transactionPath(key.txId)), { recursive: true });
  const ended: unknown[] = [];
  const real = ledgerAt(join(dir.path, "home"));
  const ledger: Ledger = { ...real, end: (_, seal) => void ended.push(seal) };
  const owned = { ledger, transaction: key };
  const path = join(root, journalPath(key.txId));
  return {
    root,
    path,
    owned,
    ended,
    begin: () => beginJournal(path, HEADER, owned),
    read(lastSeal?: string) {
      using tree = openTree(root);
      return readJournal(tree, ledger.findKey(), key, lastSeal);
    },
    [Symbol.dispose]() {
      const left = countOpenFiles(root);
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

/** The seals of a journal's lines. */
const sealsOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(/^\{"seal":"(\w+)"/gmu)].map(([, seal = ""]) => seal);

describe("A journal", () => {
  test("is read as far as it was written, and goes on after its last whole line", () => {
    using scene = openScene();
    const first = scene.begin();
    const begun = { kind: "own", header: HEADER, outcome: undefined };
    expect(scene.read()).toMatchObject(begun);
    const written = JSON.parse(readFileSync(scene.path, "utf8")).record;
    expect(written).toEqual({ v: 2, line: "begin", workspace: "w", tx: "tx_1", ...HEADER });
    first.step("mkdir d");
    first.close();
    const found = scene.read();
    if (found.kind !== "own") throw new Error("it was not read");
    expect(found).toMatchObject({ ...begun, end: statSync(scene.path).size });
    expect(found.seal).toBe(sealsOf(scene.path)[1] ?? "");
    appendFileSync(scene.path, '{"seal":"half a line');
    expect(scene.read()).toEqual(found);
    const again = reopenJournal(scene.path, found, scene.owned);
    expect(statSync(scene.path).size).toBe(found.end);
    again.back("why");
    again.end({ status: "committed" });
    again.close();
    const seals = sealsOf(scene.path);
    const lines = readFileSync(scene.path, "utf8").trimEnd().split("\n");
    expect(lines.slice(1).map((line) => JSON.parse(line).record)).toEqual([
      { line: "step", did: "mkdir d" },
      { line: "back", why: "why" },
      { line: "end", status: "committed" },
    ]);
    expect(scene.read()).toMatchObject({ ...begun, outcome: { status: "committed" } });
    expect(scene.ended).toEqual([seals[3]]);
  });

  test("counts up to the line that the home knows for the last, and for nothing without it", () => {
    using scene = openScene();
    const journal = scene.begin();
    journal.end({ status: "committed" });
    journal.back("why");
    journal.close();
    const [begin, end, back] = sealsOf(scene.path);
    expect(scene.read()).toMatchObject({ outcome: undefined, seal: back });
    expect(scene.read(end)).toMatchObject({ outcome: { status: "committed" }, seal: end });
    expect(scene.read(begin)).toMatchObject({ outcome: undefined, seal: begin });
    expect(scene.read("f".repeat(64))).toEqual({ kind: "other" });
  });

  test("has no line whose frame says another length or another hash, whoever sealed it", () => {
    using scene = openScene();
    const journal = scene.begin();
    journal.step("mkdir d");
    journal.close();
    const text = readFileSync(scene.path, "utf8");
    const count = (change: (line: string) => string) => {
      const [first = "", second = ""] = text.split("\n");
      return readFrames(Buffer.from(`${first}\n${change(second)}\n`)).length;
    };
    expect(count((line) => line)).toBe(2);
    expect(count((line) => line.replace(/"bytes":\d/u, '"bytes":9'))).toBe(1);
    expect(count((line) => line.replace("mkdir d", "mkdir e"))).toBe(1);
    expect(count((line) => line.replace("mkdir d", "mkdir"))).toBe(1);
    expect(count((line) => `${line.slice(0, -1)} `)).toBe(1);
    expect(readFrames(Buffer.from(text.slice(0, -1)))).toHaveLength(1);
  });

  test("is whole as long as its path leads to all of it and to nothing else", () => {
    using scene = openScene();
    const journal = scene.begin();
    journal.step("mkdir d");
    expect(journal.isWholeAt(scene.path)).toBe(true);
    expect(journal.isWholeAt(`${scene.path}.other`)).toBe(false);
    appendFileSync(scene.path, "x");
    expect(journal.isWholeAt(scene.path)).toBe(false);
    truncateSync(scene.path, statSync(scene.path).size - 1);
    expect(journal.isWholeAt(scene.path)).toBe(true);
    const bytes = readFileSync(scene.path);
    rmSync(scene.path);
    expect(journal.isWholeAt(scene.path)).toBe(false);
    writeFileSync(scene.path, bytes);
    expect(journal.isWholeAt(scene.path)).toBe(false);
    journal.close();
  });

  test("that cannot be begun or gone on with is not left open", () => {
    using scene = openScene();
    const broken: JournalHeader = {
      ...HEADER,
      get summary(): string {
        throw new Error("no summary");
      },
    };
    expect(() => beginJournal(scene.path, broken, scene.owned)).toThrow("no summary");
    rmSync(scene.path);
    scene.begin().close();
    expect(() => scene.begin()).toThrow("EEXIST");
    const found = scene.read();
    if (found.kind !== "own") throw new Error("it was not read");
    const noKey = () => {
      throw new Error("no key");
    };
    const ledger = { ...scene.owned.ledger, key: noKey };
    expect(() => reopenJournal(scene.path, found, { ...scene.owned, ledger })).toThrow("no key");
  });

  test("is none before its first line is whole, and another's where it is nothing of ours", () => {
    using scene = openScene();
    const { path } = scene;
    expect(scene.read()).toEqual({ kind: "none" });
    expect(scene.read("f".repeat(64))).toEqual({ kind: "none" });
    scene.begin().close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, -1));
    expect(scene.read()).toEqual({ kind: "none" });
    writeFileSync(path, "\n");
    expect(scene.read()).toEqual({ kind: "other" });
    writeFileSync(path, Buffer.concat([Buffer.from("\n"), bytes]));
    expect(scene.read()).toEqual({ kind: "other" });
    rmSync(path);
    mkdirSync(path);
    expect(scene.read()).toEqual({ kind: "other" });
    rmSync(path, { recursive: true });
    writeFileSync(`${path}.real`, bytes);
    symlinkSync(`${path}.real`, path);
    expect(scene.read()).toEqual({ kind: "other" });
    rmSync(path);
    Bun.spawnSync(["mkfifo", path]);
    expect(scene.read()).toEqual({ kind: "other" });
    rmSync(path);
    writeFileSync(path, "");
    truncateSync(path, 16 * 1024 * 1024 + 1);
    expect(scene.read()).toEqual({ kind: "other" });
  });

  test("that the disk refuses to show is a failure, and no journal that ended", () => {
    using scene = openScene();
    using tree = openTree(scene.root);
    const txId = "x".repeat(300);
    const cause = expect.objectContaining({ code: "ENAMETOOLONG" });
    const refusal = expect.objectContaining({ code: "ERR_IO", cause });
    const read = () => readJournal(tree, scene.owned.ledger.key(), { ...key, txId });
    expect(read).toThrow(refusal);
    expect(read).toThrow(`Cannot read the journal of ${txId}: ENAMETOOLONG`);
  });
});
