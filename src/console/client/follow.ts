import { createEventParser } from "./parse-events.ts";
import { type Ask, chunksOf } from "./press.ts";

/** Whether what is shown is what is so. */
export type LinkState = "connecting" | "live" | "offline";

/** What is told of a stream of events. */
export interface Live {
  /** The number of the last event that is part of what is shown. */
  readonly seq: () => number;
  readonly onState: (state: LinkState) => void;
  readonly onEvent: (seq: number, data: Readonly<Record<string, unknown>>) => void;
  /** Events are missing, or the daemon is another one: everything is to be asked for anew. */
  readonly onGap: () => Promise<void>;
}

/** The server says something every 10 seconds; who is silent for longer than two of them is gone. */
const SILENCE_MS = 25_000;
const PAUSES_MS = [300, 1000, 2000, 5000, 10_000];

/**
 * Follows what happens until the signal aborts: a stream that ends is opened again behind the last
 * event that came, and where the server no longer has what is between, all is asked for anew.
 */
export async function follow(
  ask: Ask,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
  live: Live,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const hadEvents = await listen(ask, live, signal);
    if (signal.aborted) return;
    live.onState("offline");
    failures = hadEvents ? 0 : failures + 1;
    await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0, signal);
  }
}

/** One stream to its end, whatever ends it; whether anything came. */
async function listen(ask: Ask, live: Live, signal: AbortSignal): Promise<boolean> {
  const silent = new AbortController();
  const stop = AbortSignal.any([signal, silent.signal]);
  let timer = setTimeout(() => silent.abort(), SILENCE_MS);
  let hasCome = false;
  let gap = false;
  try {
    const response = await ask(`/api/events?after=${live.seq()}`, { signal: stop });
    live.onState("live");
    const parse = createEventParser((event) => {
      hasCome = true;
      if (event === "alive") return;
      const data: unknown = JSON.parse(event.data);
      if (typeof data !== "object" || data === null) return;
      const { kind, seq }: Readonly<Record<string, unknown>> = { ...data };
      if (kind === "reload") gap = true;
      else if (isNext(seq, live.seq())) live.onEvent(seq, { ...data });
    });
    const decoder = new TextDecoder();
    for await (const piece of chunksOf(response)) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
      parse(decoder.decode(piece, { stream: true }));
      if (gap) break;
    }
    if (gap) await live.onGap();
  } catch {
    // What failed is over, and tried again; whether there is a session `ask` has told.
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
  return hasCome;
}

/** One that came before is not told twice. */
function isNext(seq: unknown, last: number): seq is number {
  return typeof seq === "number" && seq > last;
}
