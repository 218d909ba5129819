import { describe, test } from "bun:test";
import { ACTS, type Act, openTruth, pickPlaces, SEED, STOPS } from "./scene.ts";

/** A stop in order has its own tests: most of what is asked ends within its patience. */
const SIGNALS = STOPS > 1 ? (["SIGKILL", "SIGTERM"] as const) : (["SIGKILL"] as const);

/** A fifth of the acts, by the seed the next fifth; all of them in the long form. */
const acts = Object.entries<Act>(ACTS).filter(
  (_, nth) => STOPS > 1 || (nth + Number(SEED)) % 5 === 0,
);

describe.each(SIGNALS)("%s in the middle", (signal) => {
  test.each(acts)(
    `of %s: the person reads what is so, and it is done once (seed ${SEED})`,
    async (name, act) => {
      for (const place of pickPlaces(`${signal} ${name}`)) {
        await using scene = await openTruth(act);
        await scene.stopDuring(signal, place);
        await scene.expectTruth();
      }
    },
  );
});
