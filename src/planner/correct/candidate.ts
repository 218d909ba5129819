import { type Guarded, isListOf, isObject, isText, parseJsonAs } from "../../core/guards.ts";
import type { StoredPlan } from "../../store/plans/plans.ts";
import type { StoredCorrections, VerificationStore } from "../../store/verifications.ts";
import { isNote } from "../../texts/notes/notes.ts";
import { Refusal } from "../../texts/texts.ts";
import {
  type Change,
  type ChangeSet,
  type FileState,
  type FixNote,
  type Generation,
  isFixNote,
  isGeneration,
} from "../../transaction/change.ts";
import { buildChangeSet, keepsMode } from "../../transaction/change-set.ts";
import { remainderOf, remainingChanges } from "../../transaction/compute/compute.ts";
import { isOnModes } from "../../transaction/mode-notes.ts";
import { changesNow, findStale } from "../../transaction/run/run.ts";
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
  /** What of it commands added to the whole of a series of which parts are made since. */
  readonly carried?: Carried;
  /** Why no more corrections are asked for. */
  readonly end?: FixNote;
}

/** Files of a change set that its commands wrote, not its author: lock files, and what was kept. */
interface Carried {
  readonly paths: readonly string[];
  /** What became of its lock files. */
  readonly generation?: Generation;
}

/** One correction that was proposed. */
export interface Round {
  /** Of the change set with it. */
  readonly changeSetId: string;
  /** Why it is not taken. */
  readonly refused?: FixNote;
}

/**
 * What is stored of the corrections of exactly this change set, and of what commands added to a series
 * of which this is the rest. Where the folder or its limits do not fit the corrections any more they
 * are forgotten, and the change set is as its author made it.
 *
 * @throws AppError ERR_CHANGE_SET_STALE where of a series nothing is left to do
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
  const restored = stored && restoreOne(workspace, stored, base?.made ?? []);
  const { changeSet, carried } = restored ?? asAuthorMade(stored, prepared);
  if (prepared.series?.parts.length === 0 && !changeSet?.changes.length)
    refuseAllMade(prepared.series);
  if (!base) return fresh;
  const isLarge =
    changeSet !== undefined &&
    isTooLarge({ prepared, carried }, changeSet, await mostActionsIn(workspace));
  if (stored && changeSet && !isLarge) {
    const { rounds, end } = stored;
    return { ...asMade, changeSet, rounds, ...(carried && { carried }), ...(end && { end }) };
  }
  store.dropCorrections(plan.planId);
  return fresh;
}

/**
 * Whether a change set with its corrections has more changes than may be, and than its author's. Of
 * a series the corrections are a part like the others. What commands wrote does not count.
 */
export function isTooLarge(
  { prepared, carried }: Pick<Candidate, "prepared"> & { readonly carried?: Carried | undefined },
  corrected: ChangeSet,
  maxActions: number,
): boolean {
  const { changeSet: made, series } = prepared;
  const others = new Set(carried?.paths);
  const isCounted = ({ kind, path }: Change) => kind !== "mkdir" && !others.has(path);
  const count = ({ changes }: ChangeSet) => changes.filter(isCounted).length;
  if (series) return count(remainderOf(made, corrected)) > maxActions;
  return count(corrected) > Math.max(maxActions, count(made));
}

/**
 * The paths that only corrections touch, and not the change set of the goal. What led to a correction
 * others may have written, so that nobody has asked for these; a folder that holds one of them is left out.
 */
export function beyondGoal({ prepared, changeSet, carried }: Candidate): readonly string[] {
  const ofGoal = prepared.changeSet.changes.map(({ path }) => path);
  const own = new Set([...ofGoal, ...(carried?.paths ?? [])]);
  const paths = changeSet.changes.map(({ path }) => path).filter((path) => !own.has(path));
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))).toSorted();
}

/** Keeps the corrections, all or none; where another process has come as far before, gives those. */
export async function keepCandidate(
  store: VerificationStore,
  candidate: Candidate,
): Promise<Candidate> {
  if (store.saveCorrections(toRow(candidate, toStored(candidate)))) return candidate;
  // Without a plan any more nothing is kept: then this one counts, or there would be no last round.
  const theirs = await loadCandidate(store, candidate);
  return stepOf(theirs) >= stepOf(candidate) ? theirs : candidate;
}

/**
 * Keeps, before the first part of a series is made, what commands added to all of them: the rest of a series
 * that stops has it as well, for its own commands may have no more reason to write it.
 */
export function keepAdded(
  store: VerificationStore,
  candidate: Candidate,
  verified: Added | undefined,
): void {
  const { plan, carried } = candidate;
  const row = toRow(candidate, toStored(candidate));
  const found = store.loadCorrections(plan.planId);
  const before = found?.baseId === row.baseId && parseJsonAs(found.correctionsJson, isStored);
  if (!verified?.added && !(before && before.added)) return;
  const paths = [
    ...(carried?.paths ?? []),
    ...(verified?.added?.changes ?? []).map(({ path }) => path),
  ];
  const made = verified?.generation?.kind === "made" ? verified.generation : undefined;
  const all = { paths: [...new Set(paths)], ...(made && { generation: made }) };
  const added = verified?.added && toCorrected(verified.changeSet, all);
  store.dropCorrections(plan.planId); // as far as it was corrected it may be kept with other files
  store.saveCorrections(toRow(candidate, { ...toStored(candidate), ...(added && { added }) }));
}

/** What commands added to a candidate. */
interface Added {
  /** With it. */
  readonly changeSet: ChangeSet;
  readonly added?: ChangeSet;
  readonly generation?: Generation;
}

function toStored({ prepared, changeSet, rounds, carried, end }: Candidate): Stored {
  const isCorrected = changeSet.id !== prepared.changeSet.id;
  return {
    rounds,
    ...(isCorrected && { corrected: toCorrected(changeSet, carried) }),
    ...(end && { end }),
  };
}

function toRow(candidate: Candidate, stored: Stored): StoredCorrections {
  const { plan, prepared } = candidate;
  return {
    planId: plan.planId,
    baseId: baseIdsOf(prepared)[0]?.id ?? prepared.changeSet.id,
    step: stepOf(candidate),
    correctionsJson: JSON.stringify(stored),
  };
}

function stepOf({ rounds, end }: Pick<Candidate, "rounds" | "end">): number {
  return 2 * rounds.length + (end ? 1 : 0);
}

/** What each file was before is in the folder, and has to be that still. */
function toCorrected(changeSet: ChangeSet, carried: Carried | undefined): Corrected {
  const { changes } = changeSet;
  const after = new Set(changes.flatMap((each) => ("after" in each ? [each.after.sha256] : [])));
  const contents = [...changeSet.contents].filter(([hash]) => after.has(hash));
  return {
    id: changeSet.id,
    notes: changeSet.notes.filter((note) => !isOnModes(note)), // those are made anew
    set: toStoredSet({ ...changeSet, contents: new Map(contents) }),
    ...(carried && { carried }),
  };
}

function refuseAllMade({ made }: NonNullable<PreparedChanges["series"]>): never {
  throw new Refusal("ERR_CHANGE_SET_STALE", ({ partsMade }) => partsMade(made.length));
}

type Restored = Partial<Pick<Candidate, "changeSet" | "carried">>;

/** Of a series of which parts are made since what commands added comes with it, where it still fits. */
function restoreOne(
  workspace: Workspace,
  { added, corrected }: Stored,
  made: readonly MadePart[],
): Restored | undefined {
  for (const each of [made.length > 0 ? added : undefined, corrected]) {
    const changeSet = each && restore(workspace, each, made);
    if (changeSet) return { changeSet, ...(each.carried && { carried: each.carried }) };
  }
  return undefined;
}

/** Nothing where there are corrections, which do not fit any more. */
function asAuthorMade(stored: Stored | undefined, { changeSet }: PreparedChanges): Restored {
  return stored?.corrected ? {} : { changeSet };
}

/**
 * Of a series of which some parts were `made` since, what is left of it. Undefined where a path is not
 * any more what the change set is about.
 */
function restore(
  workspace: Workspace,
  { id, notes, set }: Corrected,
  made: readonly MadePart[],
): ChangeSet | undefined {
  const stored = readStoredSet(set);
  if (stored?.id !== id) return undefined;
  const left = made.length > 0 ? leftOf(stored, made) : stored.changes;
  const changes = left && changesNow(workspace.root, left);
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
  const changes = whole.changes.map((change) => inModeOf(change, done.get(change.path)));
  return remainingChanges([...done.values()], changes);
}

/** A mode that a part was made in is nothing that is left to be changed. */
function inModeOf(change: Change, made: Change | undefined): Change {
  if (change.kind !== "update" || made?.kind !== "update") return change;
  if (!keepsMode(change) || !keepsMode(made)) return change;
  const { mode } = made.after;
  return { ...change, before: { ...change.before, mode }, after: { ...change.after, mode } };
}

const isCarried = isObject({ paths: isListOf(isText) }, { generation: isGeneration });
const isCorrected = isObject(
  { id: isText, notes: isListOf(isNote), set: isStoredSet },
  { carried: isCarried },
);

const isStored = isObject(
  { rounds: isListOf(isObject({ changeSetId: isText }, { refused: isFixNote })) },
  { corrected: isCorrected, added: isCorrected, end: isFixNote },
);

type Corrected = Guarded<typeof isCorrected>;
type Stored = Guarded<typeof isStored>;
