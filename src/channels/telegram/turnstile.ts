/** Lets work through side by side, or one piece of it with nothing beside it. */
export interface Turnstile {
  /** Waits while somebody is alone, or waits to be. */
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits until everybody has left; the next ones come in when it is done. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** An open turnstile; who waits first goes first. */
export function createTurnstile(): Turnstile {
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
    async together(work) {
      await gate;
      return enter(work);
    },
    alone(work) {
      const before = gate;
      const running = before.then(() => Promise.allSettled(inside)).then(work);
      gate = running.catch(() => undefined);
      return running;
    },
  };
}
