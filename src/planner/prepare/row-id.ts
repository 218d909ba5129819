import { sha256 } from "../../core/sha256.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { remainderOf } from "../../transaction/compute/compute.ts";
import type { PreparedChanges } from "./prepared.ts";

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
  return sha256(JSON.stringify(changeSetsOf(prepared, final).map(({ id }) => id)));
}
