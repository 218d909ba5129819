import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearestKey } from "../../src/config/nearest-key.ts";
import { runs } from "../support/long.ts";

const COMMANDS = ["start", "status", "stop", "report", "restart", "recover"];

test.each([
  ["stat", "status"],
  ["STAT", "status"],
  ["repo", "report"],
  ["stap", "stop"],
  ["re", undefined],
  ["strat", "start"],
  ["elephant", undefined],
])("nearestKey() takes %s for %p", (name, expected) => {
  expect(nearestKey(name, COMMANDS)).toBe(expected);
});

test("nearestKey() gives one of the known names, and never the one that was typed", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "A", "-"), maxLength: 6 });
  const known = fc.array(name, { maxLength: 6 });
  fc.assert(
    fc.property(name, known, fc.boolean(), (typed, others, isKnown) => {
      const all = isKnown ? [...others, typed] : others;
      const near = nearestKey(typed, all);
      expect(near).not.toBe(typed);
      if (near !== undefined) expect(all).toContain(near);
    }),
    { numRuns: runs(500, 20_000) },
  );
});
