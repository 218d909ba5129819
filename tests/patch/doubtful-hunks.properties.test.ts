import { describe, expect, test } from "bun:test";
import { createPatch } from "diff";
import * as fc from "fast-check";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { runs } from "../support/long.ts";
import { LOST_PLUS } from "./model-diffs/lost-plus.ts";

/** Different lines, so that only one text can be intended; some changed, taken away or put in. */
const change = fc
  .tuple(
    fc.uniqueArray(fc.stringMatching(/^[a-z]{4,9} [a-z]{3,6}$/), { minLength: 6, maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("replace", "remove", "insert")), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([lines, edits]) => {
    const after = lines.map((line) => [line]);
    for (const [i, [at, kind]] of edits.entries()) {
      const index = at % lines.length;
      const old = kind === "insert" ? [lines[index] ?? ""] : [];
      after[index] = kind === "remove" ? [] : [...old, `NEW ${i}`];
    }
    return { before: toText(lines), after: toText(after.flat()) };
  })
  .filter(({ before, after }) => before !== after && after !== "");

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The hunk lines of a diff, each to be changed by its index; headers say nothing of the place. */
function spoil(
  { before, after }: { before: string; after: string },
  each: (line: string, index: number, all: readonly string[]) => readonly string[],
): string {
  const lines = createPatch("f", before, after, "", "", { context: 4 }).split("\n").slice(4);
  return lines
    .map((line) => (line.startsWith("@@") ? "@@ ... @@" : line))
    .flatMap(each)
    .join("\n");
}

/** Context with context on both sides: what changes does not touch it. */
function isInner(all: readonly string[], index: number): boolean {
  return [-1, 0, 1].every((step) => all[index + step]?.startsWith(" "));
}

function expectIntended(source: string, patch: string, intended: string): void {
  const result = applyPatch(source, patch);
  if (result.ok) expect(result.text).toBe(intended);
  else expect(result).not.toHaveProperty("text");
}

const pick = fc.nat();

describe("applyPatch() makes the change that was intended or none", () => {
  const law = (
    title: string,
    each: (line: string, index: number, all: readonly string[], at: number) => readonly string[],
  ) => {
    test(title, () => {
      fc.assert(
        fc.property(change, pick, (one, at) => {
          const patch = spoil(one, (line, index, all) => each(line, index, all, at % all.length));
          expectIntended(one.before, patch, one.after);
        }),
        { numRuns: runs(60, 1500) },
      );
    });
  };

  law("whatever context line is misquoted", (line, index, _all, at) =>
    index === at && line.startsWith(" ") ? [`${line}x`] : [line],
  );
  law("whatever inner context line is left out", (line, index, all, at) =>
    index === at && isInner(all, index) ? [] : [line],
  );
  law("whatever inner context line is left out for dots", (line, index, all, at) =>
    index === at && isInner(all, index) ? ["..."] : [line],
  );
  law("wherever a line of context is invented", (line, index, _all, at) =>
    index === at && line.startsWith(" ") ? [line, " no such line"] : [line],
  );
  law("where context has lost its markers", (line, index, _all, at) =>
    line.startsWith(" ") && index >= at ? [line.slice(1)] : [line],
  );
  law("where a removed line is misquoted", (line, index, _all, at) =>
    index === at && line.startsWith("-") ? [`${line}x`] : [line],
  );

  law("whatever added line has another marker or none", (line, index, all, at) => {
    const added = all.flatMap((own, i) => (own.startsWith("+") ? [i] : []));
    const way = LOST_PLUS[at % LOST_PLUS.length] ?? "";
    return index === added[at % added.length] ? [way + line.slice(1)] : [line];
  });

  test("wherever a line was put into the file since", () => {
    fc.assert(
      fc.property(change, pick, (one, at) => {
        const lines = one.before.split("\n");
        lines.splice(at % lines.length, 0, "put in since");
        const result = applyPatch(
          lines.join("\n"),
          spoil(one, (line) => [line]),
        );
        if (!result.ok) return;
        expect(result.text.replace("put in since\n", "")).toBe(one.after);
      }),
      { numRuns: runs(60, 1500) },
    );
  });
});

describe("applyPatch() of clean diffs", () => {
  test("gives the same text for its hunks in any order", () => {
    fc.assert(
      fc.property(change, pick, ({ before, after }, at) => {
        const [head = "", ...hunks] = createPatch("f", before, after, "", "", { context: 1 }).split(
          /^(?=@@)/m,
        );
        const turned = [...hunks.slice(at % hunks.length), ...hunks.slice(0, at % hunks.length)];
        for (const order of [turned, hunks.toReversed()]) {
          expect(applyPatch(before, head + order.join(""))).toMatchObject({ text: after });
        }
      }),
    );
  });

  test("keeps a byte order mark and every line end of lines that stay", () => {
    const ends = fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(change, ends, fc.boolean(), ({ before, after }, eols, marked) => {
        const lines = before.split("\n").slice(0, -1);
        const mark = marked ? "\uFEFF" : "";
        const source = mark + lines.map((line, i) => line + (eols[i] ?? "\n")).join("");
        const result = applyPatch(source, createPatch("f", before, after));
        const text = result.ok ? result.text : "";
        expect(text.replaceAll("\r\n", "\n")).toBe(mark + after);
        const kept = new Set(after.split("\n"));
        for (const [i, line] of lines.entries()) {
          if (kept.has(line)) expect(mark + text).toContain(line + (eols[i] ?? "\n"));
        }
      }),
    );
  });
});
