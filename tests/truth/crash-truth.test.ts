import { describe, test } from "bun:test";
import { ACTS, type Act, openTruth, pickStep, SEED, STOPS } from "./scene.ts";

describe.each(["SIGKILL", "SIGTERM"] as const)("%s in the middle", (signal) => {
  test.each(Object.entries<Act>(ACTS))(
    `of %s: the person reads what is so, and it is done once (seed ${SEED})`,
    async (name, act) => {
      for (let nth = 0; nth < STOPS; nth++) {
        await using scene = await openTruth(act);
        await scene.stopDuring(signal, pickStep(`${signal} ${name} ${nth}`));
        await scene.expectTruth();
      }
    },
    30_000 * (1 + STOPS),
  );
});
