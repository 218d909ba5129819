/** Resolves when the signal is aborted; for a race with work that may take longer. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The outcome of work that heeds no signal itself; throws the signal's reason when it is aborted. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => {}); // it may fail after nobody waits any more
  await Promise.race([work, untilAborted(signal)]);
  signal.throwIfAborted();
  return work;
}
