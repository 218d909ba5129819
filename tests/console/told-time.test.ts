import { expect, test } from "bun:test";
import { toAgo, toldAs } from "../../src/console/figures/numbers.ts";

const TOLD = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

test("toldAs() has a moment say the same until time is told anew, and never that what was is to come", () => {
  const say = (at: number, now: number, toldAt = TOLD) => toAgo(at, toldAs(at, toldAt, now), "en");
  const ahead = TOLD + 90 * MINUTE;
  const since = TOLD + 10_000;
  for (const now of [since, TOLD + 15_000, TOLD + 5 * MINUTE]) {
    expect([TOLD - MINUTE, since, ahead].map((at) => say(at, now))).toEqual([
      "1 min. ago",
      "now",
      "in 2 hr.",
    ]);
  }
  const later = TOLD + 5 * MINUTE;
  expect([TOLD - MINUTE, since].map((at) => say(at, later, later))).toEqual([
    "6 min. ago",
    "5 min. ago",
  ]);
});
