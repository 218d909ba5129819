import { expect, test } from "bun:test";
import fc from "fast-check";
import { MOST_NOTES_CHARS, renderGoal } from "../../src/planner/prompts/prompts.ts";
import type { GoalNote } from "../../src/store/plans/plans.ts";

/** As long as what one press says, and as what is told of its places, may be. */
const upTo = (max: number) => fc.integer({ min: 1, max }).map((length) => "s".repeat(length));
const NOTE: fc.Arbitrary<GoalNote> = fc.record(
  { said: upTo(20_000), about: upTo(17_000) },
  { requiredKeys: ["said"] },
);

test("a goal of which nothing was said is itself", () => {
  fc.assert(fc.property(fc.string(), (goal) => renderGoal(goal) === goal));
  expect(renderGoal("goal", [])).toBe("goal");
});

test("what was said stands behind the goal, the oldest first, with what it is about", () => {
  const notes = [{ said: "first", about: "a.ts" }, { said: "second" }];
  expect(renderGoal("goal", notes)).toBe("goal\n\nfirst\n\na.ts\n\nsecond");
});

test("however often something is said, the goal and the newest stay whole, in bounded room", () => {
  fc.assert(
    fc.property(fc.array(NOTE, { minLength: 1, maxLength: 60 }), (notes) => {
      const whole = renderGoal("goal", notes);
      const newest = notes.at(-1);
      const own = [newest?.said, ...(newest?.about === undefined ? [] : [newest.about])];
      expect(whole.startsWith("goal\n\n")).toBe(true);
      expect(whole.endsWith(`\n\n${own.join("\n\n")}`)).toBe(true);
      expect(whole.length).toBeLessThanOrEqual("goal\n\n".length + MOST_NOTES_CHARS);
    }),
  );
});

test("where there is too little room, places go before words, and the oldest words first, which is said", () => {
  const notes = ["first", "second", "third", "fourth"].map((said) => ({
    said: said + ".".repeat(9000),
    about: "places".repeat(500),
  }));
  const three = renderGoal("goal", notes.slice(0, 3));
  expect(three).toContain("first");
  expect(three.split("placesplaces").length).toBeGreaterThan(1);
  const four = renderGoal("goal", notes);
  expect(four).toContain("third");
  expect(four).toContain("second");
  expect(four).not.toContain("first");
  expect(four).toContain("What was said earlier is not shown any more: 1 of 4 notes.");
});
