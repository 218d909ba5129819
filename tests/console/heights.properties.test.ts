import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createHeights, drawnBetween } from "../../src/console/heights/heights.ts";
import { runs } from "../support/long.ts";

const numRuns = runs(100, 5000);
const rows = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 70 });
const changes = fc.array(fc.tuple(fc.nat(69), fc.integer({ min: 1, max: 400 })), { maxLength: 30 });

function changed(heights: readonly number[], some: readonly (readonly [number, number])[]) {
  const list = [...heights];
  const made = createHeights(list.length, (row) => list[row] ?? 0);
  for (const [row, height] of some) {
    if (row >= list.length) continue;
    expect(made.set(row, height)).toBe(height - (list[row] ?? 0));
    list[row] = height;
  }
  return { list, made };
}

const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);

describe("createHeights()", () => {
  test("knows the place of every row after any changes, as adding up does", () => {
    fc.assert(
      fc.property(rows, changes, (heights, some) => {
        const { list, made } = changed(heights, some);
        expect(made.total()).toBe(sum(list));
        for (let row = 0; row <= list.length; row++) {
          expect(made.offsetOf(row)).toBe(sum(list.slice(0, row)));
        }
      }),
      { numRuns },
    );
  });

  test("finds the row at every place", () => {
    fc.assert(
      fc.property(rows, changes, fc.nat(5000), (heights, some, offset) => {
        const { list, made } = changed(heights, some);
        if (list.length === 0 || offset >= made.total()) return;
        const row = made.rowAt(offset);
        expect(made.offsetOf(row)).toBeLessThanOrEqual(offset);
        expect(made.offsetOf(row + 1)).toBeGreaterThan(offset);
      }),
      { numRuns },
    );
  });
});

describe("drawnBetween()", () => {
  test("draws every row of which something is seen, and no other; the rest keeps its height", () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: -900, max: 5000 }),
        fc.integer({ min: 1, max: 900 }),
        (heights, top, high) => {
          const made = createHeights(heights.length, (row) => heights[row] ?? 0);
          const drawn = drawnBetween(made, top, top + high);
          const shown = sum(heights.slice(drawn.from, drawn.to));
          expect(drawn.above + shown + drawn.below).toBe(made.total());
          for (const [row, height] of heights.entries()) {
            const at = made.offsetOf(row);
            const isSeen = at < top + high && at + height > Math.max(0, top);
            const isDrawn = row >= drawn.from && row < drawn.to;
            if (isSeen) expect(isDrawn).toBe(true);
            if (isDrawn) expect(at <= top + high && at + height >= top).toBe(true);
          }
        },
      ),
      { numRuns },
    );
  });
});
