/** Why a fetch was ended from our side. */
export type FetchStop = "idle" | "total" | "cancelled";

/** The bounds of one fetch; `signal` fires when the first of them is reached. */
export interface FetchDeadline extends Disposable {
  readonly signal: AbortSignal;
  /** Which bound was reached, if any. */
  readonly stopped: () => FetchStop | undefined;
  /** A sign of life from the other side: silence counts from now. */
  readonly touch: () => void;
}

/** Bounds a fetch by its whole length, by silence and by the caller's signal. */
export function createFetchDeadline(bounds: {
  readonly timeoutMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}): FetchDeadline {
  const controller = new AbortController();
  let reached: FetchStop | undefined;
  const stop = (why: FetchStop) => {
    reached ??= why;
    controller.abort();
  };
  const cancel = () => stop("cancelled");
  const total = setTimeout(stop, bounds.timeoutMs, "total");
  const idle = setTimeout(stop, bounds.idleMs, "idle");
  bounds.signal.addEventListener("abort", cancel, { once: true });
  if (bounds.signal.aborted) cancel();
  return {
    signal: controller.signal,
    stopped: () => reached,
    touch: () => idle.refresh(),
    [Symbol.dispose]() {
      clearTimeout(total);
      clearTimeout(idle);
      bounds.signal.removeEventListener("abort", cancel);
    },
  };
}
