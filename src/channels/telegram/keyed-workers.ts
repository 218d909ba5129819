/** Processes rows: in order per key, different keys concurrently up to a limit. */
export interface KeyedWorkers {
  /** Looks for rows soon; cheap, may be called often and inside a database transaction. */
  wake(): void;
  /** Begins no further row. */
  close(): void;
  /** Resolves when nothing runs and, unless closed, nothing waits. */
  idle(): Promise<void>;
}

/**
 * The table is the queue: `heads` gives the first row of every key, `run` must take its row
 * out of the table. A row whose `run` throws is left for the next wake.
 */
export function createKeyedWorkers<Row>(options: {
  readonly heads: () => Iterable<Row>;
  readonly keyOf: (row: Row) => string;
  readonly run: (row: Row) => Promise<void>;
  readonly limit: number;
  readonly onError: (error: unknown) => void;
}): KeyedWorkers {
  const running = new Map<string, Promise<void>>();
  let closed = false;
  let awake = false;

  function wake(): void {
    if (awake || closed) return;
    awake = true;
    queueMicrotask(look);
  }

  function look(): void {
    awake = false;
    if (closed) return;
    try {
      for (const row of options.heads()) {
        if (running.size >= options.limit) return;
        const key = options.keyOf(row);
        if (!running.has(key)) running.set(key, work(key, row));
      }
    } catch (error) {
      options.onError(error);
    }
  }

  async function work(key: string, row: Row): Promise<void> {
    try {
      await options.run(row);
      wake();
    } catch (error) {
      options.onError(error);
    } finally {
      running.delete(key);
    }
  }

  return {
    wake,
    close() {
      closed = true;
    },
    async idle() {
      do {
        await Promise.all(running.values());
        // A finished row's wake() looks for the next one in a microtask.
        await Promise.resolve();
      } while (running.size > 0);
    },
  };
}
