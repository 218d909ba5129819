import { AppError } from "../../core/app-error.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import type { FailedWay } from "../../store/plans/plans.ts";
import type { Step } from "../../transaction/views.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { previewPrepared } from "../apply/apply.ts";
import type { CorrectDeps, Ready } from "../correct/correct.ts";
import { planOnline, type ResearchOperationsDeps } from "../online/online.ts";
import type { PlannerDeps, PlanOptions, PlanOutcome } from "../plan.ts";
import { type ChangeDeps, createPreparation } from "../prepare/prepare.ts";
import type { Try, TryEnd, Who } from "./compare.ts";

/** One author, and what plans and makes changes with it. */
export interface Way {
  readonly planner: PlannerDeps;
  readonly changes: ChangeDeps;
}

/** What it takes to plan a goal in some way, and to check what comes of it. */
export interface WayDeps
  extends Pick<ResearchOperationsDeps, "online">,
    Pick<CorrectDeps, "transactions" | "maxFixRounds" | "oneAtATime"> {}

/** How tries are waited for. */
export interface TryOptions extends PlanOptions {
  readonly onProgress?: (step: Step) => void;
}

/** What became of a goal by one way, before its checks. */
export type Made =
  | { readonly kind: "ready"; readonly plan: MadePlan; readonly ready: Ready }
  | Extract<TryEnd, { readonly kind: "nothing" | "failed" }>;

/** A plan that is stored. */
export type MadePlan = Extract<PlanOutcome, { readonly ok: true }>;

/**
 * Plans a goal in one way, and makes the plan's change set.
 *
 * @throws what the signal was aborted with; a failure is how the way ends
 */
export async function makeWay(
  { online }: WayDeps,
  way: Way,
  workspace: Workspace,
  goal: string,
  options: TryOptions,
): Promise<Made> {
  let plan: PlanOutcome | undefined;
  try {
    plan = await planOnline(
      { planner: way.planner, ...(online && { online }) },
      workspace,
      goal,
      options,
    );
    if (!plan.ok) return { kind: "failed", plan, code: plan.code, message: plan.message };
    return await prepareWay(way, workspace, plan, options);
  } catch (error) {
    return toFailed(error, plan, options);
  }
}

/** Makes the change set of a plan, or finds the one that it has. */
export async function prepareWay(
  { planner, changes }: Way,
  workspace: Workspace,
  plan: MadePlan,
  options: TryOptions,
): Promise<Made> {
  try {
    if (whyNothing(plan.summary) !== undefined) return { kind: "nothing", plan };
    const stored = planner.records.plans.loadPlan(plan.planId);
    if (!stored) throw new Error(`plan ${plan.planId} is not stored`);
    const prepared = await createPreparation(changes)(
      stored,
      workspace,
      options.signal,
      options.onProgress,
    );
    if (!prepared.ok) {
      return { kind: "failed", plan, code: prepared.code, message: prepared.message };
    }
    if (prepared.changeSet.changes.length === 0) return { kind: "nothing", plan };
    return { kind: "ready", plan, ready: { plan: stored, workspace, prepared } };
  } catch (error) {
    return toFailed(error, plan, options);
  }
}

/** An author, as people tell it from others. */
export function whoOf({ changes }: Way): Who {
  const { name: provider, model, temperature } = changes.answers.author;
  return { provider, model, ...(temperature !== undefined && { temperature }) };
}

/** Has it checked and adds it; the same change set by another way is told with the first, unchecked. */
export async function addTry(
  deps: WayDeps,
  { changes, who }: { readonly changes: ChangeDeps; readonly who: Who },
  made: Made,
  tries: Try[],
  options: TryOptions,
): Promise<void> {
  const known = made.kind === "ready" && findTwin(tries, made.ready.prepared.changeSet.id);
  const end = known ? known.end : await check(deps, changes, made, options);
  const twin = known || (end.kind === "changes" && findTwin(tries, end.preview.changeSetId));
  const planId = made.plan?.ok === true ? made.plan.planId : undefined;
  if (!twin) tries.push({ ...who, end, same: [] });
  else if (planId !== undefined) {
    const same = [...twin.same, { ...who, planId }];
    tries[tries.indexOf(twin)] = { ...twin, same };
  }
}

/** Keeps why nothing came of a way, so that it is told beside the next one; without secrets. */
export function noteFailed(
  { redact }: Pick<WayDeps["transactions"], "redact">,
  end: TryEnd | undefined,
  note: (failed: FailedWay) => void,
): void {
  if (end?.kind === "failed") note({ code: end.code, message: redact(end.message) });
}

function findTwin(tries: readonly Try[], id: string): Try | undefined {
  return tries.find(({ end }) => end.kind === "changes" && end.preview.changeSetId === id);
}

async function check(
  { transactions, maxFixRounds, oneAtATime }: WayDeps,
  changes: ChangeDeps,
  made: Made,
  options: TryOptions,
): Promise<TryEnd> {
  if (made.kind !== "ready") return made;
  const { plan, ready } = made;
  const correcting = { transactions, changes, maxFixRounds, oneAtATime };
  try {
    const preview = await previewPrepared(correcting, ready, options);
    return { kind: "changes", plan, preview };
  } catch (error) {
    return toFailed(error, plan, options);
  }
}

/** An operating failure ends one way; a cancel and a defect end all. */
function toFailed(error: unknown, plan: PlanOutcome | undefined, { signal }: TryOptions) {
  if (signal.aborted || !(error instanceof AppError)) throw error;
  const { code, message } = error;
  return { kind: "failed" as const, ...(plan && { plan }), code, message };
}
