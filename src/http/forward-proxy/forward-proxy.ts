import { once } from "node:events";
import { createServer, type Socket, connect as tcpConnect } from "node:net";
import { machineTimers, type Timers } from "../../core/deadline.ts";
import type { Resolve } from "../check-url/check-url.ts";
import type { ProxyLimits, ProxyState } from "./proxy-state.ts";
import { serveClient } from "./serve-client.ts";

const LIMITS: ProxyLimits = {
  maxOpen: 128,
  maxClients: 10_000,
  maxBytes: 1024 ** 3,
  headMs: 15_000,
  idleMs: 60_000,
};

/** Options of {@link openForwardProxy}. */
export interface ForwardProxyOptions {
  /** Where it listens; nothing is there yet. */
  readonly socketPath: string;
  /** Names of hosts, or `.suffix`; nothing else is reached, and no private address of theirs. */
  readonly allowedHosts: readonly string[];
  /** What differs from the usual bounds. */
  readonly limits?: Partial<ProxyLimits>;
  /** Asks DNS; the machine's own resolver when absent. */
  readonly resolve?: Resolve;
  /** Opens a connection to an address that was checked; tests put a server of theirs there. */
  readonly connect?: (address: string, port: number) => Socket;
  /** What the bounds are counted with; tests pass in their own. */
  readonly timers?: Timers;
}

/** A proxy that is listening. */
export interface ForwardProxy extends AsyncDisposable {
  /** Bytes in both directions by host. */
  readonly used: ReadonlyMap<string, number>;
  /** Hosts that were asked for and are not allowed, and that would be reached if they were. */
  readonly refused: ReadonlySet<string>;
  /** Those that were asked for and that nobody can allow: of this machine, of networks, of clouds. */
  readonly closed: ReadonlySet<string>;
}

/**
 * Listens on a Unix socket as an HTTP proxy for tools that fetch packages: `CONNECT` to ports 80 and
 * 443, and requests without a body, to the hosts that are listed and nobody else. Each goes through
 * the guard of addresses, and to the addresses that it checked.
 *
 * @throws the system's error when it cannot listen there
 */
export async function openForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const { socketPath, allowedHosts, resolve, timers = machineTimers } = options;
  const state: ProxyState = {
    allowedHosts,
    resolve,
    timers,
    connect: options.connect ?? ((host, port) => tcpConnect({ host, port, allowHalfOpen: true })),
    limits: { ...LIMITS, ...options.limits },
    open: new Set(),
    used: new Map(),
    refused: new Set(),
    closed: new Set(),
    bytes: 0,
  };
  let [now, all] = [0, 0];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const { maxOpen, maxClients, maxBytes } = state.limits;
    client.on("error", () => client.destroy());
    if (now >= maxOpen || all >= maxClients || state.bytes > maxBytes) return void client.destroy();
    [now, all] = [now + 1, all + 1];
    state.open.add(client);
    client.once("close", () => {
      now -= 1;
      state.open.delete(client);
    });
    void serveClient(client, state);
  });
  server.listen(socketPath);
  await once(server, "listening");
  return {
    used: state.used,
    refused: state.refused,
    closed: state.closed,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of state.open) socket.destroy();
      await closed;
    },
  };
}
