import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Edit } from "../../src/patch/edits/edit.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { edit } from "./edits.ts";
import { textOf } from "./patch-outcome.ts";

const eol = fc.constantFrom("\n", "\r\n");
const filler = fc.constantFrom(
  "",
  "  {",
  "}",
  "'q'",
  '"a  b"',
  "// …",
  "😀",
  "e\u0301",
  "\f\u2028",
  "\r.",
);
/** Names that are not alike: a row of lines that are could begin anywhere. */
const NAMES = "ash birch cedar dogwood elm fir gum hazel ivy juniper kapok larch".split(" ");
const nameOf = (at: number) => `${NAMES[at]}Tree`;
const row = fc.record({ indent: fc.constantFrom("", "  ", "\t"), filler, eol });

/** A text of lines that each have a name of their own, with and without all that may vary. */
const file = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    rows: fc.array(row, { minLength: 2, maxLength: 12 }),
    isOpen: fc.boolean(),
    only: fc.option(eol, { nil: undefined }),
  })
  .map(({ mark, rows, isOpen, only }) => {
    const lines = rows.map((one, i) => `${one.indent}${nameOf(i)}; ${one.filler}`);
    const ends = rows.map((one, i) => (isOpen && i === rows.length - 1 ? "" : (only ?? one.eol)));
    const source = mark + lines.map((line, i) => line + ends[i]).join("");
    return { source, lines, ends, isUniform: only !== undefined };
  });
const fresh = fc.constantFrom("", "new1;", "new1;\n  new2;", "😀\n\n\tnew3;");

/** The edit that gives one line another text. */
function change(lines: readonly string[], at: number, after: string): Edit {
  const line = lines[at % lines.length] ?? "";
  return edit(`${nameOf(at % lines.length)};`, line, line === after ? "other" : after);
}

describe("applyEdits() laws", () => {
  test("every byte outside of what is replaced stays", () => {
    fc.assert(
      fc.property(file, fc.nat(), fresh, ({ source, lines }, pick, after) => {
        const one = change(lines, pick, after);
        const start = source.indexOf(one.before);
        const tail = source.slice(start + one.before.length);
        // At the end of the text the state of its last line decides.
        fc.pre(tail !== "");
        const text = textOf(applyEdits(source, [one]));
        expect(text).toStartWith(source.slice(0, start));
        expect(text).toEndWith(tail);
      }),
    );
  });

  test("an edit and its inverse give the source back", () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(3), ({ source, lines, isUniform }, pick, more) => {
        fc.pre(isUniform);
        const at = pick % lines.length;
        const old = lines.slice(at, at + more + 1);
        const before = old.join("\n");
        // Line for line: one that comes on top of those that go may be a new form of the next one.
        const after = ["new1;", "  new2;", "\tnew3;", "new4;"].slice(0, old.length).join("\n");
        const there = edit(`${nameOf(at)};`, before, after);
        const back = edit("new1;", after, before);
        expect(textOf(applyEdits(source, [there, back]))).toBe(source);
      }),
    );
  });

  test("edits of different lines commute", () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), fresh, ({ source, lines }, a, b, after) => {
        fc.pre(a % lines.length !== b % lines.length);
        const [one, other] = [change(lines, a, after), change(lines, b, "last();")];
        const text = textOf(applyEdits(source, [one, other]));
        expect(textOf(applyEdits(source, [other, one]))).toBe(text);
      }),
    );
  });

  test("a list is its edits one by one, and made twice it is refused or changes nothing", () => {
    const picks = fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(file, picks, ({ source, lines }, all) => {
        const inside = all.filter((at) => at < lines.length);
        const edits = inside.map((at) => change(lines, at, `new${at}();`));
        const text = textOf(applyEdits(source, edits));
        const inRow = (sofar: string, one: Edit) => textOf(applyEdits(sofar, [one]));
        expect(edits.reduce(inRow, source)).toBe(text);
        const again = applyEdits(text, edits);
        if (again.ok) expect(again.text).toBe(text);
      }),
    );
  });

  test("a refused list has no text, whichever edit cannot be made", () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(3), ({ source, lines }, pick, at) => {
        const edits = [0, 1, 2].map((i) => change(lines, pick + i, `new${i}();`));
        const wrong = edit("nowhere at all", "nowhere at all", "x");
        const result = applyEdits(source, edits.slice(0, lines.length).toSpliced(at, 0, wrong));
        expect(result).toMatchObject({ ok: false, code: "ERR_EDIT_ANCHOR_NOT_FOUND" });
        expect(result).not.toHaveProperty("text");
      }),
    );
  });

  test("occurrence k changes the k-th of several and no other", () => {
    const count = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(count, fc.nat(), eol, (total, pick, end) => {
        const k = (pick % total) + 1;
        const lines = Array.from({ length: total }, () => "same();");
        const result = applyEdits(lines.join(end), [
          edit("same();", "same();", "other();", { occurrence: k }),
        ]);
        expect(textOf(result)).toBe(lines.with(k - 1, "other();").join(end));
      }),
    );
  });
});
