/** The time; tests pass in their own. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    for (let leftMs = ms; ; leftMs -= LONGEST_MS) {
      if (leftMs <= LONGEST_MS) return wait(leftMs, signal);
      await wait(LONGEST_MS, signal);
    }
  },
};

/** An instant as a clock in this place shows it: 2026-05-01 08:00. */
export function renderInstant(at: number, timezone: string): string {
  const options = { timeZone: timezone, dateStyle: "short", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat("sv-SE", options).format(at);
}

/** 2026-11-21 08:00:00 for an instant in ms or in ISO 8601; any other text stays as it is. */
export function toLocalTime(at: string | number, timeZone?: string): string {
  if (typeof at === "string" && !/^\d{4}-\d\d-\d\dT/u.test(at)) return at;
  return new Date(at).toLocaleString("sv", { ...(timeZone && { timeZone }) });
}

/** What a timer can count to; one that is set for longer goes off at once. */
const LONGEST_MS = 2 ** 31 - 1;

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
/**
 * What `look` gives, looked at once for all that ask before the event loop turns: for what others
 * change, and many ask for at a time.
 */
export function onceATick<T>(look: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    if (known === undefined) {
      known = { value: look() };
      setImmediate(() => (known = undefined));
    }
    return known.value;
  };
}

/** The same for each of some keys. */
export function onceATickEach<K, T>(look: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = look(key);
    if (known.size === 0) setImmediate(() => known.clear());
    known.set(key, value);
    return value;
  };
}

/** Something that holds until the event loop turns. */
export interface TickMark {
  readonly set: () => void;
  readonly isSet: () => boolean;
}

/** Not set yet. */
export function createTickMark(): TickMark {
  let isSet = false;
  return {
    set() {
      if (!isSet) setImmediate(() => (isSet = false));
      isSet = true;
    },
    isSet: () => isSet,
  };
}
