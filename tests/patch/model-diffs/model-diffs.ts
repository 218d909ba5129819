import { applyPatch } from "../../../src/patch/apply-patch.ts";
import { applyEdits } from "../../../src/patch/edits/edits.ts";
import type { PatchResult } from "../../../src/patch/patch-result.ts";
import { createDice, type Dice } from "../../support/dice.ts";
import { ARTEFACTS } from "./artefacts.ts";
import type { Case } from "./change.ts";
import { LAYOUTS } from "./layouts.ts";
import { LEAKS } from "./leaks.ts";
import { LOST } from "./lost-plus.ts";
import { NEARLY } from "./nearly.ts";

/** All kinds of patches and edits as models write them, for which it is known what was intended. */
export const KINDS: Readonly<Record<string, (dice: Dice) => Case | undefined>> = {
  ...LEAKS,
  ...NEARLY,
  ...LOST,
  ...ARTEFACTS,
  ...LAYOUTS,
};

/** What became of one case. */
export type Verdict = "intended" | "refused" | "wrong";

/** How often what became of the cases of a kind. */
export type Tally = Readonly<Record<Verdict, number>>;

/** Cases of a kind: the same for the same seed. */
export function* casesOf(kind: string, seed: number, count: number): Generator<Case> {
  const make = KINDS[kind];
  const dice = createDice(seed * 7919 + kind.length);
  let found = 0;
  for (let tries = 0; found < count && tries < 40 * count; tries++) {
    const one = make?.(dice);
    if (one === undefined || isVoid(one)) continue;
    found++;
    yield one;
  }
}

/** An edit that says nothing. */
function isVoid({ patch }: Case): boolean {
  return typeof patch !== "string" && (patch.before.trim() === "" || patch.before === patch.after);
}

export function run({ source, patch }: Case): PatchResult {
  if (typeof patch === "string") return applyPatch(source, patch, { path: "file" });
  const { before, after } = patch;
  return applyEdits(source, [{ op: "replace", anchor: before.slice(0, 256), before, after }]);
}

export function verdictOf(one: Case): Verdict {
  const result = run(one);
  if (!result.ok) return "refused";
  return result.text === one.intended ? "intended" : "wrong";
}

export function tallyOf(kind: string, seed: number, count: number): Tally {
  const tally = { intended: 0, refused: 0, wrong: 0 };
  for (const one of casesOf(kind, seed, count)) tally[verdictOf(one)]++;
  return tally;
}
