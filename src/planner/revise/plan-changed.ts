import { newId } from "../../core/ids.ts";
import type { GoalNote, StoredPlan } from "../../store/plans/plans.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import { contentIdOf } from "../../transaction/change-set.ts";
import { type LeftPart, leaveOut } from "../../transaction/compute/leave-out.ts";
import { writeLines } from "../../transaction/compute/write-lines.ts";
import { diffOf } from "../../transaction/preview.ts";
import { evaluateActions } from "../evaluate/evaluate.ts";
import { type ChangeDeps, openApplyContext } from "../prepare/prepare.ts";
import type {
  Bound,
  ChangedPlan,
  ChangingDeps,
  LeftChange,
  Rewritten,
  Unwanted,
} from "./revision.ts";
import { toActions } from "./to-actions.ts";

/** Stores the plan that stays when parts of its change set are left out, see `Revisions.leaveOut`. */
export async function planWithout(
  deps: ChangingDeps,
  bound: Bound,
  unwanted: Unwanted,
  signal: AbortSignal,
): Promise<ChangedPlan> {
  const { parts, toNote } = unwanted;
  const shown = await showOwn(deps, bound, unwanted, parts, signal);
  if (!shown.ok) return shown;
  const rest = leaveOut(shown.ownSet, parts);
  if (!rest.ok) return rest;
  if (rest.left.length === 0) return { ok: false, why: "nothing left out" };
  const note = toNote(describe(shown.ownSet, rest.left));
  return keep(deps.changes, bound, { shown: shown.ownSet, rest: rest.changeSet }, note);
}

/** Stores the plan whose change set has lines as a person wrote them, see `Revisions.rewrite`. */
export async function planRewritten(
  deps: ChangingDeps,
  bound: Bound,
  rewritten: Rewritten,
  signal: AbortSignal,
): Promise<ChangedPlan> {
  const { lines, note } = rewritten;
  const shown = await showOwn(deps, bound, rewritten, lines, signal);
  if (!shown.ok) return shown;
  const made = writeLines(shown.ownSet, lines);
  if (!made.ok) return made;
  if (made.changeSet.id === shown.ownSet.id) return { ok: false, why: "the same" };
  return keep(deps.changes, bound, { shown: shown.ownSet, rest: made.changeSet }, note);
}

/** What was shown without what commands added, unless one of these is by a command. */
async function showOwn(
  { showAgain }: ChangingDeps,
  bound: Bound,
  { changeSetId }: { readonly changeSetId: string },
  wanted: readonly { readonly path: string }[],
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly ownSet: ChangeSet } | NotDone> {
  const shown = await showAgain(bound, changeSetId, signal);
  if (!shown) return { ok: false, why: "outdated" };
  const { ownSet } = shown;
  const own = new Map(ownSet.changes.map((change) => [change.path, afterOf(change)]));
  const made = shown.changeSet.changes.filter((each) => own.get(each.path) !== afterOf(each));
  const byCommand = wanted.find(({ path }) => made.some((each) => each.path === path));
  return byCommand ? { ok: false, why: "by command", path: byCommand.path } : { ok: true, ownSet };
}

type NotDone = Extract<ChangedPlan, { readonly ok: false }>;

/** What of it was left out, the hunks with their lines. */
function describe(whole: ChangeSet, left: readonly LeftPart[]): readonly LeftChange[] {
  return left.flatMap(({ path, hunks }) => {
    const change = whole.changes.find((each) => each.path === path);
    if (!change) return [];
    const { kind } = change;
    const all = hunks ? (diffOf(whole, change) ?? []) : [];
    const lines = hunks?.flatMap((number) => all[number]?.lines ?? []);
    return [{ path, kind, ...(lines && { lines }) }];
  });
}

/** Stores it, once its actions come to exactly that. */
async function keep(
  changes: ChangeDeps,
  { plan, workspace }: Bound,
  { shown, rest }: { readonly shown: ChangeSet; readonly rest: ChangeSet },
  note: GoalNote,
): Promise<ChangedPlan> {
  const { plans, clock } = changes.records;
  const stored = plans.loadChangeSet(plan.planId);
  const version = stored?.attempts.at(-1) ?? plan.protocolVersion;
  const seen = Object.fromEntries(
    rest.changes.flatMap((each) => ("before" in each ? [[each.path, each.before.sha256]] : [])),
  );
  const files = { ...plan.files, ...seen };
  const wholeFiles = [...new Set([...plan.wholeFiles, ...(stored?.wholeFiles ?? [])])];
  const next: StoredPlan = {
    planId: newId("plan"),
    workspaceRoot: plan.workspaceRoot,
    workspaceName: plan.workspaceName,
    ...(plan.workspaceEntry !== undefined && { workspaceEntry: plan.workspaceEntry }),
    goal: plan.goal,
    notes: [...(plan.notes ?? []), note],
    summary: plan.summary,
    protocolVersion: version,
    messages: [], // what is in it a person chose
    files,
    wholeFiles,
    contextStats: {},
    traceId: "",
    createdAt: clock.now(),
  };
  const context = await openApplyContext(changes, next, workspace);
  const actions = toActions({ workspace, context, known: stored?.actions ?? [], shown }, rest);
  if ("path" in actions) return { ok: false, why: "no action", path: actions.path };
  const evaluated = evaluateActions(actions, context);
  if (!evaluated.ok) return { ok: false, why: "refused", message: evaluated.message };
  const contentId = contentIdOf(evaluated.value.changes);
  if (contentId !== contentIdOf(rest.changes)) {
    const path = firstOther(evaluated.value.changes, rest.changes);
    return { ok: false, why: "no action", path };
  }
  const by = plans.ways.listOf(plan.planId).find(({ planId }) => planId === plan.planId)?.by;
  const { planId, summary, traceId, createdAt } = next;
  plans.savePlan(next, by);
  const common = { planId, summary, wholeFiles: [], traceId, createdAt };
  plans.addChangeSet({ ...common, contentId, actions, attempts: [version] });
  return { ok: true, planId };
}

function firstOther(made: readonly Change[], wanted: readonly Change[]): string {
  const is = new Map(made.map((change) => [change.path, afterOf(change)]));
  return wanted.find((change) => is.get(change.path) !== afterOf(change))?.path ?? "";
}

/** What a change comes to, as far as two of the same path may differ. */
function afterOf(change: Change): string {
  return `${change.kind} ${"after" in change ? `${change.after.sha256} ${change.after.mode}` : ""}`;
}
