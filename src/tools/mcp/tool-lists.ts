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
  readonly isFresh: boolean;
}

/** Lists kept as texts by key. */
export function createToolLists(
  texts: { get(key: string): string | undefined; set(key: string, value: string): void },
  now: () => number,
): ToolLists {
  const keyOf = ({ name }: ServerSettings) => `mcp.tools.${name}`;
  return {
    load(settings) {
      const text = texts.get(keyOf(settings));
      if (text === undefined) return undefined;
      const entry: Entry = JSON.parse(text); // written by `save` below
      if (entry.fingerprint !== settings.fingerprint) return undefined;
      return { tools: entry.tools, isFresh: Math.abs(now() - entry.at) < FRESH_MS };
    },
    save(settings, tools) {
      const { fingerprint } = settings;
      const entry: Entry = { fingerprint, at: now(), tools };
      texts.set(keyOf(settings), JSON.stringify(entry));
    },
  };
}

interface Entry {
  readonly fingerprint: string;
  readonly at: number;
  readonly tools: readonly ListedTool[];
}
