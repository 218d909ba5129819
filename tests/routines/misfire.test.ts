import { describe, expect, test } from "bun:test";
import { splitDue } from "../../src/routines/misfire.ts";

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;

describe("splitDue()", () => {
  const late = [NOW - 300 * MINUTE, NOW - 200 * MINUTE, NOW - 100 * MINUTE];

  test("skip runs only what is due right now", () => {
    expect(splitDue(late, NOW, "skip")).toEqual({ run: [], missed: late });
    expect(splitDue([...late, NOW], NOW, "skip")).toEqual({ run: [NOW], missed: late });
    expect(splitDue([NOW - MINUTE], NOW, "skip")).toEqual({ run: [NOW - MINUTE], missed: [] });
    expect(splitDue([NOW - 1.5 * MINUTE], NOW, "skip").missed).toEqual([]);
    expect(splitDue([NOW - 1.5 * MINUTE - 1], NOW, "skip").run).toEqual([]);
  });

  test("once runs the newest", () => {
    expect(splitDue(late, NOW, "once")).toEqual({ run: late.slice(2), missed: late.slice(0, 2) });
  });

  test("all runs every one, but no more than 24", () => {
    expect(splitDue(late, NOW, "all")).toEqual({ run: late, missed: [] });
    const many = Array.from({ length: 100 }, (_, index) => NOW - (100 - index) * MINUTE);
    expect(splitDue(many, NOW, "all")).toEqual({ run: many.slice(76), missed: many.slice(0, 76) });
  });

  test.each(["skip", "once", "all"] as const)("%s makes nothing of nothing", (policy) => {
    expect(splitDue([], NOW, policy)).toEqual({ run: [], missed: [] });
  });
});
