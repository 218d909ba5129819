import { type Guard, isListOf, isMapOf, isObject, isOneOf, isText } from "../../core/guards.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import type { ListedTool } from "./launch.ts";
import type { ServerSettings } from "./server.ts";

/** How long a list is good for while its server is not running. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** What servers listed last, so that a conversation need not start them to know their tools. */
export interface ToolLists {
  load(settings: ServerSettings): StoredList | undefined;
  save(settings: ServerSettings, tools: readonly ListedTool[]): void;
}

/** One server's list. */
export interface StoredList {
  readonly tools: readonly ListedTool[];
  /** When it was read. */
  readonly at: number;
  readonly isFresh: boolean;
}

/** Lists kept by the name of their server. */
export function createToolLists(
  kept: {
    get(server: string): StoredEntry | undefined;
    set(server: string, entry: StoredEntry): void;
  },
  now: () => number,
): ToolLists {
  return {
    load({ name, fingerprint }) {
      const entry = kept.get(name);
      if (entry?.fingerprint !== fingerprint) return undefined;
      const tools = entry.tools.filter((tool) => isListedTool(tool));
      return { tools, at: entry.at, isFresh: Math.abs(now() - entry.at) < FRESH_MS };
    },
    save({ name, fingerprint }, tools) {
      kept.set(name, { fingerprint, at: now(), tools });
    },
  };
}

/** As `readListedTools()` makes them. */
const isListedTool: Guard<ListedTool> = isObject({
  name: isText,
  description: isText,
  parameters: isObject(
    { type: isOneOf("object"), properties: isMapOf(isObject({}, { description: isText })) },
    { required: isListOf(isText) },
  ),
});

type StoredEntry = ValueOf<"mcp.tools.">;
