import { unlessAborted } from "./until-aborted.ts";

/** Does work on one thing after another; work on different things does not wait for each other. */
export type OneAtATime = <T>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * For work that costs and whose result is stored: who comes second finds what the first has stored.
 * Work starts in the step in which it is asked for when nobody is before it.
 */
export function createOneAtATime(): OneAtATime {
  const running = new Map<string, Promise<unknown>>();
  return async (key, signal, work) => {
    for (let other = running.get(key); other; other = running.get(key)) {
      await unlessAborted(signal, other);
    }
    const own = work();
    running.set(
      key,
      own.catch(() => {}), // who waits asks again then
    );
    try {
      return await own;
    } finally {
      running.delete(key);
    }
  };
}
