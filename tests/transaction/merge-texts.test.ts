import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { mergeTexts } from "../../src/transaction/undo/merge-texts.ts";
import { runs } from "../support/long.ts";

/** Every letter a line. */
const lines = (letters: string) => letters.replaceAll(/./g, "$&\n");
const merge = (base: string, ours: string, theirs: string) =>
  mergeTexts(lines(base), lines(ours), lines(theirs));

describe("mergeTexts()", () => {
  const clean: readonly (readonly [string, string, string, string])[] = [
    ["abcdef", "aXcdef", "abcdYf", "aXcdYf"],
    ["abcdef", "Xabcdef", "abcdefY", "XabcdefY"],
    ["abcdef", "bcdef", "abcde", "bcde"],
    ["abcdef", "aXcdef", "aXcdYf", "aXcdYf"],
    ["abc", "abc", "", ""],
    ["", "abc", "abc", "abc"],
  ];
  test.each([...clean])("makes of %p, %p and %p a text with both changes", (base, a, b, both) => {
    expect(merge(base, a, b)).toBe(lines(both));
    expect(merge(base, b, a)).toBe(lines(both));
  });

  const meeting: readonly (readonly [string, string, string])[] = [
    ["abc", "aXc", "aYc"],
    ["abc", "aXc", "abY"],
    ["abc", "abXc", "abYc"],
    ["abc", "ac", "aXc"],
    ["abc", "", "abcd"],
    ["abbbc", "abbc", "abbXbc"],
    ["abcabcabc", "abcabc", "abcabcXabc"],
    ["", "a", "b"],
  ];
  test.each([...meeting])("refuses %p changed to %p and %p, which meet", (base, a, b) => {
    expect(merge(base, a, b)).toBeUndefined();
    expect(merge(base, b, a)).toBeUndefined();
  });

  test("keeps line ends, a byte-order mark and a missing final newline byte for byte", () => {
    const base = "\uFEFFa\r\nb\r\nc\nd\r\ne";
    const ours = base.replace("b\r", "B\r");
    expect(mergeTexts(base, ours, base.replace("d", "D"))).toBe(ours.replace("d", "D"));
    expect(mergeTexts(base, ours, `${base}\n`)).toBe(`${ours}\n`);
    expect(mergeTexts(base, base.replaceAll("\r", ""), ours)).toBeUndefined();
  });

  test("gives up on texts that have little in common", () => {
    const text = (name: string) =>
      Array.from({ length: 2000 }, (_, i) => `${name} ${i}\n`).join("");
    expect(mergeTexts(text("a"), text("b"), text("a"))).toBeUndefined();
  });

  test("keeps any changes of parts that are apart", () => {
    const part = fc.record({
      old: fc.nat(3),
      new: fc.nat(3),
      side: fc.constantFrom("ours", "theirs", "neither"),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = (changed: readonly string[]) =>
          parts.map((one, i) => {
            const isNew = changed.includes(one.side);
            const count = isNew ? one.new : one.old;
            const own = Array.from({ length: count }, (_, k) => `${i}.${k} ${isNew}\n`);
            return `${own.join("")}between ${i}\n`;
          });
        const render = (...changed: string[]) => `top\n${text(changed).join("")}`;
        const merged = mergeTexts(render(), render("ours"), render("theirs"));
        expect(merged).toBe(render("ours", "theirs"));
      }),
    );
  });

  test("sees what meets from either end: texts upside down merge alike, or not at all", () => {
    const line = fc.constantFrom("a\n", "b\n");
    // One line comes or goes: of more, equal ones may be found changed in several ways.
    const edit = fc.record({ at: fc.nat(7), comes: fc.option(line) });
    const turned = (text: readonly string[]) => text.toReversed().join("");
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), edit, edit, (base, ...edits) => {
        const [ours = [], theirs = []] = edits.map(({ at, comes }) =>
          comes ? base.toSpliced(at, 0, comes) : base.toSpliced(at % base.length, 1),
        );
        const merged = mergeTexts(base.join(""), ours.join(""), theirs.join(""));
        const back = mergeTexts(turned(base), turned(ours), turned(theirs));
        expect(back).toBe(merged && turned(merged.match(/.\n/gu) ?? []));
      }),
      { numRuns: runs(100, 2000) },
    );
  });

  test("changes nothing that only one side was asked for, on texts full of equal lines", () => {
    const some = fc.array(fc.constantFrom("a\n", "b\n", "\n"), { maxLength: 12 });
    fc.assert(
      fc.property(some, some, (from, to) => {
        const [base, side] = [from.join(""), to.join("")];
        expect(mergeTexts(base, side, base)).toBe(side);
        expect(mergeTexts(base, base, side)).toBe(side);
        expect(mergeTexts(base, side, side)).toBe(side);
      }),
    );
  });
});
