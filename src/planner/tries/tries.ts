import { AppError } from "../../core/app-error.ts";
import { createOneAtATime } from "../../core/one-at-a-time.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { previewPrepared } from "../apply-plan.ts";
import type { CorrectDeps, Ready } from "../correct/correct.ts";
import { planOnline, type ResearchOperationsDeps } from "../online/online.ts";
import type { PlannerDeps, PlanOptions, PlanOutcome } from "../plan.ts";
import { type ChangeDeps, createPreparation } from "../prepare/prepare.ts";
import { compare, type Tries, type Try, type TryEnd } from "./compare.ts";

export {
  changedLines,
  type Grade,
  gradeOf,
  type Tries,
  type Try,
} from "./compare.ts";
export { MOST_TRIES, spread } from "./spread.ts";

/** One author, and what plans and makes changes with it. */
export interface Way {
  readonly planner: PlannerDeps;
  readonly changes: ChangeDeps;
}

/** What trying several ways needs. */
export interface TriesDeps
  extends Pick<ResearchOperationsDeps, "online">,
    Pick<CorrectDeps, "transactions" | "maxFixRounds"> {
  /** The first of them is shown where nothing else decides. */
  readonly ways: readonly Way[];
}

/** How tries are waited for. */
export interface TryOptions extends PlanOptions {
  readonly onProgress?: (text: string) => void;
}

/** What became of a goal by one way, before its checks. */
type Made =
  | { readonly kind: "ready"; readonly plan: MadePlan; readonly ready: Ready }
  | Extract<TryEnd, { readonly kind: "nothing" | "failed" }>;

type MadePlan = Extract<PlanOutcome, { readonly ok: true }>;

/**
 * Plans a goal in every way at the same time, makes each plan's change set, and has it checked and
 * corrected in a view like any other, one after another. Each plan is stored whole as soon as it is
 * there; nothing of the folder is written. What fails in one way is told with it and ends no other.
 *
 * @throws AppError where it failed in every way before a model was asked, or what the signal was
 * aborted with; by then nothing of it runs any more
 */
export async function tryWays(
  deps: TriesDeps,
  workspace: Workspace,
  goal: string,
  options: TryOptions,
): Promise<Tries> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const own = { ...options, signal };
  const making = deps.ways.map((way) => make(deps, way, workspace, goal, own));
  for (const each of making) each.catch(() => {}); // who waits for it hears of it
  try {
    const tries: Try[] = [];
    for (const [position, way] of deps.ways.entries()) {
      const made = await making[position];
      options.signal.throwIfAborted();
      if (made) await addTry(deps, way, made, tries, own);
    }
    return tell(deps, compare(tries));
  } finally {
    stop.abort();
    await Promise.allSettled(making);
  }
}

async function make(
  { online }: TriesDeps,
  { planner, changes }: Way,
  workspace: Workspace,
  goal: string,
  options: TryOptions,
): Promise<Made> {
  let plan: PlanOutcome | undefined;
  try {
    plan = await planOnline({ planner, ...(online && { online }) }, workspace, goal, options);
    if (!plan.ok) return { kind: "failed", plan, code: plan.code, message: plan.message };
    const nothing = whyNothing(plan.summary);
    if (nothing !== undefined) return { kind: "nothing", plan };
    const stored = planner.records.plans.loadPlan(plan.planId);
    if (!stored) throw new Error(`plan ${plan.planId} is not stored`);
    const prepared = await createPreparation(changes)(stored, workspace, options.signal);
    if (!prepared.ok) {
      return { kind: "failed", plan, code: prepared.code, message: prepared.message };
    }
    if (prepared.changeSet.changes.length === 0) return { kind: "nothing", plan };
    return { kind: "ready", plan, ready: { plan: stored, workspace, prepared } };
  } catch (error) {
    return toFailed(error, plan, options);
  }
}

/** The same change set by another way is told with the first, and not checked again. */
async function addTry(
  deps: TriesDeps,
  way: Way,
  made: Made,
  tries: Try[],
  options: TryOptions,
): Promise<void> {
  const { name: provider, model, temperature } = way.changes.answers.author;
  const who = { provider, model, ...(temperature !== undefined && { temperature }) };
  const known = made.kind === "ready" && findTwin(tries, made.ready.prepared.changeSet.id);
  const end = known ? known.end : await check(deps, way, made, options);
  const twin = known || (end.kind === "changes" && findTwin(tries, end.preview.changeSetId));
  const planId = made.plan?.ok === true ? made.plan.planId : undefined;
  if (!twin) tries.push({ ...who, end, same: [] });
  else if (planId !== undefined) {
    const same = [...twin.same, { ...who, planId }];
    tries[tries.indexOf(twin)] = { ...twin, same };
  }
}

function findTwin(tries: readonly Try[], id: string): Try | undefined {
  return tries.find(({ end }) => end.kind === "changes" && end.preview.changeSetId === id);
}

async function check(
  { transactions, maxFixRounds }: TriesDeps,
  { changes }: Way,
  made: Made,
  options: TryOptions,
): Promise<TryEnd> {
  if (made.kind !== "ready") return made;
  const { plan, ready } = made;
  const correcting = { transactions, changes, maxFixRounds, oneAtATime: createOneAtATime() };
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

function tell({ transactions }: TriesDeps, compared: Tries): Tries {
  const { order, basis } = compared;
  const [first] = order;
  if (order.every(({ end }) => end.plan === undefined) && first?.end.kind === "failed") {
    throw new AppError(first.end.code, first.end.message);
  }
  transactions.log("WAYS_COMPARED", { ways: order.length, basis });
  return compared;
}
