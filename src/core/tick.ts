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
