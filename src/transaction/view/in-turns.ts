/** Does one work after another, whatever becomes of each. */
export type InTurns = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own; nobody waits for more than the works before his. */
export function createTurns(): InTurns {
  let newest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = newest.then(work);
    newest = turn.catch(() => {}); // told to the one whose turn it was
    return turn;
  };
}
