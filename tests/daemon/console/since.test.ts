import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 } from "../../../src/core/sha256.ts";
import { placeComments, withComment } from "../../../src/daemon/console/versions/comments.ts";
import { sinceOf } from "../../../src/daemon/console/versions/since.ts";
import type { Change, ChangeSet, FileState } from "../../../src/transaction/change.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { leaveOut } from "../../../src/transaction/compute/leave-out.ts";
import { diffOf } from "../../../src/transaction/preview.ts";
import { runs } from "../../support/long.ts";

function setOf(files: Readonly<Record<string, readonly [string, string]>>): ChangeSet {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.byteLength };
  };
  const changes = Object.entries(files).flatMap(([path, [before, after]]): readonly Change[] =>
    before === after ? [] : [{ kind: "update", path, before: state(before), after: state(after) }],
  );
  return buildChangeSet(changes, contents);
}

const BASE = Array.from({ length: 60 }, (_, at) => `line ${at}\n`);
const anyEdits = fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 6 });
const anySet = fc.tuple(anyEdits, anyEdits).map(([a, b]) => {
  const edited = (edits: readonly number[]) =>
    BASE.map((line, at) => (edits.includes(at) ? `other ${at}\n` : line)).join("");
  return setOf({ a: [BASE.join(""), edited(a)], b: [BASE.join(""), edited(b)] });
});

describe("sinceOf()", () => {
  test("of a change set and itself finds nothing new", () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const { files, hunks, gone } = sinceOf(set, set);
        expect(new Set(files.values())).toEqual(new Set(["same"]));
        expect(hunks.size + gone.length).toBe(0);
      }),
      { numRuns: runs(50, 2000) },
    );
  });

  test("of what stays without a hunk finds every other hunk the same", () => {
    fc.assert(
      fc.property(anySet, fc.nat(), (set, dice) => {
        const [change] = set.changes;
        const count = change ? (diffOf(set, change)?.length ?? 0) : 0;
        if (!change || count < 2) return;
        const rest = leaveOut(set, [{ path: change.path, hunks: [dice % count] }]);
        if (!rest.ok) throw new Error(rest.why);
        const { files, hunks } = sinceOf(set, rest.changeSet);
        expect(files.get(change.path)).toBe("changed");
        expect(hunks.get(change.path)).toEqual(Array.from({ length: count - 1 }, () => true));
      }),
      { numRuns: runs(50, 2000) },
    );
  });

  test("tells new, changed and gone files, and a hunk that is there twice counts once", () => {
    const text = (...lines: string[]) => `${lines.join("\n")}\n`;
    const gap = Array.from({ length: 9 }, () => "same");
    const before = setOf({
      a: [text("1"), text("2")],
      gone: [text("1"), text("2")],
      b: [text("x", ...gap, "z"), text("y", ...gap, "z")],
      c: ["one\n", "two\n"],
    });
    const now = setOf({
      a: [text("1"), text("2")],
      fresh: [text("1"), text("2")],
      b: [text("x", ...gap, "z"), text("y", ...gap, "new")],
      c: ["one\n", "three\n"],
    });
    const { files, hunks, gone } = sinceOf(before, now);
    expect(Object.fromEntries(files)).toEqual({
      a: "same",
      fresh: "new",
      b: "changed",
      c: "changed",
    });
    expect(Object.fromEntries(hunks)).toEqual({ b: [true, false], c: [false] });
    expect(gone).toEqual(["gone"]);
  });
});

describe("placeComments()", () => {
  test("keeps comments at their lines where those are, and tells of those that are not", () => {
    const before = setOf({ a: ["x\n", "one\ntwo\nthree\nfour\n"], b: ["x\n", "y\n"] });
    const now = setOf({ a: ["x\n", "zero\none\ntwo\nthird\nfour\n"] });
    const at = (line: number, more = {}) =>
      ({ path: "a", side: "after", line, text: `to ${line}`, ...more }) as const;
    const said = [
      at(1),
      at(3),
      at(1, { to: 2 }),
      at(2, { to: 3 }),
      { text: "all" },
      { path: "a", text: "file" },
    ];
    expect(placeComments(said, before, now)).toEqual([
      { ...at(1), line: 2 },
      { path: "a", text: "to 3", was_line: 3 },
      { ...at(1), line: 2, to: 3 },
      { path: "a", text: "to 2", was_line: 2 },
      { text: "all" },
      { path: "a", text: "file" },
    ]);
    const other = [{ path: "b", side: "before", line: 1, text: "no" } as const];
    expect(placeComments(other, before, now)).toEqual([{ path: "b", text: "no", was_line: 1 }]);
    expect(placeComments([at(1)], undefined, now)).toEqual([
      { path: "a", text: "to 1", was_line: 1 },
    ]);
  });
});

describe("withComment()", () => {
  test("has one for each place, none for an empty text, and no more than can be sent", () => {
    const one = { path: "a", side: "after", line: 1, text: "one" } as const;
    const all = withComment([one, { text: "all" }], { ...one, text: "two" }) ?? [];
    expect(all).toEqual([{ text: "all" }, { ...one, text: "two" }]);
    expect(withComment(all, { ...one, text: "" })).toEqual([{ text: "all" }]);
    expect(withComment(all, { ...one, side: "before" })).toHaveLength(3);
    expect(withComment([{ text: "x".repeat(99_999) }], one)).toBeUndefined();
    const many = Array.from({ length: 200 }, (_, line) => ({ ...one, line: line + 1 }));
    expect(withComment(many, { text: "x" })).toBeUndefined();
  });
});
