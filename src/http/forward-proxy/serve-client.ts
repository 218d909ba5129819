import { isIP, type Socket } from "node:net";
import { isAllowedHost, toHostName } from "../check-host.ts";
import { checkUrlToFetch, refuseUrl } from "../check-url/check-url.ts";
import type { ProxyState } from "./proxy-state.ts";
import { MOST_HEAD_BYTES, type ProxyRequest, type Refusal, readProxyHead } from "./read-head.ts";

/** Hosts of which bytes are told, and refused ones that are kept. */
const MOST_HOSTS = 1000;
/** A host with many addresses is tried at so many of them. */
const MOST_ADDRESSES = 3;

/** Does what one client of the proxy asks for, as far as it may be; never throws. */
export async function serveClient(client: Socket, state: ProxyState): Promise<void> {
  const head = await readHead(client, state);
  if (head === "gone") return void client.destroy();
  if (typeof head === "string") return refuse(client, head);
  const request = readProxyHead(head.text);
  if (request.kind === "refused") return refuse(client, request.status);
  // What follows a request without a body is another one, which nobody has looked at.
  if (request.kind === "request" && head.rest.length > 0) return refuse(client, "400 Bad Request");
  const found = await findServer(new URL(request.url), state);
  if (client.destroyed) return typeof found === "string" ? undefined : void found.socket.destroy();
  if (typeof found === "string") return refuse(client, found);
  pass(
    client,
    found.socket,
    { request, rest: head.rest, count: counter(state, found.host) },
    state,
  );
}

interface Head {
  readonly text: string;
  /** What came behind it. */
  readonly rest: Uint8Array;
}

async function readHead(
  client: Socket,
  { timers, limits }: ProxyState,
): Promise<Head | Refusal | "gone"> {
  const { promise, resolve } = Promise.withResolvers<Head | Refusal | "gone">();
  let bytes = Buffer.alloc(0);
  const onData = (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1 ? bytes.length > MOST_HEAD_BYTES : end > MOST_HEAD_BYTES) {
      resolve("431 Request Header Fields Too Large");
    } else if (end !== -1) {
      resolve({ text: bytes.toString("latin1", 0, end), rest: bytes.subarray(end + 4) });
    }
  };
  const onGone = () => resolve("gone");
  const cancel = timers.after(limits.headMs, () => resolve("408 Request Timeout"));
  client.on("data", onData).once("end", onGone).once("close", onGone);
  const head = await promise;
  cancel();
  client.off("data", onData).off("end", onGone).off("close", onGone).pause();
  return head;
}

function refuse(client: Socket, status: Refusal): void {
  if (client.destroyed) return;
  client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  client.resume(); // what it still sends goes nowhere
}

interface Server {
  readonly host: string;
  readonly socket: Socket;
}

async function findServer(url: URL, state: ProxyState): Promise<Server | Refusal> {
  const host = toHostName(url);
  // Nobody allows a number; and what the guard refuses by its name is never looked up.
  if (isIP(host) !== 0 || refuseUrl(url.href, []) !== undefined) return close(host, state.closed);
  if (!isAllowedHost(host, state.allowedHosts)) return close(host, state.refused);
  const checked = await checkUrlToFetch(url.href, { resolve: state.resolve });
  if (checked.kind === "refused") return close(host, state.closed);
  if (checked.kind !== "allowed") return "502 Bad Gateway";
  const port = url.protocol === "https:" ? 443 : 80;
  for (const address of checked.addresses.slice(0, MOST_ADDRESSES)) {
    const socket = await connectTo(address, port, state);
    if (socket) return { host, socket };
  }
  return "502 Bad Gateway";
}

function close(host: string, hosts: Set<string>): Refusal {
  if (hosts.size < MOST_HOSTS) hosts.add(host);
  return "403 Forbidden";
}

async function connectTo(
  address: string,
  port: number,
  state: ProxyState,
): Promise<Socket | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = state.connect(address, port);
  state.open.add(socket);
  const fail = () => resolve(false);
  const cancel = state.timers.after(state.limits.headMs, fail);
  socket.on("error", fail);
  socket
    .once("connect", () => resolve(true))
    .once("close", () => {
      state.open.delete(socket);
      fail();
    });
  const isOpen = await promise;
  cancel();
  if (isOpen && !socket.destroyed) return socket;
  socket.destroy();
  return undefined;
}

/** Adds what passes to the host's sum and to all; false: that was too much. */
function counter(state: ProxyState, host: string): (bytes: number) => boolean {
  return (bytes) => {
    state.bytes += bytes;
    const { used } = state;
    if (used.has(host) || used.size < MOST_HOSTS) used.set(host, (used.get(host) ?? 0) + bytes);
    return state.bytes <= state.limits.maxBytes;
  };
}

interface Passing extends Pick<Head, "rest"> {
  readonly request: Exclude<ProxyRequest, { kind: "refused" }>;
  readonly count: (bytes: number) => boolean;
}

/** Lets both sides talk; one that ends its words still hears the other's. */
function pass(
  client: Socket,
  server: Socket,
  { request, rest, count }: Passing,
  { timers, limits }: ProxyState,
): void {
  const end = () => {
    client.destroy();
    server.destroy();
  };
  let lastAt = timers.now();
  const seen = (bytes: number) => {
    lastAt = timers.now();
    if (!count(bytes)) end();
  };
  let cancel = () => {};
  const watch = () => {
    const idleMs = timers.now() - lastAt;
    if (idleMs >= limits.idleMs) end();
    else cancel = timers.after(limits.idleMs - idleMs, watch);
  };
  watch();
  client.once("close", () => {
    cancel();
    server.destroy();
  });
  server.once("close", (hadError) => (hadError ? client.destroy() : client.end()));

  server.on("data", (piece) => seen(piece.length));
  if (request.kind === "tunnel") {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    client.on("data", (piece) => seen(piece.length));
    if (rest.length > 0) server.write(rest);
    seen(rest.length);
    client.pipe(server);
  } else {
    server.write(request.head);
    seen(request.head.length);
    client.on("data", end).resume(); // a request behind the one that was read
  }
  server.pipe(client);
}
