import type { Socket } from "bun";
import { type ClientLine, createLineSplitter, type DaemonLine } from "../channels/socket/wire.ts";
import { AppError } from "../core/app-error.ts";
import { createQueue } from "./queue.ts";

/** A connection to the running daemon. */
export interface DaemonClient extends Disposable {
  send(line: ClientLine): void;
  /** What the daemon says, in order; ends with the connection. */
  readonly lines: AsyncIterable<DaemonLine>;
}

/** A daemon that lives answers `status` at once; this long it may be busy with itself. */
const STATUS_MS = 5000;

/** Connects to the daemon's socket; undefined when nobody answers there. */
export async function connectDaemon(path: string): Promise<DaemonClient | undefined> {
  const queue = createQueue<DaemonLine>();
  const receive = createLineSplitter((line) => {
    if (line === undefined) return;
    // Only our own daemon speaks on this socket, in the shapes of wire.ts.
    const parsed: DaemonLine = JSON.parse(line);
    queue.push(parsed);
  });
  let waiting: Uint8Array = new Uint8Array();
  const flush = (socket: Socket) => {
    if (waiting.length > 0) waiting = waiting.subarray(Math.max(0, socket.write(waiting)));
  };
  try {
    const socket = await Bun.connect({
      unix: path,
      socket: {
        data: (_socket, chunk) => receive(chunk),
        drain: flush,
        close: () => queue.end(),
        error: () => queue.end(),
      },
    });
    return {
      send(line) {
        waiting = Buffer.concat([waiting, Buffer.from(`${JSON.stringify(line)}\n`)]);
        flush(socket);
      },
      lines: queue,
      [Symbol.dispose]() {
        queue.end();
        socket.end();
      },
    };
  } catch {
    return undefined;
  }
}

/**
 * What the daemon says of itself; undefined when none is there.
 *
 * @throws AppError ERR_DAEMON_NOT_RUNNING when one is there and does not answer
 */
export async function readStatus(
  path: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  using client = await connectDaemon(path);
  if (!client) return undefined;
  const late = AbortSignal.timeout(STATUS_MS);
  const hangUp = () => client[Symbol.dispose]();
  AbortSignal.any([signal, late]).addEventListener("abort", hangUp, { once: true });
  client.send({ type: "status" });
  for await (const line of client.lines) if (line.type === "status") return line.status;
  signal.throwIfAborted();
  const what = late.aborted
    ? `it did not answer within ${STATUS_MS / 1000} s`
    : "it closed the connection";
  throw new AppError(
    "ERR_DAEMON_NOT_RUNNING",
    `Cannot ask the daemon: ${what}; papayu stop, then papayu start`,
  );
}
