import { describe, expect, test } from "bun:test";
import { createPatch } from "diff";
import * as fc from "fast-check";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { splitSource } from "../../src/patch/lines/source-text.ts";
import { runs } from "../support/long.ts";

/** Few different lines, so that repeats, blank lines and look-alikes of markers are common. */
const line = fc.constantFrom(
  "",
  "a",
  "  a",
  "\tb",
  "}",
  "-- x",
  "++ y",
  "@@ -1 +1 @@",
  "\\ No newline",
  "😀 é",
  "\u2028",
  "trailing  ",
);
const lines = fc.array(line, { maxLength: 14 });
const eol = fc.constantFrom("\n", "\r\n");
const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), { maxLength: 14 });

function toText(content: readonly string[], end: string, terminated: boolean): string {
  return content.join(end) + (terminated && content.length > 0 ? end : "");
}

function diff(before: string, after: string, context = 3): string {
  return createPatch("f", before, after, "", "", { context });
}

describe("applyPatch() properties", () => {
  test("apply(diff(a, b), a) = b", () => {
    const texts = fc.tuple(
      lines,
      lines,
      eol,
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
    );
    fc.assert(
      fc.property(texts, ([a, b, end, aEnds, bEnds, context]) => {
        const before = toText(a, end, aEnds);
        const after = toText(b, end, bEnds);
        // A text without any line end does not tell which kind it has.
        fc.pre(before !== after && (end === "\n" || before.includes(end)));
        expect(applyPatch(before, diff(before, after, context))).toMatchObject({ text: after });
      }),
      { numRuns: runs(150, 2000) },
    );
  });

  test("with any text above, the change is the same or refused", () => {
    fc.assert(
      fc.property(words, words, words, (a, b, above) => {
        const before = toText(a, "\n", true);
        const after = toText(b, "\n", true);
        const head = toText(
          above.map((word) => `#${word}`),
          "\n",
          true,
        );
        fc.pre(before !== after && a.length > 0);
        const result = applyPatch(head + before, diff(before, after));
        if (result.ok) expect(result.text).toBe(head + after);
      }),
      { numRuns: runs(80, 1000) },
    );
  });

  test("untouched lines keep their bytes, line ends included", () => {
    const rowsOf = fc.tuple(fc.stringMatching(/^[a-z]{4,8}$/), eol);
    const mixed = fc.uniqueArray(rowsOf, {
      selector: ([text]) => text,
      minLength: 4,
      maxLength: 14,
    });
    fc.assert(
      fc.property(mixed, fc.nat(), (rows, pick) => {
        const at = pick % rows.length;
        const source = rows.map(([text, end]) => text + end).join("");
        const plain = rows.map(([text]) => text);
        const patch = diff(toText(plain, "\n", true), toText(plain.with(at, "NEW"), "\n", true));
        const expected = rows.map(([text, end], i) => (i === at ? `NEW${end}` : text + end));
        expect(applyPatch(source, patch)).toMatchObject({ text: expected.join("") });
      }),
    );
  });

  test("applying twice does nothing more, or is refused", () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const before = toText(a, "\n", true);
        const after = toText(b, "\n", true);
        fc.pre(before !== after && b.length > 0);
        const again = applyPatch(after, diff(before, after));
        if (again.ok) expect(again.text).toBe(after);
      }),
      { numRuns: runs(80, 1000) },
    );
  });

  test("any text as a patch ends in a result; a refusal has a code and no text", () => {
    const parts = fc.constantFrom(
      "@@",
      " -1 +1 ",
      "\n",
      "+",
      "-",
      " ",
      "a",
      "b",
      "```",
      "--- a\n+++ b\n",
      "\\",
      "\r",
    );
    const patches = fc.oneof(
      fc.string(),
      fc.array(parts).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(fc.string(), patches, (source, patch) => {
        const result = applyPatch(source, patch, { path: "a" });
        if (!result.ok) expect(Object.keys(result)).not.toContain("text");
        else expect(result.hunks.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(150, 2000) },
    );
  });

  test("a patch whose old side is nowhere changes nothing", () => {
    fc.assert(
      fc.property(lines, words, (content, foreign) => {
        fc.pre(foreign.length > 0);
        const source = toText(content, "\n", true);
        const old = toText(foreign, "\n", true);
        const result = applyPatch(source, diff(old, `${old}NEW\n`));
        expect(result).toMatchObject({ ok: false, code: "ERR_PATCH_APPLY_FAILED" });
      }),
    );
  });
});

describe("splitSource() properties", () => {
  test("its lines and line ends make up the source", () => {
    const parts = fc.constantFrom("a", "\r", "\n", "\r\n", "\uFEFF", "\u2028", "😀");
    fc.assert(
      fc.property(fc.array(parts), (all) => {
        const source = all.join("");
        const text = splitSource(source);
        const ends = [...text.lines.keys()].map((i) => text.starts[i + 1] ?? Number.NaN);
        const rebuilt = text.lines.map((content, i) => {
          const start = text.starts[i] ?? Number.NaN;
          expect(source.slice(start, start + content.length)).toBe(content);
          expect(["\n", "\r\n", ""]).toContain(source.slice(start + content.length, ends[i]));
          return source.slice(start, ends[i]);
        });
        expect(source.slice(0, text.starts[0]) + rebuilt.join("")).toBe(source);
      }),
    );
  });
});
