import { errorMessage } from "../../core/app-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { InjectionCheck } from "../../security/injection.ts";
import type { ForeignTool } from "../tool.ts";
import { createServer, type Server, type ServerSettings } from "./server.ts";
import { toTool } from "./to-tool.ts";
import type { ToolLists } from "./tool-lists.ts";

export type { Launch } from "./launch.ts";
export { createToolLists } from "./tool-lists.ts";

/** How long a server that did not start is left alone. */
const RETRY_AFTER_MS = 60_000;
/** How long a turn waits for servers whose tools nobody knows yet. */
const PATIENCE_MS = 1000;
/** How long a command waits that has no later turn. */
export const ONLY_TURN_MS = 30_000;

/** Why the tools of a server are not there. */
export type McpNews =
  | { readonly kind: "starting"; readonly server: string }
  /** It starts, and this turn waits for it. */
  | { readonly kind: "awaited"; readonly server: string }
  | { readonly kind: "failed"; readonly server: string; readonly reason: string };

/** The tools of all configured servers. */
export interface McpTools {
  /**
   * From the lists that are known, after a second at most: servers start behind the turn, and a
   * later one has their tools. `tell` is called once for each that is waited for in vain, and once for
   * each that fails until it answers. Where there is no later turn it is waited for longer, which
   * is told, and one that is late has failed. What seems to give orders in a list is there without
   * its words, as `check` says, and logged once for each list. Never throws.
   */
  tools(
    signal: AbortSignal,
    tell: (news: McpNews) => void,
    check: InjectionCheck,
  ): Promise<readonly ForeignTool[]>;
  /** Ends all that was started. */
  close(): Promise<void>;
}

/** The tools of one list, looked at once. */
interface Screened {
  readonly at: number;
  readonly check: InjectionCheck;
  readonly tools: readonly ForeignTool[];
}

/** Servers as a source of tools; nothing is started yet. */
export function createMcpTools(
  settings: readonly ServerSettings[],
  deps: {
    readonly lists: ToolLists;
    readonly log: Log;
    readonly clock: Clock;
    readonly patienceMs?: number;
    /** For who has no later turn; absent: there is one. */
    readonly onlyTurnMs?: number;
  },
): McpTools {
  const { lists, log, clock, patienceMs = PATIENCE_MS, onlyTurnMs } = deps;
  const servers = settings.map((each) => createServer(each, clock));
  const end = new AbortController();
  const triedAt = new Map<Server, number>();
  const refreshes = new Map<Server, Promise<void>>();
  const announced = new Set<Server>();
  const screened = new Map<Server, Screened>();
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
        const { tools, leftOut } = await server.list(end.signal);
        lists.save(server.settings, tools);
        screened.delete(server); // also where the clock stood still
        if (leftOut > 0) {
          const { name } = server.settings;
          log("MCP_TOOLS_LEFT_OUT", { server: name, leftOut, why: "form" });
        }
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

  async function toolsOf(server: Server, check: InjectionCheck): Promise<readonly ForeignTool[]> {
    const { name: serverName, allowedTools, toolsSha256 } = server.settings;
    const stored = lists.load(server.settings);
    if (!stored) return [];
    const { at } = stored;
    const known = screened.get(server);
    if (known?.at === at && known.check === check) return known.tools;
    const { hashList, screenList } = await import("./screen-list.ts"); // most people have no server
    const sha256 = hashList(stored.tools);
    if (toolsSha256 !== "" && toolsSha256 !== sha256) {
      log("MCP_TOOLS_NOT_PINNED", { server: serverName, sha256 });
    }
    const allowed = stored.tools.filter(
      ({ name }) => allowedTools.length === 0 || allowedTools.includes(name),
    );
    const { tools: shown, named, leftOut } = screenList(serverName, allowed, { check, log });
    if (leftOut > 0) log("MCP_TOOLS_LEFT_OUT", { server: serverName, leftOut, why: "orders" });
    const tools = shown.map((tool) => toTool(server, tool, { sha256, named }));
    screened.set(server, { at, check, tools });
    return tools;
  }

  return {
    async tools(signal, tell, check) {
      const waits = servers.map(refreshOf).filter((wait) => wait !== undefined);
      if (waits.length > 0) {
        const all = Promise.all(waits);
        await within(patienceMs, signal, all);
        if (onlyTurnMs !== undefined) {
          for (const server of servers.filter(isLate)) {
            tell({ kind: "awaited", server: server.settings.name });
          }
          await within(onlyTurnMs, signal, all);
        }
      }
      for (const server of servers.filter(isLate)) {
        announced.add(server);
        tell(toLateNews(server.settings, onlyTurnMs));
      }
      for (const [server, { reason, isReported }] of failures) {
        if (isReported || lists.load(server.settings)) continue;
        failures.set(server, { reason, isReported: true });
        tell({ kind: "failed", server: server.settings.name, reason });
      }
      const found = await Promise.all(servers.map((server) => toolsOf(server, check)));
      return found.flat();
    },
    async close() {
      end.abort();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** What a turn is told of a server that it does not wait for any longer. */
function toLateNews({ name: server }: ServerSettings, onlyTurnMs: number | undefined): McpNews {
  if (onlyTurnMs === undefined) return { kind: "starting", server };
  const reason = `it did not start within ${Math.ceil(onlyTurnMs / 1000)} s`;
  return { kind: "failed", server, reason };
}

async function within(ms: number, signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  await Promise.race([work, untilAborted(limit)]);
}
