import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Edit } from "../../src/patch/edits/edit.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/long.ts";

/** Pieces that repeat, so that places are rarely unique and often alike. */
const piece = fc.constantFrom(
  "",
  " ",
  "\n",
  "\t",
  "  a",
  "ab",
  "f() {\n",
  "}\n",
  "'q'",
  '"q"',
  "...",
  "a-b",
  "$(",
  "é",
  "e\u0301",
  "\u2028",
  "😀",
);
const word = fc.stringMatching(/^[a-z]{3,6}$/);
const text = fc.array(fc.oneof(piece, word), { maxLength: 40 }).map((parts) => parts.join(""));
const eol = fc.constantFrom("\n", "\r\n");

function isUnique(source: string, part: string): boolean {
  const at = source.indexOf(part);
  return part !== "" && at >= 0 && source.indexOf(part, at + 1) < 0;
}

/** Whether two parts of a text are parts of one word or of one character. */
function cutsWord(head: string, tail: string): boolean {
  if (/[\uD800-\uDBFF]$/.test(head) && /^[\uDC00-\uDFFF]/.test(tail)) return true;
  return /[\p{L}\p{N}_$]$/u.test(head) && /^[\p{L}\p{N}_$]/u.test(tail);
}

describe("applyEdits() properties", () => {
  test("an edit made from a unique piece of the text gives the text with that piece replaced", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(40), eol, (source, after, from, count, end) => {
        const start = from % (source.length + 1);
        const before = source.slice(start, start + count);
        const [head, tail] = [source.slice(0, start), source.slice(start + before.length)];
        // Behind the last piece the state of the last line decides, not the edit.
        fc.pre(isUnique(source, before) && tail !== "" && (end === "\n" || source.includes("\n")));
        // Lines quoted without their indentation, or with a part of it, are another rule's.
        const isIndented = /(?:^|\n)[ \t]+$/.test(head);
        fc.pre(!isIndented || !(/^[ \t]/.test(before) || after.includes("\n")));
        fc.pre(!cutsWord(head, before) && !cutsWord(before, tail));
        // What adds to a piece may be around it already.
        fc.pre(!after.startsWith(before) && !after.endsWith(before));
        const toFile = (part: string) => part.replaceAll("\n", end);
        const edit: Edit = { op: "replace", anchor: before.slice(0, 256), before, after };
        fc.pre(isUnique(source, edit.anchor));
        expect(applyEdits(toFile(source), [edit])).toMatchObject({
          text: toFile(head + after + tail),
          hunks: [{ matched: "exact" }],
        });
      }),
      { numRuns: runs(60, 1000) },
    );
  });

  test("what is found up to layout changes no line outside", () => {
    const words = fc.uniqueArray(word, { minLength: 3, maxLength: 12 });
    const indent = fc.constantFrom("", "  ", "\t", "    ");
    fc.assert(
      fc.property(words, fc.nat(), indent, eol, (names, pick, blanks, end) => {
        const at = pick % names.length;
        const lines = names.map((name, i) => `${i === at ? blanks : ""}call('${name}')  ${end}`);
        const before = `call("${names[at]}")`;
        const edit: Edit = { op: "replace", anchor: names[at] ?? "", before, after: "done" };
        fc.pre(isUnique(lines.join(""), names[at] ?? ""));
        const result = applyEdits(lines.join(""), [edit]);
        if (!result.ok) throw new Error(result.message);
        const changed = result.text.split(/(?<=\n)/);
        expect(changed.toSpliced(at, 1)).toEqual(lines.toSpliced(at, 1));
        expect(changed[at]).toStartWith(`${blanks}done`);
      }),
    );
  });

  test("never throws, and never gives a text with a refusal", () => {
    const junk = fc.oneof(text, fc.string({ unit: anyCharacter, maxLength: 30 }), piece);
    const occurrence = fc.option(fc.oneof(fc.integer({ min: -1, max: 4 }), fc.double()), {
      nil: undefined,
    });
    const edit = fc.record({
      op: fc.constant("replace" as const),
      anchor: junk,
      before: junk,
      after: junk,
      occurrence,
    });
    fc.assert(
      fc.property(junk, fc.array(edit, { maxLength: 4 }), (source, edits) => {
        const result = applyEdits(source, edits);
        if (result.ok) expect(result.hunks).toHaveLength(edits.length);
        else expect(result).toMatchObject({ code: expect.stringMatching(/^ERR_EDIT_/) });
      }),
      { numRuns: runs(200, 3000) },
    );
  });
});
