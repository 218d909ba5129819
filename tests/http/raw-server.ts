import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A server that answers with exactly the bytes a test writes, however wrong they are. */
export interface RawServer extends Disposable {
  readonly port: number;
  /** What arrived, one entry for each connection that sent something. */
  readonly requests: readonly string[];
}

/** Listens on 127.0.0.1; `answer` gets the first piece of every connection. */
export async function rawServer(
  answer: (socket: Socket, request: string) => void,
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const request = bytes.toString("latin1");
      requests.push(request);
      answer(socket, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    requests,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A whole answer with the right length. */
export function httpAnswer(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  status = "200 OK",
): Uint8Array {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "Content-Length": String(bytes.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`), bytes]);
}
