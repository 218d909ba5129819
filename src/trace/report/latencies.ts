/** How long things took, in milliseconds: of so many, half, nine of ten, and 99 of 100 at most. */
export interface Latency {
  readonly count: number;
  readonly p50_ms: number;
  readonly p90_ms: number;
  readonly p99_ms: number;
}

/** Durations counted by two significant digits, so that their number does not matter. */
export interface Durations {
  add(ms: number): void;
  /** Null: there are none. */
  sumUp(): Latency | null;
}

/** No durations yet. */
export function createDurations(): Durations {
  const counts = new Map<number, number>();
  let count = 0;
  return {
    add(ms) {
      const rounded = Number(ms.toPrecision(2));
      counts.set(rounded, (counts.get(rounded) ?? 0) + 1);
      count += 1;
    },
    sumUp() {
      if (count === 0) return null;
      const sorted = [...counts].toSorted(([a], [b]) => a - b);
      const at = (share: number): number => {
        let left = Math.ceil(share * count);
        for (const [ms, times] of sorted) {
          left -= times;
          if (left <= 0) return ms;
        }
        return 0;
      };
      return { count, p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99) };
    },
  };
}
