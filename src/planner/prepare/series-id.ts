import { sha256 } from "../../core/sha256.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { remainderOf } from "../../transaction/compute/compute.ts";
import type { MadePart, PreparedChanges } from "./prepared.ts";

/**
 * What an approval is given to: of a series the change sets in their order, at the end what corrections
 * and commands added to all of them; else the one change set.
 */
export function changeSetsOf(
  { series, changeSet: prepared }: PreparedChanges,
  final: ChangeSet,
): readonly ChangeSet[] {
  if (!series) return [final];
  const parts = series.parts.map(({ changeSet }) => changeSet);
  return final.id === prepared.id ? parts : [...parts, remainderOf(prepared, final)];
}

/** The id of that: the change set's own, or a hash of the ids of a series in their order. */
export function approvalIdOf(prepared: PreparedChanges, final: ChangeSet): string {
  if (!prepared.series) return final.id;
  return seriesId(changeSetsOf(prepared, final).map(({ id }) => id));
}

/** The same without the modes that are left as they are: an approval is for whichever there are. */
export function approvedContentOf(prepared: PreparedChanges, final: ChangeSet): string {
  const ids = changeSetsOf(prepared, final).map(({ changes }) => contentIdOf(changes));
  return prepared.series ? seriesId(ids) : contentIdOf(final.changes);
}

/**
 * What corrections of it were made for, by its contents: the change set, or of a series its parts, all of
 * them or those that were left when some were in the folder. `made` are those that are there since.
 */
export function baseIdsOf({ series, changeSet }: PreparedChanges): readonly Base[] {
  if (!series) return [{ id: contentIdOf(changeSet.changes), made: [] }];
  const left = series.parts.map((part) => contentIdOf(part.changeSet.changes));
  return Array.from({ length: series.made.length + 1 }, (_, count) => {
    const made = series.made.slice(series.made.length - count);
    return { id: seriesId([...made.map(({ changes }) => contentIdOf(changes)), ...left]), made };
  });
}

interface Base {
  readonly id: string;
  readonly made: readonly MadePart[];
}

function seriesId(ids: readonly string[]): string {
  return sha256(JSON.stringify(ids));
}
