/** Keeps what a service answered for a while; the oldest goes when it is full. */
export interface Cache<T> {
  /** What is kept under the key, else what `load` gives, kept if `isKept`. */
  get(key: string, load: () => Promise<T>): Promise<T>;
}

const MAX_ENTRIES = 200;

/** A cache in memory. */
export function createCache<T>(options: {
  readonly maxAgeMs: number;
  readonly isKept: (value: T) => boolean;
  readonly now: () => number;
}): Cache<T> {
  const entries = new Map<string, { readonly value: T; readonly savedAt: number }>();
  const { maxAgeMs, isKept, now } = options;
  return {
    async get(key, load) {
      const kept = entries.get(key);
      if (kept && now() - kept.savedAt < maxAgeMs) return kept.value;
      const value = await load();
      entries.delete(key);
      if (isKept(value)) entries.set(key, { value, savedAt: now() });
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
      return value;
    },
  };
}
