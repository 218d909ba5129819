import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import {
  type ForwardProxy,
  type ForwardProxyOptions,
  openForwardProxy,
} from "../../src/http/forward-proxy/forward-proxy.ts";
import { tempDir } from "../support/temp.ts";

/** Where names lead in these tests; every public address is the loopback server's. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "registry.example.com": ["93.184.216.34"],
  "mirror.example.com": ["93.184.216.35", "93.184.216.34"],
  "inside.example.com": ["10.0.0.7"],
  "half.example.com": ["93.184.216.34", "127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "deep.cdn.example.org": ["93.184.216.34"],
};

/** A proxy on a socket, with what it connected to. */
export interface ProxyScene extends AsyncDisposable {
  readonly proxy: ForwardProxy;
  readonly socketPath: string;
  /** `address:port` of every connection that it opened. */
  readonly reached: readonly string[];
  /** A client of it. */
  dial(): Promise<Client>;
}

/** A connection that keeps what it got. */
export interface Client extends Disposable {
  readonly socket: Socket;
  readonly got: () => string;
  /** Resolves when the other side said all it will say. */
  readonly ended: Promise<void>;
}

/** Opens a proxy to `registry.example.com` and the like; all of them are the server at `port`. */
export async function openProxyScene(
  port: number,
  options: Partial<ForwardProxyOptions> = {},
): Promise<ProxyScene> {
  const dir = tempDir();
  const socketPath = join(dir.path, "s");
  const reached: string[] = [];
  const proxy = await openForwardProxy({
    socketPath,
    allowedHosts: [
      "registry.example.com",
      "mirror.example.com",
      "inside.example.com",
      "half.example.com",
      "metadata.example.com",
      "nowhere.example.com",
      ".cdn.example.org",
    ],
    resolve: async (host) => ADDRESSES[host] ?? [],
    connect: (address, to) => {
      reached.push(`${address}:${to}`);
      return connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    },
    ...options,
  });
  return {
    proxy,
    socketPath,
    reached,
    dial: () => dial(socketPath),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

async function dial(path: string): Promise<Client> {
  const socket = connect({ path, allowHalfOpen: true });
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece)).on("error", () => {});
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  socket.once("end", resolve).once("close", () => resolve());
  await once(socket, "connect");
  return {
    socket,
    got: () => Buffer.concat(pieces).toString("latin1"),
    ended,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Says something to a fresh client of the proxy, and gives all that comes back. */
export async function ask(scene: ProxyScene, words: string): Promise<string> {
  using client = await scene.dial();
  client.socket.write(Buffer.from(words, "latin1"));
  await client.ended;
  return client.got();
}
