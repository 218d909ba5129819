import { expect, test } from "bun:test";
import { MOST_TRIES, spread } from "../../../src/planner/tries/tries.ts";

/** What people set, and what lies near one of the temperatures that are taken besides. */
const CONFIGURED = [0, 0.05, 0.2, 0.35, 0.4, 0.55, 0.69, 0.7, 0.85, 1, 1.5, 2];

test("spread() gives as many ways as are wanted, no two alike, every model before any twice", () => {
  for (const configured of CONFIGURED) {
    for (const models of [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d", "e"]]) {
      for (let count = 1; count <= MOST_TRIES; count++) {
        const ways = spread(models, count, configured);
        expect(ways).toHaveLength(count);
        const names = ways.map(({ choice, temperature }) => `${choice} ${temperature}`);
        expect(new Set(names).size).toBe(count);
        expect(ways[0]).toEqual({ choice: "a", temperature: configured });
        const first = ways.slice(0, models.length);
        expect(first.map(({ choice }) => choice)).toEqual(models.slice(0, count));
        expect(first.every(({ temperature }) => temperature === configured)).toBe(true);
        for (const { temperature } of ways.slice(models.length)) {
          expect(Math.abs(temperature - configured)).toBeGreaterThan(0.1);
          expect(temperature).toBeWithin(0, 1.01);
        }
      }
    }
  }
});
