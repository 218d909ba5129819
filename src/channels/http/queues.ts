/** One message of a session from its arrival to its end. */
interface Place {
  hasLeft: boolean;
}

/** Tells which message of a session is worked on: the oldest that has not ended. */
export interface Queues {
  /** To be called in the order of arrival; `end` when its answer is given. */
  join(sessionId: string): { readonly leave: () => void; readonly end: () => void };
}

/**
 * Cancels work whose client is gone: the work of a client that left, as soon as it is the one
 * that runs, and never that of another client of the same session.
 */
export function createQueues(cancel: (sessionId: string) => void): Queues {
  const queues = new Map<string, Place[]>();
  return {
    join(sessionId) {
      const place: Place = { hasLeft: false };
      const queue = queues.get(sessionId) ?? [];
      queues.set(sessionId, [...queue, place]);
      return {
        leave() {
          place.hasLeft = true;
          if (queues.get(sessionId)?.[0] === place) cancel(sessionId);
        },
        end() {
          const left = (queues.get(sessionId) ?? []).filter((each) => each !== place);
          if (left.length > 0) queues.set(sessionId, left);
          else queues.delete(sessionId);
          // What follows begins only after this; its work can be cancelled once it has.
          if (left[0]?.hasLeft) setImmediate(cancel, sessionId);
        },
      };
    },
  };
}
