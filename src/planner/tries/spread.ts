/** Where the words of a further try by the same model come from: freer first, then stricter. */
const OTHERS = [0.7, 1, 0.4, 0] as const;

/** Nearer than this, two temperatures make no difference worth a request. */
const LEAST_STEP = 0.1;

/** A choice to be made, and how freely. */
export interface Spread<Choice> {
  readonly choice: Choice;
  /** Of an author: 0 to 1, and the configured one at first. */
  readonly temperature: number;
}

/** The most that can be told apart with a single choice. */
export const MOST_TRIES = 4;

/**
 * `count` ways, no two alike, at most {@link MOST_TRIES}: every choice in its order as it is configured,
 * then all of them once more at another temperature.
 */
export function spread<Choice>(
  choices: readonly Choice[],
  count: number,
  configured: number,
): readonly Spread<Choice>[] {
  const others = OTHERS.filter((other) => Math.abs(other - configured) > LEAST_STEP);
  const temperatures = [configured, ...others];
  return temperatures
    .flatMap((temperature) => choices.map((choice) => ({ choice, temperature })))
    .slice(0, Math.min(count, MOST_TRIES));
}
