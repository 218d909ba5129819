import { Refusal } from "../../texts/texts.ts";

/**
 * Checks and makes a change set, again where files of the folder changed before the first of it was
 * written: what ran counts for exactly the files that it ran on. Bounded, for a folder may never be
 * still. An attempt is told whether it is the first, and gives undefined where the folder changed.
 *
 * @throws AppError ERR_CHANGE_SET_STALE where the folder changed each time
 */
export async function untilStill<Outcome>(
  attempt: (isFirst: boolean) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const outcome = await attempt(runs === 0);
    if (outcome !== undefined) return outcome;
  }
  throw new Refusal("ERR_CHANGE_SET_STALE", ({ neverStill }) => neverStill);
}

const MOST_RUNS = 3;
