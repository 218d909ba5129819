import type { Clock } from "../../src/core/clock.ts";

interface Sleeper {
  readonly wakeAt: number;
  wake(): void;
}

/** A clock that moves when told to; sleeps last as long as it says, whatever the time shown. */
export class FakeClock implements Clock {
  #elapsedMs = 0;
  #shownAtZero: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(iso: string) {
    this.#shownAtZero = Date.parse(iso);
  }

  now(): number {
    return this.#shownAtZero + this.#elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const sleeper = { wakeAt: this.#elapsedMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** How many wait for it. */
  get waiting(): number {
    return this.#sleepers.size;
  }

  /** Lets time pass, waking every sleeper at its moment. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsedMs + ms;
    await settle();
    for (let next = this.#earliest(); next && next.wakeAt <= end; next = this.#earliest()) {
      this.#elapsedMs = next.wakeAt;
      this.#sleepers.delete(next);
      next.wake();
      await settle();
    }
    this.#elapsedMs = end;
    await settle();
  }

  /** Lets time pass up to an instant. */
  advanceTo(iso: string): Promise<void> {
    return this.advance(Date.parse(iso) - this.now());
  }

  /** Shows another time without any having passed: a suspend, or somebody set the clock. */
  jumpTo(iso: string): void {
    this.#shownAtZero = Date.parse(iso) - this.#elapsedMs;
  }

  #earliest(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (earliest === undefined || sleeper.wakeAt < earliest.wakeAt) earliest = sleeper;
    }
    return earliest;
  }
}

/** Lets everything that is ready run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
