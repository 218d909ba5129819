/** What is done with what was read, or why it was not. */
export interface Taking<Value> {
  readonly take: (value: Value) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Reads of one thing that may overtake each other: what was begun later counts, and what was
 * overtaken is dropped, its failure too. None is left out for another that is under way, which may
 * have been answered before what is asked about now had happened.
 */
export function createNewest<Value>({
  take,
  failed,
}: Taking<Value>): (read: () => Promise<Value>) => Promise<void> {
  let begun = 0;
  let taken = 0;
  const isOvertaken = (turn: number) => turn < taken;
  return async (read) => {
    const turn = ++begun;
    try {
      const value = await read();
      if (isOvertaken(turn)) return;
      taken = turn;
      take(value);
    } catch (error) {
      if (!isOvertaken(turn)) failed(error);
    }
  };
}
