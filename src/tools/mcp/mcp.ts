import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Tool } from "../tool.ts";
import { createServer, type Server, type ServerSettings } from "./server.ts";
import { toTool } from "./to-tool.ts";
import type { ToolLists } from "./tool-lists.ts";

export type { Launch } from "./launch.ts";
export { createToolLists } from "./tool-lists.ts";

/** How long a server that did not start is left alone. */
const RETRY_AFTER_MS = 60_000;
/** How long a turn waits for servers whose tools nobody knows yet. */
const PATIENCE_MS = 1000;

/** Why the tools of a server are not there. */
export type McpNews =
  | { readonly kind: "starting"; readonly server: string }
  | { readonly kind: "failed"; readonly server: string; readonly reason: string };

/** The tools of all configured servers. */
export interface McpTools {
  /**
   * From the lists that are known, after a second at most: servers start behind the turn, and a
   * later one has their tools. `tell` is called once for each that is waited for in vain, and once for
   * each that fails until it answers. Never throws.
   */
  tools(signal: AbortSignal, tell: (news: McpNews) => void): Promise<readonly Tool[]>;
  /** Ends all that was started. */
  close(): Promise<void>;
}

/** Servers as a source of tools; nothing is started yet. */
export function createMcpTools(
  settings: readonly ServerSettings[],
  deps: {
    readonly lists: ToolLists;
    readonly log: Log;
    readonly clock: Clock;
    readonly patienceMs?: number;
  },
): McpTools {
  const { lists, log, clock, patienceMs = PATIENCE_MS } = deps;
  const servers = settings.map((each) => createServer(each, clock));
  const end = new AbortController();
  const triedAt = new Map<Server, number>();
  const refreshes = new Map<Server, Promise<void>>();
  const announced = new Set<Server>();
  const failures = new Map<Server, { readonly reason: string; readonly isReported: boolean }>();

  /** What has to be read before the tools of a server are known; undefined when they are. */
  function refreshOf(server: Server): Promise<void> | undefined {
    const stored = lists.load(server.settings);
    const isStale = server.isListStale();
    const tried = triedAt.get(server);
    const isDue = tried === undefined || clock.now() - tried >= RETRY_AFTER_MS;
    if (isStale || (!stored?.isFresh && isDue)) refresh(server);
    return isStale || !stored ? refreshes.get(server) : undefined;
  }

  /** One at a time, for all turns that wait for it; it goes on when they do not. */
  function refresh(server: Server): void {
    if (refreshes.has(server)) return;
    triedAt.set(server, clock.now());
    const read = async () => {
      try {
        lists.save(server.settings, await server.list(end.signal));
        failures.delete(server);
      } catch (error) {
        if (end.signal.aborted) return;
        const reason = errorMessage(error);
        failures.set(server, { reason, isReported: failures.get(server)?.isReported === true });
        log("MCP_SERVER_FAILED", { server: server.settings.name, error: reason });
      } finally {
        refreshes.delete(server);
      }
    };
    refreshes.set(server, read());
  }

  function isLate(server: Server): boolean {
    return refreshes.has(server) && !announced.has(server) && !lists.load(server.settings);
  }

  function toolsOf(server: Server): readonly Tool[] {
    const { allowedTools } = server.settings;
    const listed = lists.load(server.settings)?.tools ?? [];
    return listed
      .filter(({ name }) => allowedTools.length === 0 || allowedTools.includes(name))
      .map((tool) => toTool(server, tool));
  }

  return {
    async tools(signal, tell) {
      const waits = servers.map(refreshOf).filter((wait) => wait !== undefined);
      if (waits.length > 0) {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
        await Promise.race([Promise.all(waits), untilAborted(limit)]);
      }
      for (const server of servers.filter(isLate)) {
        announced.add(server);
        tell({ kind: "starting", server: server.settings.name });
      }
      for (const [server, { reason, isReported }] of failures) {
        if (isReported || lists.load(server.settings)) continue;
        failures.set(server, { reason, isReported: true });
        tell({ kind: "failed", server: server.settings.name, reason });
      }
      return servers.flatMap(toolsOf);
    },
    async close() {
      end.abort();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
