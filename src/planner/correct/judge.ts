import { isRulesFile } from "../../security/rules-files.ts";
import type { ChangeSet, FixNote } from "../../transaction/change.ts";
import { composeChangeSets } from "../../transaction/compute/compute.ts";
import { GENERATED_DIRS } from "../../workspace/files.ts";
import type { CheckCommand } from "../../workspace/workspace.ts";
import { touchedChecks } from "../verify/verify.ts";
import { type Candidate, isTooLarge } from "./candidate.ts";

/**
 * The candidate after a correction was proposed: with it, or with why it was not taken. A
 * correction is led by what a check printed, which others may have written: so it may not touch what
 * decides what is checked, what tools made or what gives orders to agents, unless the change set of
 * the goal did so itself.
 */
export function takeCorrection(
  candidate: Candidate,
  correction: ChangeSet,
  { commands, maxActions }: { readonly commands: readonly CheckCommand[]; maxActions: number },
): Candidate {
  if (correction.changes.length === 0) return { ...candidate, end: { why: "none" } };
  const composed = composeChangeSets(candidate.changeSet, correction);
  const { changeSet: corrected } = composed.ok ? composed : { changeSet: correction };
  if (triedBefore(candidate).includes(corrected.id)) return { ...candidate, end: { why: "same" } };
  const refused =
    refuseJudges(candidate, correction, commands) ??
    (composed.ok ? refuseWhole(candidate, corrected, maxActions) : toUnfit(composed.paths));
  const round = { changeSetId: corrected.id, ...(refused && { refused }) };
  const rounds = [...candidate.rounds, round];
  return refused ? { ...candidate, rounds } : { ...candidate, rounds, changeSet: corrected };
}

function triedBefore({ prepared, rounds }: Candidate): readonly string[] {
  return [prepared.changeSet.id, ...rounds.map(({ changeSetId }) => changeSetId)];
}

function refuseJudges(
  { prepared }: Candidate,
  correction: ChangeSet,
  commands: readonly CheckCommand[],
): FixNote | undefined {
  const own = new Set(guardedPaths(prepared.changeSet, commands));
  const paths = guardedPaths(correction, commands).filter((path) => !own.has(path));
  return paths.length > 0 ? { why: "judges", paths } : undefined;
}

function guardedPaths(changeSet: ChangeSet, commands: readonly CheckCommand[]): readonly string[] {
  const paths = changeSet.changes.map(({ path }) => path);
  const others = paths.filter((path) => isRulesFile(path) || isGenerated(path));
  return [...new Set([...touchedChecks(changeSet, commands), ...others])].toSorted();
}

function isGenerated(path: string): boolean {
  return path.split("/").some((name) => GENERATED_DIRS.has(name));
}

function refuseWhole(
  { prepared }: Candidate,
  { changes }: ChangeSet,
  maxActions: number,
): FixNote | undefined {
  if (changes.length === 0) return { why: "nothing" };
  return isTooLarge(prepared.changeSet, changes, maxActions) ? toUnfit([]) : undefined;
}

function toUnfit(paths: readonly string[]): FixNote {
  return { why: "unfit", paths };
}
