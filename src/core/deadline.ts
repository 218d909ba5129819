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
}

/** Bounds a request by idleness, by its whole length and by the caller's signal. */
export function createDeadline(options: {
  idleMs: number;
  totalMs: number;
  signal: AbortSignal | undefined;
}): Deadline {
  const { idleMs, totalMs, signal } = options;
  const controller = new AbortController();
  let reached: Stop | undefined;
  const stop = (why: Stop) => {
    reached ??= why;
    controller.abort();
  };
  const cancel = () => stop("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  const total = setTimeout(stop, totalMs, "total");
  let idle: ReturnType<typeof setTimeout> | undefined;
  /** How long was waited since the last progress, and since when this wait counts. */
  let idledMs = 0;
  let waitsSince = 0;
  const count = () => {
    waitsSince = performance.now();
    idle = setTimeout(stop, idleMs - idledMs, "idle");
  };
  return {
    controller,
    stopped: () => reached,
    async wait(work) {
      const { promise, reject } = Promise.withResolvers<never>();
      const giveUp = () => reject(new DOMException("Ended at a bound of ours", "AbortError"));
      work.catch(() => {}); // it may fail after nobody waits any more
      controller.signal.addEventListener("abort", giveUp, { once: true });
      if (controller.signal.aborted) giveUp();
      count();
      try {
        return await Promise.race([work, promise]);
      } finally {
        clearTimeout(idle);
        idle = undefined;
        idledMs += performance.now() - waitsSince;
        controller.signal.removeEventListener("abort", giveUp);
      }
    },
    touch() {
      idledMs = 0;
      if (idle === undefined) return;
      clearTimeout(idle);
      count();
    },
    [Symbol.dispose]() {
      clearTimeout(total);
      signal?.removeEventListener("abort", cancel);
      controller.abort();
    },
  };
}
