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
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(problem());
    await Bun.sleep(5);
  }
}
