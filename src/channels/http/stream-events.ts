import type { Emit } from "../channel.ts";
import { toData } from "./to-data.ts";

/** A comment that keeps proxies and clients from giving up while a model thinks. */
const KEEP_ALIVE_MS = 15_000;
/** So much may wait for a client that reads slowly. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** Work that says what happens by `emit`; it rejects only with what `emit` threw. */
export type Work = (emit: Emit) => Promise<void>;

/**
 * A server-sent event stream of one exchange. It ends with `[DONE]` exactly once, however the
 * work ends; `onLeave` is told when the client goes away before that.
 */
export function streamEvents(work: Work, onLeave: () => void): ReadableStream<Uint8Array> {
  let room = Promise.withResolvers<void>();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if (!hasLeft) controller.enqueue(Buffer.from(text));
        };
        const keepAlive = setInterval(() => send(": working\n\n"), KEEP_ALIVE_MS);
        const emit: Emit = async (event) => {
          for (const data of toData(event)) send(`data: ${JSON.stringify(data)}\n\n`);
          if (!hasLeft && (controller.desiredSize ?? 0) <= 0) await room.promise;
        };
        const end = () => {
          clearInterval(keepAlive);
          send("data: [DONE]\n\n");
          if (!hasLeft) controller.close();
        };
        // Not awaited: a stream whose start is pending is never read.
        void work(emit).then(end, end);
      },
      pull() {
        room.resolve();
        room = Promise.withResolvers();
      },
      cancel() {
        hasLeft = true;
        room.resolve();
        onLeave();
      },
    },
    { highWaterMark: MOST_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
