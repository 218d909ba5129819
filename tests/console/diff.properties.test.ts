import { describe, expect, test } from "bun:test";
import { structuredPatch } from "diff";
import fc from "fast-check";
import {
  changeStarts,
  type FileTexts,
  type Layout,
  type Line,
  type Opened,
  type Row,
  rowsOf,
  wordRanges,
} from "../../src/console/diff/diff.ts";
import { withoutBlanks } from "../../src/console/diff/lines.ts";
import { changedWords } from "../../src/console/diff/words.ts";
import { runs } from "../support/long.ts";

const NONE: ReadonlyMap<number, Opened> = new Map();
const plain: Layout = { isSplit: false, ignoresBlanks: false, opened: NONE };
const numRuns = runs(60, 3000);

const line = fc.constantFrom(
  "",
  "}",
  "\r",
  "  return one;",
  "return  one;",
  "const a = 1;",
  "const b = 2;",
  "слово и дело",
  "\u202eevil",
);
/** A text and what somebody made of it: lines gone, put in and changed here and there. */
const edited = fc
  .tuple(
    fc.array(line, { maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 5 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([lines, edits, oldEnds, newEnds]): FileTexts => {
    const changed = [...lines];
    for (const [at, gone, come] of edits)
      changed.splice(Math.min(at, changed.length), gone, ...come);
    return toTexts(toText(lines, oldEnds), toText(changed, newEnds));
  });

function toText(lines: readonly string[], ends: boolean): string {
  return lines.join("\n") + (ends && lines.length > 0 ? "\n" : "");
}

function toTexts(before: string, after: string, context = 3): FileTexts {
  const { hunks } = structuredPatch("a", "a", before, after, "", "", { context });
  return {
    before,
    after,
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
      old_start: oldStart,
      old_lines: oldLines,
      new_start: newStart,
      new_lines: newLines,
    })),
  };
}

/** All lines of the rows on one side, a fold as so many unknown ones. */
function sideOf(rows: readonly Row[], side: "old" | "new"): readonly (Line | undefined)[] {
  const other = side === "old" ? "add" : "del";
  return rows.flatMap((row) => {
    if (row.kind === "fold") return Array.from({ length: row.hidden }, () => undefined);
    if (row.kind === "line") return row.line.kind === other ? [] : [row.line];
    if (row.kind !== "pair") return [];
    const own = side === "old" ? row.pair.left : row.pair.right;
    return own ? [own] : [];
  });
}

function linesOf(text: string | null): readonly string[] {
  const lines = (text ?? "").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function expectWhole(rows: readonly Row[], texts: FileTexts, isExact: boolean): void {
  const [before, after] = [linesOf(texts.before), linesOf(texts.after)];
  // Where every line of both ends in one, no carriage return is shown but one at the end of a text.
  const isEnded = (text: string | null, at: number) =>
    at < linesOf(text).length - 1 || text?.endsWith("\n") === true;
  const isCut = [texts.before, texts.after].every((text) =>
    linesOf(text).every((each, at) => each.endsWith("\r") || !isEnded(text, at)),
  );
  for (const [side, whole, text] of [
    ["old", before, texts.before],
    ["new", after, texts.after],
  ] as const) {
    const lines = whole.map((each, at) => (isCut && isEnded(text, at) ? each.slice(0, -1) : each));
    const shown = sideOf(rows, side);
    expect(shown).toHaveLength(lines.length);
    for (const [at, each] of shown.entries()) {
      if (each === undefined) continue;
      expect(each[side]).toBe(at + 1);
      const [is, was] = [each.text, lines[at] ?? ""];
      expect(side === "old" ? (each.was?.text ?? is) : is).toBe(was);
      if (isExact) expect(each.was).toBeUndefined();
      else expect(withoutBlanks(is)).toBe(withoutBlanks(was));
    }
  }
}

describe("rowsOf()", () => {
  test("has every line of both texts once, in order, with its number, or counts it in a fold", () => {
    fc.assert(
      fc.property(edited, fc.boolean(), fc.boolean(), (texts, isSplit, ignoresBlanks) => {
        const rows = rowsOf(texts, { isSplit, ignoresBlanks, opened: NONE });
        expectWhole(rows, texts, !ignoresBlanks);
      }),
      { numRuns },
    );
  });

  test("shows the same lines side by side as one below the other", () => {
    fc.assert(
      fc.property(edited, fc.boolean(), (texts, ignoresBlanks) => {
        const [one, two] = [false, true].map((isSplit) =>
          rowsOf(texts, { isSplit, ignoresBlanks, opened: NONE }),
        );
        for (const side of ["old", "new"] as const) {
          const own = (shown: Line | undefined) => {
            const { was, isOpenEnd: _, ...rest } = shown ?? { text: "" };
            return { ...rest, text: side === "old" ? (was?.text ?? rest.text) : rest.text };
          };
          expect(sideOf(two ?? [], side).map(own)).toEqual(sideOf(one ?? [], side).map(own));
        }
      }),
      { numRuns },
    );
  });

  test("shows each side its own text, where only blanks tell two lines apart", () => {
    const texts = toTexts("if (a) {\n  b();\n}", "if (a) {\n\tb();\n}\n");
    const rows = rowsOf(texts, { isSplit: true, ignoresBlanks: true, opened: NONE });
    const pairs = rows.flatMap((row) => (row.kind === "pair" ? [row.pair] : []));
    expect(pairs.map(({ left, right }) => [left?.kind, left?.text, right?.text])).toEqual([
      ["same", "if (a) {", "if (a) {"],
      ["same", "  b();", "\tb();"],
      ["same", "}", "}"],
    ]);
    expect([pairs[2]?.left?.isOpenEnd, pairs[2]?.right?.isOpenEnd]).toEqual([true, undefined]);
  });

  test("shows a carriage return behind which a text ends, and none of those that end lines", () => {
    const shown = (before: string, after: string) =>
      rowsOf(toTexts(before, after), plain).flatMap((row) =>
        row.kind === "line" ? [`${row.line.kind} ${row.line.text}`] : [],
      );
    expect(shown("a\r\nb\r\n", "a\r\nb\r")).toEqual(["same a", "del b", "add b\r"]);
    expect(shown("a\r\nb", "a\r\nb\r\n")).toEqual(["same a", "del b", "add b"]);
    expect(shown("", "a\r")).toEqual(["add a\r"]);
    expect(shown("a\r\nb\n", "a\r\nb\r\n")).toEqual(["same a\r", "del b", "add b\r"]);
  });

  test("opens a fold from above and below, never loses a line, and has no fold when all are open", () => {
    const opened = fc.dictionary(
      fc.nat(4).map(String),
      fc.record({ top: fc.nat(70), bottom: fc.nat(70) }),
    );
    fc.assert(
      fc.property(edited, opened, (texts, some) => {
        const given = new Map(Object.entries(some).map(([fold, each]) => [Number(fold), each]));
        expectWhole(rowsOf(texts, { ...plain, opened: given }), texts, true);
        const folds = texts.hunks.length + 1;
        const all = new Map(
          Array.from({ length: folds }, (_, at) => [at, { top: 999, bottom: 0 }]),
        );
        const rows = rowsOf(texts, { ...plain, opened: all });
        expect(rows.filter(({ kind }) => kind === "fold")).toEqual([]);
        expectWhole(rows, texts, true);
      }),
      { numRuns },
    );
  });

  test("shows nothing as changed that only blanks tell apart, where they do not count", () => {
    const texts = toTexts("a\n  b\nc\n", "a\n\tb\nc\n");
    const kinds = (ignoresBlanks: boolean) =>
      rowsOf(texts, { ...plain, ignoresBlanks }).map((row) =>
        row.kind === "line" ? row.line.kind : row.kind,
      );
    expect(kinds(false)).toEqual(["same", "del", "add", "same"]);
    expect(kinds(true)).toEqual(["same", "same", "same"]);
  });

  test("shows a carriage return only where not every line has one", () => {
    const shown = (before: string, after: string) =>
      sideOf(rowsOf(toTexts(before, after), plain), "new").map((each) => each?.text);
    expect(shown("a\r\nb\r\n", "a\r\nc\r\n")).toEqual(["a", "c"]);
    expect(shown("a\r\nb\r\n", "a\nb\r\n")).toEqual(["a", "b\r"]);
  });

  test("says that a text ends without the end of a line, and shows when only that changed", () => {
    const rows = rowsOf(toTexts("a\nb", "a\nb\n"), plain);
    expect(rows.flatMap((row) => (row.kind === "line" ? [row.line] : []))).toEqual([
      { kind: "same", old: 1, new: 1, text: "a" },
      { kind: "del", old: 2, text: "b", isOpenEnd: true },
      { kind: "add", new: 2, text: "b" },
    ]);
  });

  test("takes hunks without a context, which count from the line before them", () => {
    fc.assert(
      fc.property(edited, ({ before, after }) => {
        const texts = toTexts(before ?? "", after ?? "", 0);
        expectWhole(rowsOf(texts, plain), texts, true);
      }),
      { numRuns },
    );
  });

  test("shows a new and a deleted file whole", () => {
    const made = rowsOf({ ...toTexts("", "a\nb\n"), before: null }, plain);
    const gone = rowsOf({ ...toTexts("a\nb\n", ""), after: null }, plain);
    const kinds = (rows: readonly Row[]) =>
      rows.map((row) => (row.kind === "line" ? row.line.kind : row.kind));
    expect(kinds(made)).toEqual(["add", "add"]);
    expect(kinds(gone)).toEqual(["del", "del"]);
  });

  test("reads the lines of hunks where the texts are too large to be sent", () => {
    const hunk = { old_start: 10, old_lines: 2, new_start: 10, new_lines: 2 };
    const lines = [" a", "-b", "\\ No newline at end of file", "+c"];
    const texts = { before: null, after: null, hunks: [{ ...hunk, lines }] };
    const removed: Line = { kind: "del", old: 11, text: "b", isOpenEnd: true };
    const added: Line = { kind: "add", new: 11, text: "c" };
    expect(rowsOf(texts, plain)).toEqual([
      { kind: "fold", fold: 0, hidden: 9, isKnown: false, hasAbove: false, hasBelow: true },
      { kind: "line", line: { kind: "same", old: 10, new: 10, text: "a" } },
      { kind: "line", line: removed, other: added },
      { kind: "line", line: added, other: removed },
    ]);
  });

  test("finds what became of a line among others that came", () => {
    const before = "one();\ncall(first, second);\nend();\n";
    const after = "one();\n// a remark\nlog();\ncall(first, third);\nend();\n";
    const rows = rowsOf(toTexts(before, after), { ...plain, isSplit: true });
    const sides = rows.flatMap((row) =>
      row.kind === "pair" ? [[row.pair.left?.text, row.pair.right?.text]] : [],
    );
    expect(sides).toEqual([
      ["one();", "one();"],
      [undefined, "// a remark"],
      [undefined, "log();"],
      ["call(first, second);", "call(first, third);"],
      ["end();", "end();"],
    ]);
  });
});

describe("changeStarts()", () => {
  test("names the first row of each change", () => {
    const rows = rowsOf(toTexts("a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\nF\n"), plain);
    expect(changeStarts(rows).map((at) => rows[at])).toMatchObject([
      { line: { text: "b" } },
      { line: { text: "e" } },
    ]);
  });
});

describe("changedWords()", () => {
  test("leaves the same text on both sides when what changed is taken out", () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (one, other) => {
        const [old, now] = [one.join(" "), other.join(" ")];
        const changes = changedWords(old, now);
        if (!changes) return;
        expect(withoutBlanks(without(old, changes.old))).toBe(
          withoutBlanks(without(now, changes.new)),
        );
      }),
      { numRuns },
    );
  });

  test("marks words, not letters, and nothing where a line became another one", () => {
    expect(changedWords("return first;", "return second;")).toEqual({
      old: [[7, 12]],
      new: [[7, 13]],
    });
    expect(changedWords("return first;", "call(other, words)")).toBeUndefined();
  });

  test("wordRanges() gives the side of the line that is asked about", () => {
    const [was, is]: readonly Line[] = [
      { kind: "del", old: 1, text: "call(a)" },
      { kind: "add", new: 1, text: "call(bee)" },
    ];
    expect(was && wordRanges(was, is)).toEqual([[5, 6]]);
    expect(is && wordRanges(is, was)).toEqual([[5, 8]]);
    expect(is && wordRanges(is, undefined)).toEqual([]);
  });
});

function without(text: string, ranges: readonly (readonly [number, number])[]): string {
  const ends = [0, ...ranges.flat(), text.length];
  return ends
    .flatMap((from, at) => (at % 2 === 0 ? [text.slice(from, ends[at + 1])] : []))
    .join("");
}
