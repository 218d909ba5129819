import { describe, expect, test } from "bun:test";
import { createNewest } from "../../src/console/client/newest.ts";

/** Reads that end when a test says so, and what became of them. */
function openReads() {
  const seen: string[] = [];
  const show = createNewest<string>({
    take: (value) => void seen.push(value),
    failed: (error) => void seen.push(String(error)),
  });
  return {
    seen,
    begin() {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      return { end: resolve, fail: reject, shown: show(() => promise) };
    },
  };
}

/** All orders of what is given. */
function ordersOf(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length < 2) return [of];
  const startingWith = (first: number) => {
    const others = ordersOf(of.filter((each) => each !== first));
    return others.map((rest) => [first].concat(rest));
  };
  return of.flatMap(startingWith);
}

describe("createNewest()", () => {
  test("begins a read beside one that is under way, whose answer may be older", async () => {
    const reads = openReads();
    const early = reads.begin();
    const late = reads.begin();
    early.end("before the change");
    late.end("after the change");
    await Promise.all([early.shown, late.shown]);
    expect(reads.seen).toEqual(["before the change", "after the change"]);
  });

  test("shows nothing that was begun before what is shown, in any order of answers and failures", async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      for (const failing of [-1, 0, 1, 2, 3]) {
        const reads = openReads();
        const begun = order.map(() => reads.begin());
        for (const at of order) {
          if (at === failing) begun[at]?.fail(`failed ${at}`);
          else begun[at]?.end(`${at}`);
          await begun[at]?.shown;
        }
        const taken = reads.seen.filter((each) => !each.startsWith("failed")).map(Number);
        expect(taken).toEqual(taken.toSorted((a, b) => a - b));
        expect(taken.at(-1)).toBe(failing === 3 ? 2 : 3);
        const overtaken = reads.seen.findIndex((each) => each.startsWith("failed"));
        const before = reads.seen.slice(0, Math.max(0, overtaken)).map(Number);
        expect(before.filter((each) => each > failing)).toEqual([]);
      }
    }
  });
});
