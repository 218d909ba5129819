import type { Clock } from "../../core/clock.ts";

/** When a row may begin, and what waits for it. */
export interface Due<Row> {
  /** Milliseconds until the row may begin; 0 or less: now. Asked when it comes up first, and again. */
  readonly inMs: (row: Row) => number;
  readonly sleep: Clock["sleep"];
}

/** The first rows of keys that wait for their time. */
export interface DueRows<Row> {
  /** Whether the row may begin now; else its key is woken when it may. */
  isDue(key: string, row: Row): boolean;
  /** Nothing of this key waits any more. */
  forget(key: string): void;
  /** Those that wait now; each resolves when its time has come, or all are closed. */
  waiting(): readonly Promise<void>[];
  close(): void;
}

interface Wait {
  readonly id: number;
  readonly stop: AbortController;
  done: Promise<void>;
  isOver: boolean;
}

/**
 * No row waits twice: one whose wait is over begins, whatever the clock says by then, for that may
 * have been set back meanwhile.
 */
export function createDueRows<Row>(
  { inMs, sleep }: Due<Row>,
  idOf: (row: Row) => number,
  wake: (key: string) => void,
): DueRows<Row> {
  const waits = new Map<string, Wait>();

  function forget(key: string): void {
    waits.get(key)?.stop.abort();
    waits.delete(key);
  }

  function begin(key: string, id: number, ms: number): void {
    const wait: Wait = { id, stop: new AbortController(), done: Promise.resolve(), isOver: false };
    const end = () => {
      wait.isOver = true;
      wake(key);
    };
    wait.done = sleep(ms, wait.stop.signal).then(end, () => undefined);
    waits.set(key, wait);
  }

  return {
    isDue(key, row) {
      const id = idOf(row);
      const wait = waits.get(key);
      const ms = wait?.id === id && wait.isOver ? 0 : inMs(row);
      if (ms > 0 && wait?.id === id) return false;
      forget(key);
      if (ms > 0) begin(key, id, ms);
      return ms <= 0;
    },
    forget,
    waiting: () => [...waits.values()].filter(({ isOver }) => !isOver).map(({ done }) => done),
    close() {
      for (const { stop } of waits.values()) stop.abort();
      waits.clear();
    },
  };
}
