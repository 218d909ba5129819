import { contentIdOf } from "../../transaction/change-set.ts";
import { buildUndoStacks, readHistory } from "../../transaction/journal/journal.ts";
import { findStale } from "../../transaction/run/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { MadePart } from "./prepared.ts";

/**
 * Change sets that the folder holds, by their contents: as its journals say, and unless every file of one is as it was
 * before, because somebody brought all of them back without papa-yu.
 */
export function committedIn(workspace: Workspace): ReadonlyMap<string, MadePart> {
  const { undo } = buildUndoStacks(readHistory(workspace));
  const isThere = (entry: MadePart) => findStale(workspace, entry).length > 0;
  return new Map(undo.filter(isThere).map((entry) => [contentIdOf(entry.changes), entry]));
}
