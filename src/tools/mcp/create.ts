import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import type { Tool } from "../tool.ts";
import type { ListedTool } from "./launch.ts";
import { createServer, type Server, type ServerSettings } from "./server.ts";
import { toTool } from "./to-tool.ts";
import type { ToolLists } from "./tool-lists.ts";

/** How long a server that did not start is left alone. */
const RETRY_AFTER_MS = 60_000;

/** The tools of all configured servers. */
export interface McpTools {
  /** From the lists that are known; waits only for a server that was never asked. Never throws. */
  tools(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends all that was started. */
  close(): Promise<void>;
}

/** Servers as a source of tools; nothing is started yet. */
export function createMcpTools(
  settings: readonly ServerSettings[],
  deps: { readonly lists: ToolLists; readonly log: Log; readonly now: () => number },
): McpTools {
  const { lists, log, now } = deps;
  const servers = settings.map(createServer);
  const end = new AbortController();
  const triedAt = new Map<Server, number>();

  async function listOf(server: Server, signal: AbortSignal): Promise<readonly ListedTool[]> {
    const stored = lists.load(server.settings);
    const known = stored?.tools ?? [];
    if (server.isListStale()) return (await refresh(server, signal)) ?? known;
    if (stored?.isFresh) return known;
    const tried = triedAt.get(server);
    if (tried === undefined && !stored) return (await refresh(server, signal)) ?? [];
    // Nobody waits a second time for a server that may not start; a later turn has its tools.
    if (tried === undefined || now() - tried >= RETRY_AFTER_MS) void refresh(server, end.signal);
    return known;
  }

  async function refresh(
    server: Server,
    signal: AbortSignal,
  ): Promise<readonly ListedTool[] | undefined> {
    triedAt.set(server, now());
    try {
      const tools = await server.list(signal);
      lists.save(server.settings, tools);
      return tools;
    } catch (error) {
      if (!signal.aborted) {
        log("MCP_SERVER_FAILED", { server: server.settings.name, error: errorMessage(error) });
      }
      return undefined;
    }
  }

  async function toolsOf(server: Server, signal: AbortSignal): Promise<readonly Tool[]> {
    const { allowedTools } = server.settings;
    const listed = await listOf(server, signal);
    return listed
      .filter(({ name }) => allowedTools.length === 0 || allowedTools.includes(name))
      .map((tool) => toTool(server, tool));
  }

  return {
    async tools(signal) {
      const found = await Promise.all(servers.map((server) => toolsOf(server, signal)));
      return found.flat();
    },
    async close() {
      end.abort();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
