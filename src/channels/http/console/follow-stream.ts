/** A page that heard nothing for longer knows that it is offline. */
const BEAT_MS = 10_000;
/** So much may wait for a page that reads slowly; then it reads everything anew. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** How long a page is told what happens. */
export interface Following {
  /** Who listens may not any more, or the channel stops. */
  readonly end: AbortSignal;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
  readonly beatMs?: number;
}

/** Something of which is told, until the signal, what happens behind `after`. */
export interface Followed {
  follow(
    after: number | undefined,
    tell: (event: { readonly seq: number }) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Everything that happens behind the event `after`, as server-sent events. */
export function followStream(
  feed: Followed,
  after: number | undefined,
  { end, onEnd, beatMs = BEAT_MS }: Following,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([end, left.signal]);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let beat: ReturnType<typeof setInterval> | undefined;
        const send = (text: string) => {
          if (signal.aborted) return;
          controller.enqueue(Buffer.from(text));
          if ((controller.desiredSize ?? 0) <= 0) left.abort();
        };
        const stop = () => {
          clearInterval(beat);
          onEnd();
          try {
            controller.close();
          } catch {
            // who listened has closed it
          }
        };
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        send(": here\n\n"); // the head of an answer goes out with its first byte
        beat = setInterval(() => send(": beat\n\n"), beatMs);
        const tell = (event: { readonly seq: number }) =>
          send(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
        // Not awaited: a stream whose start is pending is never read.
        void feed.follow(after, tell, signal).catch(() => left.abort());
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: MOST_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
