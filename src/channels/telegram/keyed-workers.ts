import { createDueRows, type Due } from "./due-rows.ts";

/** Processes rows: in order per key, different keys concurrently up to a limit. */
export interface KeyedWorkers {
  /**
   * Looks soon for the first row of a key, without one for that of all; cheap, may be called often
   * and inside a database transaction.
   */
  wake(key?: string): void;
  /** Looks again at what an error left where it was. */
  wakeLeft(): void;
  /** Whether a row of this key is worked on. */
  isBusy(key: string): boolean;
  /** Begins no further row. */
  close(): void;
  /** Resolves when nothing runs and, unless closed, nothing waits. */
  idle(): Promise<void>;
}

/**
 * The table is the queue: `heads` gives the first row of every key, `next` that of one, and `run` must
 * take its row out of the table. A key that waits for a place comes behind those that wait already,
 * so that nobody with many rows holds up the others. A row whose `run` throws is left for the next wake.
 */
export function createKeyedWorkers<Row>(options: {
  readonly heads: () => Iterable<Row>;
  /** Without it all are looked at again behind each row. */
  readonly next?: (key: string) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  /** What stays of a row when it gets another key: it is never begun again while it runs. */
  readonly idOf: (row: Row) => number;
  /** Whether nothing waited behind the row when it was read: then nobody has to look behind it. */
  readonly isLast?: (row: Row) => boolean;
  /** Asked when a row could begin; one that may not is left for the next wake of all. */
  readonly mayBegin?: (row: Row) => boolean;
  /** Without it every row may begin at once. A row that waits for its time takes no place of others. */
  readonly due?: Due<Row>;
  /** "gone": the row is out of the table; of any other end its key is looked at again. */
  readonly run: (row: Row) => Promise<"gone" | void>;
  /** How many rows may run; asked each time. */
  readonly limit: () => number;
  readonly onError: (error: unknown) => void;
}): KeyedWorkers {
  const { mayBegin = () => true, isLast = () => false } = options;
  const running = new Map<string, Promise<void>>();
  /** Rows that run, with other keys that they were found under, to be looked at behind them. */
  const begun = new Map<number, Set<string>>();
  /** Keys to look at, with their first row where it was seen. */
  const woken = new Map<string, Row | undefined>();
  /** Keys that were woken while a row of theirs ran. */
  const again = new Set<string>();
  const due = options.due && createDueRows(options.due, options.idOf, wake);
  let isAllWoken = false;
  let awake = false;
  let closed = false;

  function wake(key?: string): void {
    note(key);
    lookSoon();
  }

  function lookSoon(): void {
    if (awake || closed) return;
    awake = true;
    queueMicrotask(look);
  }

  function note(key?: string): void {
    if (key === undefined || !options.next) isAllWoken = true;
    else if (!woken.has(key)) woken.set(key, undefined);
  }

  function look(): void {
    awake = false;
    if (closed) return;
    try {
      if (isAllWoken) lookAtAll();
      for (const [key, seen] of woken) {
        if (running.size >= options.limit()) return;
        const isRunning = running.has(key);
        const row = isRunning ? undefined : (seen ?? options.next?.(key));
        woken.delete(key);
        if (isRunning) again.add(key);
        if (row !== undefined) begin(key, row);
        else if (!isRunning) due?.forget(key);
      }
    } catch (error) {
      options.onError(error);
    }
  }

  function begin(key: string, row: Row): void {
    const id = options.idOf(row);
    const others = begun.get(id);
    if (others) others.add(key);
    else if (mayBegin(row) && (due?.isDue(key, row) ?? true)) {
      begun.set(id, new Set());
      running.set(key, work(key, row));
    }
  }

  /** All but those that run, whose end looks for the next then. */
  function lookAtAll(): void {
    for (const row of options.heads()) {
      const key = options.keyOf(row);
      if (running.has(key)) again.add(key);
      else woken.set(key, row);
    }
    isAllWoken = false;
  }

  async function work(key: string, row: Row): Promise<void> {
    try {
      const isGone = (await options.run(row)) === "gone";
      if (again.delete(key) || !isGone || !isLast(row)) wake(key);
      else lookSoon();
    } catch (error) {
      again.delete(key);
      note(key);
      options.onError(error);
    } finally {
      running.delete(key);
      const id = options.idOf(row);
      for (const other of begun.get(id) ?? []) wake(other);
      begun.delete(id);
    }
  }

  return {
    wake,
    wakeLeft() {
      if (isAllWoken || woken.size > 0) lookSoon();
    },
    isBusy: (key) => running.has(key),
    close() {
      closed = true;
      due?.close();
    },
    async idle() {
      const open = () => [...running.values(), ...(due?.waiting() ?? [])];
      do {
        await Promise.all(open());
        // A finished row's wake() looks for the next one in a microtask.
        await Promise.resolve();
      } while (open().length > 0);
    },
  };
}
