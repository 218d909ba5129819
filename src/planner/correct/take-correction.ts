import { isRulesFile } from "../../security/rules-files.ts";
import type { ChangeSet, FixNote } from "../../transaction/change.ts";
import { composeAsOne } from "../../transaction/compute/compute.ts";
import { GENERATED_DIRS } from "../../workspace/files.ts";
import { type IsNamed, touchedChecks } from "../verify/verify.ts";
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
  { isNamed, maxActions }: { readonly isNamed: IsNamed; readonly maxActions: number },
): Candidate {
  if (correction.changes.length === 0) return { ...candidate, end: { why: "none" } };
  const composed = composeAsOne(candidate.changeSet, correction);
  const { changeSet: corrected } = composed.ok ? composed : { changeSet: correction };
  if (triedBefore(candidate).includes(corrected.id)) return { ...candidate, end: { why: "same" } };
  const refused =
    refuseGuarded(candidate, correction, isNamed) ??
    (composed.ok ? refuseWhole(candidate, corrected, maxActions) : toUnfit(composed.paths));
  const round = { changeSetId: corrected.id, ...(refused && { refused }) };
  const rounds = [...candidate.rounds, round];
  return refused ? { ...candidate, rounds } : { ...candidate, rounds, changeSet: corrected };
}

function triedBefore({ prepared, rounds }: Candidate): readonly string[] {
  return [prepared.changeSet.id, ...rounds.map(({ changeSetId }) => changeSetId)];
}

function refuseGuarded(
  { prepared }: Candidate,
  correction: ChangeSet,
  isNamed: IsNamed,
): FixNote | undefined {
  const own = new Set(guardedPaths(prepared.changeSet, isNamed));
  const ofGoal = new Set(prepared.changeSet.changes.map(({ path }) => path));
  const manifests = correction.changes.map(({ path }) => path).filter((path) => isManifest(path));
  const judges = guardedPaths(correction, isNamed).filter((path) => !own.has(path));
  const foreign = manifests.filter((path) => !ofGoal.has(path));
  const paths = [...new Set([...judges, ...foreign])].toSorted();
  return paths.length > 0 ? { why: "judges", paths } : undefined;
}

function guardedPaths(changeSet: ChangeSet, isNamed: IsNamed): readonly string[] {
  const paths = changeSet.changes.map(({ path }) => path);
  const others = paths.filter((path) => isRulesFile(path) || isGenerated(path));
  return [...new Set([...touchedChecks(changeSet, isNamed), ...others])].toSorted();
}

/** What says which packages are there: any part of it may decide how a check ends. */
function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|package\.json5|package\.yaml|Gemfile|[^/]+\.gemspec|gems\.rb|Pipfile|(?:requirements|constraints)[^/]*\.(?:txt|in)|environment\.ya?ml|deps\.edn|project\.clj|shard\.yml|pubspec\.yaml|[^/]+\.cabal|stack\.yaml|vcpkg\.json|conanfile\.(?:txt|py))$/u.test(
    path,
  );
}

function isGenerated(path: string): boolean {
  return path.split("/").some((name) => GENERATED_DIRS.has(name));
}

function refuseWhole(
  candidate: Candidate,
  corrected: ChangeSet,
  maxActions: number,
): FixNote | undefined {
  if (corrected.changes.length === 0) return { why: "nothing" };
  return isTooLarge(candidate, corrected, maxActions) ? toUnfit([]) : undefined;
}

function toUnfit(paths: readonly string[]): FixNote {
  return { why: "unfit", paths };
}
