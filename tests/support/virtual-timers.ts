import type { Timers } from "../../src/core/deadline.ts";

/** Timers whose time passes when a test says so. */
export interface VirtualTimers extends Timers {
  /** Lets so many milliseconds pass; what is due then is called in order. */
  pass(ms: number): void;
}

/** Timers that begin at 0. */
export function createVirtualTimers(): VirtualTimers {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
