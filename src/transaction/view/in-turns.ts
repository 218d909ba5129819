/** Runs tasks one after another, whether or not they succeed. */
export type InTurns = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue; each caller waits only for the tasks queued before its own. */
export function createTurns(): InTurns {
  let newest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = newest.then(work);
    newest = turn.catch(() => {}); // reported to the caller whose turn it was
    return turn;
  };
}
