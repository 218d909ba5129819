import type { Socket } from "bun";
import {
  type ClientLine,
  createLineSplitter,
  type DaemonLine,
  parseDaemonLine,
} from "../channels/socket/wire.ts";
import { AppError } from "../core/app-error.ts";
import { unlessAborted } from "../core/until-aborted.ts";
import { createQueue } from "./queue.ts";

/** A connection to the running daemon. */
export interface DaemonClient extends Disposable {
  send(line: ClientLine): void;
  /**
   * What the daemon says, in order; ends with the connection, and fails with
   * ERR_SOCKET_PROTOCOL at what no daemon says.
   */
  readonly lines: AsyncIterable<DaemonLine>;
}

/** A daemon that lives answers such questions at once; this long it may be busy with itself. */
const ANSWER_MS = 5000;

/** Connects to the daemon's socket; undefined when nobody answers there. */
export async function connectDaemon(path: string): Promise<DaemonClient | undefined> {
  const queue = createQueue<DaemonLine>();
  const receive = createLineSplitter((line) => {
    const parsed = parseDaemonLine(line ?? "");
    if (parsed.kind === "line") queue.push(parsed.line);
    else if (parsed.kind === "foreign") queue.end(foreign(path));
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

function foreign(path: string): AppError {
  return new AppError(
    "ERR_SOCKET_PROTOCOL",
    `Cannot understand what answers at "${path}": no papa-yu says that; papayu stop, then papayu start`,
  );
}

/**
 * What the daemon says of itself; undefined when none is there.
 *
 * @throws AppError ERR_DAEMON_NOT_RUNNING when one is there and does not answer;
 * ERR_SOCKET_PROTOCOL when what answers is none
 */
export async function readStatus(
  path: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  using client = await connectDaemon(path);
  if (!client) return undefined;
  return await askDaemon(client, { type: "status" }, signal, (line) =>
    line.type === "status" ? line.status : undefined,
  );
}

/**
 * Says a line and gives what `find` finds in the answers.
 *
 * @throws AppError ERR_DAEMON_NOT_RUNNING when nothing comes in time; what `find` throws; the
 * signal's reason
 */
export async function askDaemon<Found>(
  client: DaemonClient,
  line: ClientLine,
  signal: AbortSignal,
  find: (line: DaemonLine) => Found | undefined,
): Promise<Found> {
  const late = AbortSignal.timeout(ANSWER_MS);
  const until = AbortSignal.any([signal, late]);
  client.send(line);
  const found = await unlessAborted(until, findLine(client, find)).catch((error: unknown) => {
    if (!late.aborted) throw error;
    return undefined;
  });
  signal.throwIfAborted();
  if (found !== undefined) return found;
  const what = late.aborted
    ? `it did not answer within ${ANSWER_MS / 1000} s`
    : "it closed the connection";
  throw new AppError(
    "ERR_DAEMON_NOT_RUNNING",
    `Cannot ask the daemon: ${what}; papayu stop, then papayu start`,
  );
}

async function findLine<Found>(
  { lines }: DaemonClient,
  find: (line: DaemonLine) => Found | undefined,
): Promise<Found | undefined> {
  for await (const line of lines) {
    const found = find(line);
    if (found !== undefined) return found;
  }
  return undefined;
}
