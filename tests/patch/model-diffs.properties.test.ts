import { describe, expect, test } from "bun:test";
import { tellFigures } from "../support/figures.ts";
import { runs } from "../support/long.ts";
import { casesOf, KINDS, run, tallyOf } from "./model-diffs/model-diffs.ts";

/** Seeds that the rules were made with, and seeds that they were not. */
const SEEDS = { development: 1, "held out": 1001 };

/** Of kinds where it often cannot be proven what was meant, the least part that has to be made. */
const LEAST: Readonly<Record<string, number>> = {
  "left out and added again, completed": 0,
  "added again at the edge of the hunk": 0,
  "left out and added again nearly": 0,
  "added again nearly at the edge of the hunk": 0,
  "added again nearly before a blank line": 0,
  "added again with another name at the edge of the hunk": 0,
  "added again with every name another at the edge of the hunk": 0,
  "left out and added again as one line, or as two": 0,
  "left out and added by another hunk": 0,
  "a new line further away leaks into the context": 0,
  "a blank behind the markers": 0,
  "an added line without its plus": 0,
  "an added line without its plus at the end": 0,
  "the goal leaks into the context": 0.4,
  "a word that goes is missing in the context": 0.35,
  "a new line leaks into the context": 0,
  "a hunk with context on one side": 0.9,
  "applied twice": 0.85,
  "applied twice at several places": 0.5,
};
/** Of kinds where the goal cannot be told from a slip of the pen in all cases, what may go wrong. */
const MOST_WRONG: Readonly<Record<string, number>> = {
  "a word that goes is missing in the context": 0.02,
  "an added line without its plus at the end": 0.002,
  "applied twice at several places": 0.003,
  "blank lines too many": 0.003,
};

describe("patches and edits as models write them", () => {
  for (const [name, seed] of Object.entries(SEEDS)) {
    for (const kind of Object.keys(KINDS)) {
      test(`make what was intended or nothing: ${kind}, ${name}`, () => {
        const count = runs(60, 1600);
        const tally = tallyOf(kind, seed, count);
        const all = tally.intended + tally.refused + tally.wrong;
        tellFigures(`${kind}, ${name}`, { ...tally });
        expect(all).toBeGreaterThan(count / 2);
        expect(tally.wrong / all).toBeLessThanOrEqual(MOST_WRONG[kind] ?? 0);
        expect(tally.intended / all).toBeGreaterThanOrEqual(LEAST[kind] ?? 0.97);
      });
    }
  }

  test("say what they took for what, with the file's own line numbers", () => {
    for (const one of casesOf("a slip of the pen in the context", 7, 40)) {
      const result = run(one);
      const notes = result.ok ? result.hunks.map(({ note }) => note).join() : "";
      const [, line = "", theirs = ""] =
        /line (\d+): the \w+ has ".*?", the file "(.*?)",/.exec(notes) ?? [];
      expect(one.source.split("\n")[Number(line) - 1]?.trim()).toStartWith(theirs.slice(0, 40));
      expect(theirs).not.toBe("");
    }
  });
});
