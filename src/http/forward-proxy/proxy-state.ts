import type { Socket } from "node:net";
import type { Timers } from "../../core/deadline.ts";
import type { Resolve } from "../check-url/check-url.ts";

/** What one proxy lets through in all. */
export interface ProxyLimits {
  /** Clients at the same time; one more is refused. */
  readonly maxOpen: number;
  /** Clients from beginning to end. */
  readonly maxClients: number;
  /** To and from all hosts together. */
  readonly maxBytes: number;
  /** For the head of a request, and for an attempt to connect. */
  readonly headMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

/** What all connections of a proxy share. */
export interface ProxyState {
  readonly allowedHosts: readonly string[];
  readonly resolve: Resolve | undefined;
  readonly connect: (address: string, port: number) => Socket;
  readonly timers: Timers;
  readonly limits: ProxyLimits;
  /** Of clients and servers. */
  readonly open: Set<Socket>;
  readonly used: Map<string, number>;
  readonly refused: Set<string>;
  readonly closed: Set<string>;
  bytes: number;
}
