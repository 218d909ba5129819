import { sha256 } from "../../core/sha256.ts";
import type { ForeignTool } from "../tool.ts";
import type { ListedTool } from "./launch.ts";
import type { Server } from "./server.ts";

/** What is known of a list besides its tools. */
interface OfList {
  readonly sha256: string;
  /** The names that a model sees before it asks. */
  readonly named: ReadonlySet<string>;
}

/**
 * A server's tool as one of ours. What it says of itself is the owner's word where they have the
 * hash of its list in their configuration; what it answers never is. What it does to the world is the owner's word alone: a server's
 * own hints are as strange as all it says.
 */
export function toTool(
  server: Server,
  { name, description, parameters }: ListedTool,
  { sha256: listSha256, named }: OfList,
): ForeignTool {
  const { name: serverName, readOnlyTools, toolsSha256 } = server.settings;
  const isReadOnly = readOnlyTools.includes(name);
  return {
    schema: { name: toToolName(serverName, name), description, parameters },
    effect: () => (isReadOnly ? "network" : "change"),
    isRare: true,
    origin: "outside",
    wordedBy: listSha256 === toolsSha256 ? "owner" : "outside",
    server: { name: serverName, isNamed: named.has(name), listSha256 },
    leaves: "arguments",
    describe: (args) =>
      `Tool "${name}" of the MCP server "${serverName}" with ${JSON.stringify(args, null, 2)}`,
    run: (args, signal) => server.call(name, args, signal),
  };
}

/** What vendors allow in the name of a tool. */
const MAX_CHARS = 64;

/**
 * `mcp__SERVER__TOOL` in letters, digits, "_" and "-". A tool whose own name does not fit gets a
 * part of its hash, so that two never share one and the name is the same every time.
 */
export function toToolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/gu, "_")}`;
  if (plain === `mcp__${server}__${tool}` && plain.length <= MAX_CHARS) return plain;
  const hash = sha256(tool).slice(0, 8);
  return `${plain.slice(0, MAX_CHARS - hash.length - 1)}_${hash}`;
}
