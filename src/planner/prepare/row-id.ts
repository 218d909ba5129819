import { sha256 } from "../../core/sha256.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { remainderOf } from "../../transaction/compute/compute.ts";
import type { MadePart, PreparedChanges } from "./prepared.ts";

/**
 * What an approval is given to: of a row the change sets in their order, at the end what corrections
 * and commands added to all of them; else the one change set.
 */
export function changeSetsOf(
  { row, changeSet: prepared }: PreparedChanges,
  final: ChangeSet,
): readonly ChangeSet[] {
  if (!row) return [final];
  const parts = row.parts.map(({ changeSet }) => changeSet);
  return final.id === prepared.id ? parts : [...parts, remainderOf(prepared, final)];
}

/** The id of that: the change set's own, or a hash of the ids of a row in their order. */
export function approvalIdOf(prepared: PreparedChanges, final: ChangeSet): string {
  if (!prepared.row) return final.id;
  return rowId(changeSetsOf(prepared, final).map(({ id }) => id));
}

/** The same without the modes that are left as they are: an approval is for whichever there are. */
export function approvedContentOf(prepared: PreparedChanges, final: ChangeSet): string {
  const ids = changeSetsOf(prepared, final).map(({ changes }) => contentIdOf(changes));
  return prepared.row ? rowId(ids) : contentIdOf(final.changes);
}

/**
 * What corrections of it were made for, by its contents: the change set, or of a row its parts, all of
 * them or those that were left when some were in the folder. `made` are those that are there since.
 */
export function baseIdsOf({ row, changeSet }: PreparedChanges): readonly Base[] {
  if (!row) return [{ id: contentIdOf(changeSet.changes), made: [] }];
  const left = row.parts.map((part) => contentIdOf(part.changeSet.changes));
  return Array.from({ length: row.made.length + 1 }, (_, count) => {
    const made = row.made.slice(row.made.length - count);
    return { id: rowId([...made.map(({ changes }) => contentIdOf(changes)), ...left]), made };
  });
}

interface Base {
  readonly id: string;
  readonly made: readonly MadePart[];
}

function rowId(ids: readonly string[]): string {
  return sha256(JSON.stringify(ids));
}
