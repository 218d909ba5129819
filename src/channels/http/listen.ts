import { errorMessage, systemErrorCode } from "../../core/app-error.ts";

/** What listens on one port. */
export interface Listening {
  readonly port: number;
  /** Why the page of the console must not be served here, if so. */
  readonly pageOff?: string;
  stop(atOnce?: boolean): Promise<void>;
}

/** Where something listens, or why nothing does: then there is no port to speak of. */
export type Place =
  | Pick<Listening, "port" | "pageOff">
  | { readonly port?: undefined; readonly pageOff: string };

/** What listens from a start to an end, and may begin again. */
export interface Listener {
  readonly place: () => Place;
  /** @throws when the address cannot be had; {@link place} tells why from then on */
  start(): Listening;
  /** Takes no more connections; those that are open may end. */
  stop(): Promise<void> | undefined;
  end(): Promise<void>;
}

/** The page's name is one of these two in every browser, and one of them goes first. */
const LOOPBACK = ["127.0.0.1", "::1"] as const;
/** Where any port will do, another is tried so often. */
const MOST_TRIES = 5;
/** The machine has no such address: then nobody else has it. */
const NO_ADDRESS: ReadonlySet<string | undefined> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/** Nothing listens before its start. */
export function createListener(hostname: string, port: number, options: Serving): Listener {
  let listening: Listening | undefined;
  let silence = "nothing listens";
  return {
    place: () => listening ?? { pageOff: silence },
    start() {
      try {
        return (listening ??= listen(hostname, port, options));
      } catch (error) {
        silence = errorMessage(error);
        throw error;
      }
    },
    stop: () => listening?.stop(),
    async end() {
      await listening?.stop(true);
      listening = undefined;
    },
  };
}

/**
 * Listens on `hostname`, and on both addresses of this machine: whoever else held one of them could
 * show a page under our name, and take the code of a login.
 *
 * @throws when `hostname` itself cannot be had
 */
function listen(hostname: string, port: number, options: Serving): Listening {
  const bound = hostname === "localhost" ? LOOPBACK[0] : hostname;
  for (let left = MOST_TRIES; ; left--) {
    const first = Bun.serve({ ...options, hostname: bound, port });
    const servers = [first];
    const own = first.port ?? 0; // a server of TCP has one
    const failed = LOOPBACK.flatMap((address) => {
      if (isCovered(address, bound)) return [];
      try {
        servers.push(Bun.serve({ ...options, hostname: address, port: own }));
        return [];
      } catch (error) {
        if (NO_ADDRESS.has(systemErrorCode(error))) return [];
        return [`${address} cannot be listened on: ${errorMessage(error)}`];
      }
    });
    const [pageOff] = failed;
    const stop = async (atOnce?: boolean) =>
      void (await Promise.all(servers.map((server) => server.stop(atOnce))));
    if (pageOff === undefined) return { port: own, stop };
    if (port !== 0 || left <= 0) return { port: own, pageOff, stop };
    void stop(true);
  }
}

/** What is served is the same on each address. */
interface Serving {
  readonly fetch: (request: Request, on: Bun.Server<undefined>) => Promise<Response>;
  readonly idleTimeout: number;
  readonly maxRequestBodySize: number;
  readonly error: (error: Error) => Promise<Response>;
}

/** Whoever listens everywhere listens there. */
function isCovered(address: string, bound: string): boolean {
  return bound === address || bound === "::" || (bound === "0.0.0.0" && !address.includes(":"));
}
