import type { Emit } from "../channels/channel.ts";
import type { TellCounted } from "../core/few.ts";

/** What is over by then needs no number, and more of them in a second are not read. */
const [FIRST_MS, EACH_MS] = [1000, 250];

/** Shows how far something is, to whoever looks on, from when it takes long. */
export function countedTeller(emit: Emit, now: () => number): TellCounted {
  let nextAt = now() + FIRST_MS;
  return ({ counted, of }) => {
    if (now() < nextAt) return;
    nextAt = now() + EACH_MS;
    // Behind a wait: nobody who counts waits for who is shown it.
    void Promise.resolve()
      .then(() => emit({ kind: "counted", counted, of }))
      .catch(() => {});
  };
}
