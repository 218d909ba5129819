import { describe, test } from "bun:test";
import { sha256 } from "../../src/core/sha256.ts";
import { ACTS, type Act, openTruth } from "./scene.ts";

/**
 * `TRUTH_STOPS=40 bun test tests/truth` ends each act that often by each signal; `TRUTH_SEED` does
 * again what a run before did that printed it.
 */
const STOPS = Number(process.env["TRUTH_STOPS"] ?? 1);
const SEED = process.env["TRUTH_SEED"] ?? `${Date.now() % 100_000}`;

/** More writes than any act makes: what is not reached ends behind the act. */
const MOST_STEPS = 80;

describe.each(["SIGKILL", "SIGTERM"] as const)("%s in the middle", (signal) => {
  test.each(Object.entries<Act>(ACTS))(
    `of %s: the person reads what is so, and it is done once (seed ${SEED})`,
    async (name, act) => {
      for (let nth = 0; nth < STOPS; nth++) {
        const stopAfter = pick(`${SEED} ${signal} ${name} ${nth}`);
        await using scene = await openTruth(act);
        await scene.stopDuring(signal, stopAfter);
        await scene.expectTruth();
      }
    },
    30_000 * (1 + STOPS),
  );
});

function pick(seed: string): number {
  return 1 + (Number.parseInt(sha256(seed).slice(0, 8), 16) % MOST_STEPS);
}
