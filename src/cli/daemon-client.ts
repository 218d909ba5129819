import { type ClientLine, createLineSplitter, type DaemonLine } from "../channels/socket/wire.ts";

/** A connection to the running daemon. */
export interface DaemonClient extends Disposable {
  send(line: ClientLine): void;
  /** What the daemon says, in order; ends with the connection. */
  readonly lines: AsyncIterable<DaemonLine>;
}

/** Connects to the daemon's socket; undefined when nobody answers there. */
export async function connectDaemon(path: string): Promise<DaemonClient | undefined> {
  const queue = createQueue<DaemonLine>();
  const receive = createLineSplitter((line) => {
    if (line === undefined) return;
    // Only our own daemon speaks on this socket, in the shapes of wire.ts.
    const parsed: DaemonLine = JSON.parse(line);
    queue.push(parsed);
  });
  try {
    const socket = await Bun.connect({
      unix: path,
      socket: {
        data: (_socket, chunk) => receive(chunk),
        close: () => queue.end(),
        error: () => queue.end(),
      },
    });
    return {
      send: (line) => void socket.write(`${JSON.stringify(line)}\n`),
      lines: queue,
      [Symbol.dispose]: () => void socket.end(),
    };
  } catch {
    return undefined;
  }
}

interface Queue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
}

function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let ended = false;
  let wake = () => {};
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
