/** Why a request was ended from our side. */
export type Stop = "idle" | "total" | "cancelled";

/** The bounds of one request; aborts `controller` when one is reached. */
export interface Deadline extends Disposable {
  readonly controller: AbortController;
  /** Which bound was reached first, if any. */
  stopped(): Stop | undefined;
  /** Awaits the next sign of life; only waiting counts as idle, not the reader's own work. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** A sign of life in the middle of a wait: silence counts from now. */
  readonly touch: () => void;
}

/** Bounds a request by silence, by its whole length and by the caller's signal. */
export function createDeadline(options: {
  idleMs: number;
  totalMs: number;
  signal: AbortSignal | undefined;
}): Deadline {
  const controller = new AbortController();
  let reached: Stop | undefined;
  const stop = (why: Stop) => {
    reached ??= why;
    controller.abort();
  };
  const cancel = () => stop("cancelled");
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted) cancel();
  const total = setTimeout(stop, options.totalMs, "total");
  let idle: ReturnType<typeof setTimeout> | undefined;
  return {
    controller,
    stopped: () => reached,
    async wait(work) {
      idle = setTimeout(stop, options.idleMs, "idle");
      try {
        return await work;
      } finally {
        clearTimeout(idle);
      }
    },
    touch: () => void idle?.refresh(),
    [Symbol.dispose]() {
      clearTimeout(total);
      options.signal?.removeEventListener("abort", cancel);
      controller.abort();
    },
  };
}
