/** Items in order for one reader, who waits where there is none yet. */
export interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void;
  /** Forgets what nobody has read yet. */
  clear(): void;
  /** What was pushed before is still read; then it ends, or fails with what is given. */
  end(failure?: Error): void;
}

/** An empty queue. */
export function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake = () => {};
  return {
    push(item) {
      items.push(item);
      wake();
    },
    clear() {
      items.length = 0;
    },
    end(why) {
      if (!ended) failure = why;
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (failure) throw failure;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
