import { toOrderedJson } from "../../core/guards.ts";
import { sha256 } from "../../core/sha256.ts";
import type { ListedTool } from "./launch.ts";

/**
 * SHA-256 of all that a server says of its tools, as it may come before a model: names,
 * descriptions and schemas. The same in whatever order they stand.
 */
export function hashList(tools: readonly ListedTool[]): string {
  return sha256(toOrderedJson(toSortedTools(tools)));
}

/** Tools in the order of their names, which is the same every time. */
export function toSortedTools(tools: readonly ListedTool[]): readonly ListedTool[] {
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
