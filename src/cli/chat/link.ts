import type { ClientLine, DaemonLine } from "../../channels/socket/wire.ts";
import type { Clock } from "../../core/clock.ts";
import type { DaemonClient } from "../daemon-client.ts";

/** What the daemon says, and when it is gone and back. */
export type LinkLine = DaemonLine | { readonly type: "lost" } | { readonly type: "back" };

/** A way to the daemon that may outlive it. */
export interface Link {
  /** Says it to the daemon of the moment; to nobody while there is none. */
  send(line: ClientLine): void;
  readonly lines: AsyncIterable<LinkLine>;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

/** A connection that is made again whenever it breaks, until the signal ends it. */
export function createLink(
  first: DaemonClient,
  connect: () => Promise<DaemonClient | undefined>,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Link {
  let client: DaemonClient | undefined = first;
  signal.addEventListener("abort", () => client?.[Symbol.dispose](), { once: true });

  async function reconnect(): Promise<DaemonClient | undefined> {
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      await clock.sleep(waitMs, signal).catch(() => {});
      const found = signal.aborted ? undefined : await connect();
      if (found) return found;
    }
    return undefined;
  }

  async function* read(): AsyncGenerator<LinkLine> {
    while (client) {
      yield* client.lines;
      client = undefined;
      if (signal.aborted) return;
      yield { type: "lost" };
      client = await reconnect();
      if (signal.aborted) client?.[Symbol.dispose]();
      else if (client) yield { type: "back" };
    }
  }

  return { send: (line) => client?.send(line), lines: read() };
}
