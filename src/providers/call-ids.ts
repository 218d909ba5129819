import { sha256 } from "../core/sha256.ts";

/** The ids by which a request pairs calls with results, made as its messages come, in order. */
export interface CallIds {
  /** A message with calls comes: results of earlier ones came before it. */
  next(): void;
  ofCall(id: string): string;
  /** That of the call which a result is for. */
  ofResult(id: string): string;
}

/**
 * A conversation has ids of several makers: servers, approvals, and what the one before a fallback
 * gave. Each becomes one that every server takes, the same in every request, so that what a server
 * has read of it before need not be read again.
 */
export function createCallIds(): CallIds {
  const taken = new Set<string>();
  const times = new Map<string, number>();
  /** Of the calls whose results come next. */
  let waiting = new Map<string, string[]>();

  /** Servers number the calls of each answer from one: the same id again is another call. */
  function make(id: string): string {
    for (let n = times.get(id) ?? 0; ; n++) {
      // The strictest server takes exactly nine letters and digits.
      const made = sha256(n === 0 ? id : `${id} ${n}`).slice(0, 9);
      if (taken.has(made)) continue;
      taken.add(made);
      times.set(id, n + 1);
      return made;
    }
  }

  return {
    next() {
      waiting = new Map();
    },
    ofCall(id) {
      const made = make(id);
      waiting.set(id, [...(waiting.get(id) ?? []), made]);
      return made;
    },
    ofResult(id) {
      const ids = waiting.get(id) ?? [];
      return (ids.length > 1 ? ids.shift() : ids[0]) ?? make(id);
    },
  };
}
