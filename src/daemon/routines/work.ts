import { untilAborted } from "../../core/until-aborted.ts";

/** Work under way, whoever asked for it: a stop has to wait for it, and not for ever. */
export interface Work {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when what runs now has ended, however it ended, or when `limit` aborts. */
  settled(limit: AbortSignal): Promise<void>;
}

/** Nothing under way. */
export function createWork(): Work {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      const forget = () => running.delete(work);
      running.add(work);
      work.then(forget, forget);
      return work;
    },
    async settled(limit) {
      await Promise.race([Promise.allSettled(running), untilAborted(limit)]);
    },
  };
}
