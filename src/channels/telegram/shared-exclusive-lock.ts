/** Lets work run side by side, or one piece of it with nothing else running. */
export interface SharedExclusiveLock {
  /** Waits while exclusive work runs, or waits to run. */
  readonly shared: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits until all running work has ended; later work waits until it is done. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A lock that nobody holds; waiters run in the order of their arrival. */
export function createSharedExclusiveLock(): SharedExclusiveLock {
  let gate: Promise<unknown> = Promise.resolve();
  const inside = new Set<Promise<unknown>>();

  function enter<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    inside.add(running);
    const leave = () => void inside.delete(running);
    running.then(leave, leave);
    return running;
  }

  return {
    async shared(work) {
      await gate;
      return enter(work);
    },
    exclusive(work) {
      const before = gate;
      const running = before.then(() => Promise.allSettled(inside)).then(work);
      gate = running.catch(() => undefined);
      return running;
    },
  };
}
