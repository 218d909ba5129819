import { expect, test } from "bun:test";
import { ERROR_CODES } from "../../src/core/error-codes.ts";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { createDice } from "../support/dice.ts";
import { measureEffort } from "../support/effort.ts";
import { tellFigures } from "../support/figures.ts";
import { runs } from "../support/long.ts";
import { edit } from "./edits.ts";
import { fuzz, scramble } from "./model-diffs/fuzz.ts";

const SEED = 20_261_123;
const COUNT = runs(1500, 100_000);
/** The work of a patch of a few hunks is far below that of reading 400,000 characters this often. */
const MOST_EFFORT = 300;

test("what becomes of a damaged patch is what was meant, or nothing", () => {
  const tally = { intended: 0, refused: 0, wrong: 0 };
  const wrong: unknown[] = [];
  const dice = createDice(SEED);
  let most = 0;
  for (let done = 0; done < COUNT; ) {
    const one = fuzz(dice);
    if (one === undefined) continue;
    done++;
    const { source, patch, edits, intended, damage } = one;
    const effort = measureEffort();
    const isEdit = dice(3) === 0 && edits.every(({ before }) => before.trim() !== "");
    const list = edits.map(({ before, after }) => edit(before.slice(0, 256), before, after));
    const result = isEdit ? applyEdits(source, list) : applyPatch(source, patch, { path: "file" });
    most = Math.max(most, effort());
    const verdict = !result.ok ? "refused" : result.text === intended ? "intended" : "wrong";
    tally[verdict]++;
    if (!result.ok) expect(Object.keys(ERROR_CODES)).toContain(result.code);
    if (verdict === "wrong") wrong.push({ damage, isEdit, patch, edits });
  }
  tellFigures("damaged patches", { ...tally });
  expect(wrong).toEqual([]);
  expect(tally.intended).toBeGreaterThan(COUNT / 3);
  expect(most).toBeLessThan(MOST_EFFORT);
});

test("a scrambled patch is made or refused with a code, and ends", () => {
  const dice = createDice(SEED + 1);
  let most = 0;
  let refused = 0;
  for (let done = 0; done < COUNT; ) {
    const one = fuzz(dice);
    if (one === undefined) continue;
    done++;
    const effort = measureEffort();
    const patch = scramble(one.patch, dice);
    const list = one.edits.map(({ before, after }) =>
      edit(scramble(before, dice).slice(0, 256), scramble(before, dice), scramble(after, dice)),
    );
    for (const result of [
      applyPatch(one.source, patch, { path: "file" }),
      applyEdits(one.source, list),
    ]) {
      if (result.ok) continue;
      refused++;
      expect(Object.keys(ERROR_CODES)).toContain(result.code);
    }
    most = Math.max(most, effort());
  }
  expect(refused).toBeGreaterThan(COUNT / 3);
  expect(most).toBeLessThan(MOST_EFFORT);
});
