import { AppError } from "../../core/app-error.ts";
import { type Guarded, isListOf, isObject, isText, parseJsonAs } from "../../core/guards.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { VerificationStore } from "../../store/verifications.ts";
import {
  type Change,
  type ChangeSet,
  type FileState,
  type FixNote,
  isFixNote,
} from "../../transaction/change.ts";
import { buildChangeSet } from "../../transaction/change-set.ts";
import { remainderOf, remainingChanges } from "../../transaction/compute/compute.ts";
import { findStale } from "../../transaction/run/run.ts";
import { notesOnSpecial } from "../../transaction/special-bits.ts";
import { openTree } from "../../transaction/tree.ts";
import { mostActionsIn } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { baseIdsOf, type MadePart, type PreparedChanges } from "../prepare/prepare.ts";
import { isStoredSet, readStoredSet, toStoredSet } from "../verify/verify.ts";

/** A plan whose change set is known, in its folder. */
export interface Ready {
  readonly plan: StoredPlan;
  readonly workspace: Workspace;
  /** As the author's actions gave it. */
  readonly prepared: PreparedChanges;
}

/** The same with the corrections that its checks have led to. */
export interface Candidate extends Ready {
  /** With every correction that was taken: the one to check, to show and to make. */
  readonly changeSet: ChangeSet;
  readonly rounds: readonly Round[];
  /** Why no more corrections are asked for. */
  readonly end?: FixNote;
}

/** One correction that was proposed. */
export interface Round {
  /** Of the change set with it. */
  readonly changeSetId: string;
  /** Why it is not taken. */
  readonly refused?: FixNote;
}

/**
 * What is stored of the corrections of exactly this change set. Where the folder or its limits do
 * not fit them any more they are forgotten, and the change set is as its author made it.
 *
 * @throws AppError ERR_CHANGE_SET_STALE where of a row nothing is left to do
 */
export async function loadCandidate(
  store: VerificationStore,
  { plan, workspace, prepared }: Ready,
): Promise<Candidate> {
  const asMade = { plan, workspace, prepared };
  const fresh: Candidate = { ...asMade, changeSet: prepared.changeSet, rounds: [] };
  const found = store.loadCorrections(plan.planId);
  const base = found && baseIdsOf(prepared).find(({ id }) => id === found.baseId);
  const stored = base && parseJsonAs(found.correctionsJson, isStored);
  const { corrected } = stored ?? {};
  const changeSet = corrected
    ? restore(workspace, corrected, base?.made ?? [])
    : prepared.changeSet;
  if (prepared.row?.parts.length === 0 && !changeSet?.changes.length) refuseAllMade(prepared.row);
  if (!base) return fresh;
  const isLarge =
    changeSet !== undefined && isTooLarge(prepared, changeSet, await mostActionsIn(workspace));
  if (stored && changeSet && !isLarge) {
    const { rounds, end } = stored;
    return { ...asMade, changeSet, rounds, ...(end && { end }) };
  }
  store.dropCorrections(plan.planId);
  return fresh;
}

/**
 * Whether a change set with its corrections has more changes than may be, and than its author's. Of
 * a row the corrections are a part like the others.
 */
export function isTooLarge(
  { changeSet: made, row }: PreparedChanges,
  corrected: ChangeSet,
  maxActions: number,
): boolean {
  const count = ({ changes }: ChangeSet) => changes.filter(({ kind }) => kind !== "mkdir").length;
  if (row) return count(remainderOf(made, corrected)) > maxActions;
  return count(corrected) > Math.max(maxActions, count(made));
}

/**
 * The paths that only corrections touch, and not the change set of the goal. What led to a correction
 * others may have written, so that nobody has asked for these; a folder that holds one of them is left out.
 */
export function beyondGoal({ prepared, changeSet }: Candidate): readonly string[] {
  const own = new Set(prepared.changeSet.changes.map(({ path }) => path));
  const paths = changeSet.changes.map(({ path }) => path).filter((path) => !own.has(path));
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))).toSorted();
}

/** Keeps the corrections, all or none; where another process has come as far before, gives those. */
export async function keepCandidate(
  store: VerificationStore,
  candidate: Candidate,
): Promise<Candidate> {
  const { plan, prepared, changeSet, rounds, end } = candidate;
  const isCorrected = changeSet.id !== prepared.changeSet.id;
  const stored: Stored = {
    rounds,
    ...(isCorrected && { corrected: toCorrected(changeSet) }),
    ...(end && { end }),
  };
  const isKept = store.saveCorrections({
    planId: plan.planId,
    baseId: baseIdsOf(prepared)[0]?.id ?? prepared.changeSet.id,
    step: stepOf(candidate),
    correctionsJson: JSON.stringify(stored),
  });
  if (isKept) return candidate;
  // Without a plan any more nothing is kept: then this one counts, or there would be no last round.
  const theirs = await loadCandidate(store, candidate);
  return stepOf(theirs) >= stepOf(candidate) ? theirs : candidate;
}

function stepOf({ rounds, end }: Pick<Candidate, "rounds" | "end">): number {
  return 2 * rounds.length + (end ? 1 : 0);
}

/** What each file was before is in the folder, and has to be that still. */
function toCorrected(changeSet: ChangeSet): Corrected {
  const { changes } = changeSet;
  const after = new Set(changes.flatMap((each) => ("after" in each ? [each.after.sha256] : [])));
  const contents = [...changeSet.contents].filter(([hash]) => after.has(hash));
  const own = new Set(notesOnSpecial(changeSet.changes)); // made anew
  return {
    id: changeSet.id,
    notes: changeSet.notes.filter((note) => !own.has(note)),
    set: toStoredSet({ ...changeSet, contents: new Map(contents) }),
  };
}

function refuseAllMade({ made }: NonNullable<PreparedChanges["row"]>): never {
  const message = `Cannot apply: all ${made.length} parts of the plan are in the folder already`;
  throw new AppError("ERR_CHANGE_SET_STALE", message);
}

/**
 * Of a row of which some parts were `made` since, what is left of it. Undefined where a path is not
 * any more what the change set is about.
 */
function restore(
  workspace: Workspace,
  { id, notes, set }: Corrected,
  made: readonly MadePart[],
): ChangeSet | undefined {
  const stored = readStoredSet(set);
  if (stored?.id !== id) return undefined;
  const changes = made.length > 0 ? leftOf(stored, made) : stored.changes;
  if (!changes || findStale(workspace, { changes }).length > 0) return undefined;
  const contents = new Map(stored.contents);
  using tree = openTree(workspace.root);
  for (const change of changes) {
    const found = "before" in change ? tree.look(change.path) : undefined;
    if (found?.kind === "file") contents.set(found.state.sha256, found.bytes);
  }
  const has = (state: FileState) => contents.has(state.sha256);
  const isWhole = changes.every(
    (change) =>
      (!("before" in change) || has(change.before)) && (!("after" in change) || has(change.after)),
  );
  return isWhole ? buildChangeSet(changes, contents, notes) : undefined;
}

/** Undefined where it takes back what a part did: what was there before is not kept with it. */
function leftOf(whole: ChangeSet, made: readonly MadePart[]): readonly Change[] | undefined {
  const wanted = new Set(whole.changes.map(({ path }) => path));
  const done = new Map(made.flatMap(({ changes }) => changes.map((each) => [each.path, each])));
  if ([...done.keys()].some((path) => !wanted.has(path))) return undefined;
  return remainingChanges([...done.values()], whole.changes);
}

const isCorrected = isObject({ id: isText, notes: isListOf(isText), set: isStoredSet });

const isStored = isObject(
  { rounds: isListOf(isObject({ changeSetId: isText }, { refused: isFixNote })) },
  { corrected: isCorrected, end: isFixNote },
);

type Corrected = Guarded<typeof isCorrected>;
type Stored = Guarded<typeof isStored>;
