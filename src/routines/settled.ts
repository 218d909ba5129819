/** Resolves when all of it has ended, however it did, or when the signal aborts. */
export async function settledOrAborted(
  work: readonly Promise<void>[],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const stop = () => aborted.resolve();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.race([Promise.all(work), aborted.promise]);
  signal.removeEventListener("abort", stop);
}
