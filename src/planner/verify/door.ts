import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../core/log.ts";
import { MOST_SCRATCH_CHARS, makeScratch } from "../../system/processes/scratch.ts";
import type { SandboxDoor } from "../../system/sandbox/sandbox.ts";

/** A way out for commands of a view, and what came of it. */
export interface Door extends SandboxDoor, AsyncDisposable {
  /** Hosts that were asked for and are not among those. */
  readonly refused: ReadonlySet<string>;
  /** Hosts that were asked for and that nobody can open. */
  readonly closed: ReadonlySet<string>;
}

/** The name of a Unix socket has room for so many bytes, its ending zero included. */
const MOST_NAME_BYTES = 108;

/** Opens a way to exactly these hosts; which were used is logged at its end, and nothing else. */
export async function openDoor(hosts: readonly string[], log: Log): Promise<Door> {
  const { openForwardProxy } = await import("../../http/forward-proxy/forward-proxy.ts");
  const folder = makeScratch("door", shortFolder());
  const socket = join(folder.path, "proxy");
  try {
    const proxy = await openForwardProxy({ socketPath: socket, allowedHosts: hosts });
    return {
      socket,
      refused: proxy.refused,
      closed: proxy.closed,
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
        for (const [host, bytes] of proxy.used) log("GENERATE_NETWORK", { host, bytes });
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

function shortFolder(): string {
  const folder = tmpdir();
  const longest = join(folder, "x".repeat(MOST_SCRATCH_CHARS), "proxy");
  return Buffer.byteLength(longest) < MOST_NAME_BYTES ? folder : "/tmp";
}
