import { expect, test } from "bun:test";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import {
  findOutcome,
  parseHeader,
  parseRecord,
} from "../../src/transaction/journal/journal-record.ts";
import {
  type JournalHeader,
  type Outcome,
  toFirstRecord,
  toLastRecord,
} from "../../src/transaction/journal/write-journal.ts";

const state = (text: string) => ({ sha256: sha256(text), mode: 0o640, sizeBytes: text.length });
const CHANGES: readonly Change[] = [
  { kind: "mkdir", path: "d", mode: 0o755 },
  { kind: "create", path: "d/new", after: state("new") },
  { kind: "update", path: "a", before: { ...state("old"), special: 0o4000 }, after: state("a") },
  { kind: "delete", path: "b", before: state("b") },
  { kind: "delete", path: "c", before: { ...state("c"), uid: 0, gid: 3000 } },
  { kind: "create", path: "d/c", after: { ...state("c"), uid: 1000, gid: 1000 } },
  { kind: "rmdir", path: "e", mode: 0o700 },
];
const HEADER: JournalHeader = {
  kind: "undo",
  at: 7,
  changeSetId: "cs",
  summary: "a test",
  changes: CHANGES,
};

/** What a record is once a journal was read again. */
const again = (record: object) => parseRecord(JSON.stringify(record));
const key = { workspaceId: "w", txId: "tx_1" };

test("a journal's first record is read as it was written, with all that it may say and without", () => {
  const more = { reverses: "tx_0", work: "w#1/2", row: "w", left: 'Cannot take back "x"' };
  const { reverses, work, row, left } = more;
  const some = [{ reverses }, { work }, { row }, { left }].map((one) => Object.assign(one, HEADER));
  for (const header of [HEADER, { ...HEADER, ...more }, ...some]) {
    expect(parseHeader(again(toFirstRecord(header, key)))).toEqual(header);
  }
  for (const kind of ["apply", "undo", "redo"] as const) {
    expect(parseHeader(again(toFirstRecord({ ...HEADER, kind }, key)))).toEqual({
      ...HEADER,
      kind,
    });
  }
});

test("a journal's last record is read as it was written, until the roll-back begins", () => {
  const kept = [
    { path: "a", beforeSha256: sha256("old") },
    { path: "d/new", beforeSha256: null },
  ];
  const outcomes: readonly Outcome[] = [
    { status: "committed" },
    { status: "rolled_back", code: "ERR_CANCELLED", message: "Cancelled", kept: [] },
    { status: "rolled_back", code: "ERR_RECOVERY_CONFLICT", message: "no", kept },
  ];
  for (const outcome of outcomes) {
    const end = again(toLastRecord(outcome));
    const back = again({ line: "back" });
    expect(findOutcome([end, again({ line: "step" })])).toEqual(outcome);
    expect(findOutcome([end, back])).toBeUndefined();
    expect(findOutcome([end, back, end])).toEqual(outcome);
  }
});

test("a record that names what no transaction may touch, or says nothing, is none", () => {
  const first = toFirstRecord(HEADER, key);
  const [mkdir = { kind: "mkdir", path: "d", mode: 0 }] = CHANGES;
  for (const wrong of [
    { line: "end" },
    { kind: "other" },
    { changes: "d" },
    { changes: [{ ...mkdir, path: "../d" }] },
    { changes: [{ ...mkdir, kind: "other" }] },
    { changes: [{ kind: "create", path: "a", after: { ...state("a"), sha256: "a" } }] },
    { changes: [{ kind: "update", path: "a", before: state("a") }] },
    { changes: [{ kind: "delete", path: "a" }] },
  ]) {
    expect([wrong, parseHeader(again({ ...first, ...wrong }))]).toEqual([wrong, undefined]);
  }
  for (const text of ["", "null", "7", "{"]) expect(parseRecord(text)).toEqual({});
});
