import { contentIdOf } from "../../transaction/change-set.ts";
import { listUndoable } from "../../transaction/journal/journal.ts";
import { findStale } from "../../transaction/run/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { MadePart } from "./prepared.ts";

/**
 * Change sets that the folder holds, by their contents: as its journals say, and unless every file of one is as it was
 * before, because somebody brought all of them back without papa-yu.
 */
export function committedIn(workspace: Workspace): ReadonlyMap<string, MadePart> {
  const isThere = (entry: MadePart) => findStale(workspace, entry).length > 0;
  // Of two with the same contents the newest counts.
  const made = listUndoable(workspace).toReversed().filter(isThere);
  return new Map(made.map((entry) => [contentIdOf(entry.changes), entry]));
}
