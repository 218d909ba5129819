/** Rows of work: one at a time for each key, in the order it came. */
export interface Turns {
  /** Starts `work` at once without a key, else when all before it with the key has ended. */
  take(key: string | undefined, work: () => Promise<void>): Promise<void>;
}

/** Empty rows; the end of the last work of each key is kept, and there are as many keys as workspaces. */
export function createTurns(): Turns {
  const rows = new Map<string, Promise<void>>();
  return {
    take(key, work) {
      if (key === undefined) return work();
      const turn = (rows.get(key) ?? Promise.resolve()).then(work);
      rows.set(
        key,
        turn.catch(() => {}),
      );
      return turn;
    },
  };
}
