import { sha256 } from "../../core/sha256.ts";

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
