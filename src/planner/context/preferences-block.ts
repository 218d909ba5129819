import { readProjectMemory } from "../../workspace/project-memory.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Block, renderNote, toOneLine } from "./block.ts";

/** Most characters of one preference. */
const MOST_CHARS = 500;

/** What project and person prefer, as one block; none when nothing is set. */
export function preferencesBlocks(workspace: Workspace): readonly Block[] {
  const read = readProjectMemory(workspace);
  if (!read.ok) return [renderNote(`PREFERENCES: ${read.message}`)];
  const rows = Object.entries(read.memory).map(([key, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : String(value);
    return `${key}: ${toOneLine(text.slice(0, MOST_CHARS))}`;
  });
  if (rows.length === 0) return [];
  return [{ kind: "preferences", priority: 0, header: "PREFERENCES:", body: rows.join("\n") }];
}
