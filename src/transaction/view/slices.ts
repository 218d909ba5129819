/** How long a slice may keep everything else waiting. */
const SLICE_MS = 4;

/**
 * Cuts long work with files into slices: the function it gives is awaited at each step, and lets
 * everything else run when the slice is over.
 */
export function createSlices(): () => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await Bun.sleep(0);
    sliceEnd = performance.now() + SLICE_MS;
  };
}
