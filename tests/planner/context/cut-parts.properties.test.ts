import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutIntoParts, type WantedFile } from "../../../src/planner/context/cut-parts.ts";

const name = fc.constantFrom("a", "b", "c", "lib", "src", "x.ts", "y.ts", "z.py");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const files = fc.uniqueArray(fc.record({ path, chars: fc.nat(5000) }), {
  selector: (file) => file.path,
  maxLength: 60,
});
const limits = fc.record({
  maxFiles: fc.integer({ min: 1, max: 20 }),
  maxChars: fc.integer({ min: 1, max: 20_000 }),
});

const charsOf = (part: readonly string[], all: readonly WantedFile[]) =>
  all.filter((file) => part.includes(file.path)).reduce((sum, { chars }) => sum + chars, 0);

describe("cutIntoParts()", () => {
  test("puts every file into exactly one part, and makes no empty one", () => {
    fc.assert(
      fc.property(files, limits, (all, most) => {
        const parts = cutIntoParts(all, most);
        expect(parts.flat().toSorted()).toEqual(all.map((file) => file.path).toSorted());
        expect(parts.every((part) => part.length > 0)).toBe(true);
      }),
    );
  });

  test("keeps each part within both limits, but for one file that is longer alone", () => {
    fc.assert(
      fc.property(files, limits, (all, most) => {
        for (const part of cutIntoParts(all, most)) {
          expect(part.length).toBeLessThanOrEqual(most.maxFiles);
          if (part.length > 1) expect(charsOf(part, all)).toBeLessThanOrEqual(most.maxChars);
        }
      }),
    );
  });

  test("gives the same parts for the same files in any order, and named twice", () => {
    const shuffled = files.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, limits, ([all, other], most) => {
        expect(cutIntoParts([...other, ...all], most)).toEqual(cutIntoParts(all, most));
      }),
    );
  });

  test("ends a part half empty for nothing but a file that does not fit", () => {
    fc.assert(
      fc.property(files, limits, (all, most) => {
        const parts = cutIntoParts(all, most);
        for (const [index, part] of parts.slice(0, -1).entries()) {
          const more = [...part, ...(parts[index + 1] ?? []).slice(0, 1)];
          const isFull = more.length > most.maxFiles || charsOf(more, all) > most.maxChars;
          const isHalf =
            part.length * 2 >= most.maxFiles || charsOf(part, all) * 2 >= most.maxChars;
          expect(isFull || isHalf).toBe(true);
        }
      }),
    );
  });

  test("keeps a folder together where it fits", () => {
    const all = ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3"].map((each) => ({
      path: each,
      chars: 10,
    }));
    expect(cutIntoParts(all, { maxFiles: 4, maxChars: 1000 })).toEqual([
      ["a/1", "a/2", "a/3"],
      ["b/1", "b/2", "b/3"],
    ]);
    expect(cutIntoParts(all, { maxFiles: 6, maxChars: 1000 })).toEqual([all.map((it) => it.path)]);
  });
});
