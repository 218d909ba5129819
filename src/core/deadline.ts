/** Why a request was ended from our side. */
export type Stop = "idle" | "total" | "cancelled";

/** The bounds of one request; aborts `controller` when one is reached. */
export interface Deadline extends Disposable {
  readonly controller: AbortController;
  /** Which bound was reached first, if any. */
  stopped(): Stop | undefined;
  /**
   * Awaits work of the other side. Only waiting counts as idle, not the reader's own work, and it
   * adds up over waits until the next `touch`. Rejects at once when a bound is reached, whether or
   * not the work heeds the controller: a library that forgets its promise cannot hold anybody.
   */
  wait<T>(work: Promise<T>): Promise<T>;
  /** A sign of progress: idleness counts from now. */
  readonly touch: () => void;
  /** What has to come has come: from now on the idle bound is this, where that is less. */
  readonly hurry: (idleMs: number) => void;
}

/** What a deadline counts with; tests pass in their own. */
export interface Timers {
  /** Milliseconds since some moment; it never goes back. */
  readonly now: () => number;
  /** Calls `run` after `ms`; gives what takes that back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Bounds a request by idleness, by its whole length and by the caller's signal. */
export function createDeadline(options: {
  idleMs: number;
  totalMs: number;
  signal: AbortSignal | undefined;
  timers?: Timers | undefined;
}): Deadline {
  const { totalMs, signal, timers = machineTimers } = options;
  const controller = new AbortController();
  let reached: Stop | undefined;
  const stop = (why: Stop) => {
    reached ??= why;
    controller.abort();
  };
  const cancel = () => stop("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  /** Gives up what is waited for; one listener for all waits, of which an answer has one a piece. */
  const waits = new Set<() => void>();
  const giveUpAll = () => {
    for (const giveUp of waits) giveUp();
  };
  controller.signal.addEventListener("abort", giveUpAll, { once: true });
  const endTotal = timers.after(totalMs, () => stop("total"));
  let endIdle: (() => void) | undefined;
  let idleMs = options.idleMs;
  /** How long was waited since the last progress, and since when this wait counts. */
  let idledMs = 0;
  let waitsSince = 0;
  const count = () => {
    waitsSince = timers.now();
    endIdle = timers.after(idleMs - idledMs, () => stop("idle"));
  };
  const restart = () => {
    idledMs = 0;
    if (endIdle === undefined) return;
    endIdle();
    count();
  };
  return {
    controller,
    stopped: () => reached,
    async wait(work) {
      const { promise, reject } = Promise.withResolvers<never>();
      const giveUp = () => reject(new DOMException("Ended at a bound of ours", "AbortError"));
      work.catch(() => {}); // it may fail after nobody waits any more
      waits.add(giveUp);
      if (controller.signal.aborted) giveUp();
      count();
      try {
        return await Promise.race([work, promise]);
      } finally {
        endIdle?.();
        endIdle = undefined;
        idledMs += timers.now() - waitsSince;
        waits.delete(giveUp);
      }
    },
    touch: restart,
    hurry(ms) {
      if (ms >= idleMs) return;
      idleMs = ms;
      restart();
    },
    [Symbol.dispose]() {
      endTotal();
      signal?.removeEventListener("abort", cancel);
      controller.abort();
    },
  };
}

/** The machine's own. */
export const machineTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
