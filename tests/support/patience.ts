/**
 * How long a test waits for what must come. It ends a hang and proves nothing: a machine that is
 * ten times slower, or has a hundred other things to do, is still in time. The runner's own limit
 * (`npm test`) is above it, so that a wait ends with words of its own.
 */
export const PATIENCE_MS = 90_000;

/** Resolves when `isSo`, which is looked at again and again; `problem` says what did not come. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  problem: () => string = () => "waited in vain",
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (const pause = createPause(); !(await isSo()); await pause()) {
    if (performance.now() > end) throw new Error(problem());
  }
}

/**
 * What a look at files gives that are being changed: where one went between its name and its content,
 * they are looked at again. What never was there is said as it is.
 */
export function lookAgain<T>(look: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return look();
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isGone || tries >= MOST_LOOKS) throw error;
    }
  }
}

/** Changes of a transaction are quicker than that. */
const MOST_LOOKS = 1000;

/**
 * A pause between two looks at what must come: the longer it is waited for, the longer, since what
 * is looked at, a table of processes or a database, has its price.
 */
export function createPause(): () => Promise<void> {
  const begunAt = performance.now();
  return () => Bun.sleep(Math.min(MOST_PAUSE_MS, 2 + (performance.now() - begunAt) / 20));
}

const MOST_PAUSE_MS = 25;

/**
 * Runs what is to end at a limit of ours in the middle of its work: with a short limit first, and
 * with longer ones as long as the machine was too busy for the work to begin before.
 */
export async function cutShort<Result>(
  run: (limitMs: number) => Promise<Result>,
  hasBegun: () => boolean,
): Promise<Result> {
  for (let limitMs = 200; ; limitMs *= 3) {
    const result = await run(limitMs);
    if (hasBegun() || limitMs > PATIENCE_MS) return result;
  }
}
