import { connect, createServer, type Socket } from "node:net";

/** The way from a browser to the servers of this machine, which can be taken away at any moment. */
export interface Line extends AsyncDisposable {
  /** What the browser is told to go by. */
  readonly address: string;
  /** Ends all that goes over it, and lets nothing through until it is mended. */
  cut(): void;
  mend(): void;
}

/**
 * A SOCKS proxy (RFC 1928) on loopback: a browser that is only told to be offline keeps the streams
 * that it has open.
 */
export async function openLine(): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((from) => {
    hold(from);
    if (isCut) return from.destroy();
    from.once("data", () => {
      from.write(Uint8Array.of(5, 0));
      from.once("data", (asked: Buffer) => {
        // Whatever the name, it is this machine's; the port is at the end.
        const to = connect(asked.readUInt16BE(asked.length - 2), "127.0.0.1");
        hold(to);
        to.on("connect", () => {
          from.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
          from.pipe(to).pipe(from);
        });
        to.on("close", () => from.destroy());
        from.on("close", () => to.destroy());
      });
    });
    return undefined;
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const at = server.address();
  if (at === null || typeof at === "string") throw new Error("no port");
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `socks5://127.0.0.1:${at.port}`,
    cut() {
      isCut = true;
      end();
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      end();
      await closed.promise;
    },
  };
}
