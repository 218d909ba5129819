/** A press sooner than this after a button appeared was meant for something else. */
export const GUARD_MS = 600;

/** Whether a press counts: what is pressed was there, and looked at, for long enough. */
export function countsPress(now: number, ...since: readonly number[]): boolean {
  return since.every((at) => now - at >= GUARD_MS);
}
