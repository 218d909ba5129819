import type { AgentEvent, Emit } from "../channel.ts";

/** A comment that keeps proxies and clients from giving up while a model thinks. */
const KEEP_ALIVE_MS = 15_000;
/** So much may wait for a client that reads slowly. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** Who takes nothing for so long has left, whatever the connection says. */
const STALL_MS = 30_000;

/** Work that says what happens by `emit`; it rejects only with what `emit` threw. */
export type Work = (emit: Emit) => Promise<void>;

/** An event as the documents that a client reads. */
export type ToData = (event: AgentEvent) => readonly Readonly<Record<string, unknown>>[];

/** How long an answer is given. */
export interface Bounds {
  readonly stallMs?: number;
  /** Who asked may not any more. */
  readonly end?: AbortSignal | undefined;
}

/**
 * A server-sent event stream of one exchange. It ends with `[DONE]` exactly once, however the
 * work ends; `onLeave` is called when the client goes away before that, or may not listen any more.
 */
export function streamEvents(
  work: Work,
  toData: ToData,
  onLeave: () => void,
  { stallMs = STALL_MS, end: over }: Bounds = {},
): ReadableStream<Uint8Array> {
  let room = Promise.withResolvers<void>();
  let hasLeft = false;
  const leave = () => {
    if (hasLeft) return;
    hasLeft = true;
    room.resolve();
    onLeave();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if (!hasLeft) controller.enqueue(Buffer.from(text));
        };
        const sayWorking = () => send(": working\n\n");
        const keepAlive = setInterval(sayWorking, KEEP_ALIVE_MS);
        sayWorking(); // the head of an answer goes out with its first byte
        const emit: Emit = async (event) => {
          for (const data of toData(event)) send(`data: ${JSON.stringify(data)}\n\n`);
          if (hasLeft || (controller.desiredSize ?? 0) > 0) return;
          if (!(await inTime(room.promise, stallMs))) {
            controller.error(new Error("the client reads nothing"));
            leave();
          }
        };
        const cutOff = () => {
          if (hasLeft) return;
          controller.close();
          leave();
        };
        const end = () => {
          clearInterval(keepAlive);
          over?.removeEventListener("abort", cutOff);
          send("data: [DONE]\n\n");
          if (!hasLeft) controller.close();
        };
        over?.addEventListener("abort", cutOff, { once: true });
        // Not awaited: a stream whose start is pending is never read.
        void work(emit).then(end, end);
      },
      pull() {
        room.resolve();
        room = Promise.withResolvers();
      },
      cancel: leave,
    },
    { highWaterMark: MOST_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

async function inTime(done: Promise<void>, limitMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  try {
    return await Promise.race([done.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
