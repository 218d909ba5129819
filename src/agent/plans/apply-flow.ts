import { renderStep } from "../../channels/series-lines.ts";
import { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { ApplyOptions, ApplyOutcome, Wanted } from "../../planner/operations.ts";
import { isRulesFile } from "../../security/rules-files.ts";
import type { Look } from "../../system/run/run.ts";
import { Refusal } from "../../texts/texts.ts";
import type { Printed } from "../../transaction/change.ts";
import type { OutcomeView, Step } from "../../transaction/views.ts";
import { countedTeller } from "../counted.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { findEnded, makeChange, noteUnreported, tellOutcome } from "../interrupted/interrupted.ts";
import { recordedIntent, recordIntent, setPlan } from "../session/session.ts";
import { askApproval, type Instead } from "./ask-approval.ts";
import { attempt } from "./attempt.ts";
import { keepFailedCheck, type NoPlan, planGoal } from "./plan-goal.ts";
import { showPlan } from "./show-plan.ts";

/** Plans and shows the plan. */
export async function proposePlan(
  request: RequestContext,
  deps: PlanDeps,
  goal: string,
): Promise<void> {
  const plan = await planGoal(request, deps, goal);
  if (typeof plan === "object") await showPlan(request, deps.core, plan);
}

/** Plans and goes on to the change set at once. */
export async function applyGoal(
  request: RequestContext,
  deps: PlanDeps,
  goal: string,
  options: Pick<ApplyOptions, "mustAsk"> = {},
): Promise<ApplyOutcome | NoPlan> {
  const plan = await planGoal(request, deps, goal);
  return typeof plan === "object" ? applyPlan(request, deps, plan.planId, options) : plan;
}

/** The same for a message; redelivered after a crash it continues with the plan that it had. */
export async function applyMessage(
  request: RequestContext,
  deps: PlanDeps,
  goal: string,
): Promise<void> {
  const { core } = deps;
  const recorded = recordedIntent(request, core);
  const mustAsk = unlessNamedIn(goal);
  if (recorded !== undefined) return void (await applyPlan(request, deps, recorded, { mustAsk }));
  const plan = await planGoal(request, deps, goal);
  if (typeof plan !== "object") return;
  recordIntent(request, core, plan.planId);
  await applyPlan(request, deps, plan.planId, { mustAsk });
}

/** The folder that a plan is made from may ask for new rules: those a person has to have named. */
export function unlessNamedIn(words: string): (paths: readonly string[]) => boolean {
  const named = words.toLowerCase();
  const isNamed = (path: string) => named.includes(path.toLowerCase().split("/").at(-1) ?? path);
  return (paths) => paths.some((path) => isRulesFile(path) && !isNamed(path));
}

/** Turns a plan into its change set and asks for approval, or applies it under full autonomy. */
export async function applyPlan(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
  { instead, ...options }: Pick<ApplyOptions, "mustAsk"> & { readonly instead?: Instead } = {},
): Promise<ApplyOutcome> {
  const outcome = await attemptApply(request, deps, planId, options);
  if (outcome.preview) await askApproval(request, deps, outcome.preview, instead);
  else await finishApply(request, deps.core, planId, outcome);
  return outcome;
}

/** A plan is bound to its workspace, by name and folder: the configuration has to have that now. */
export async function assertGranted({ operations }: PlanDeps, planId: string): Promise<void> {
  const gone = await operations.goneFolder(planId);
  if (!gone) return;
  const root = toVisibleText(gone.workspaceRoot);
  throw new Refusal("ERR_WORKSPACE_UNKNOWN", ({ workspaceGone }) => workspaceGone(root));
}

/** Applies the change set `approved`, to which a person said yes. */
export async function applyApproved(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
  approved: string,
): Promise<void> {
  const outcome = await attemptApply(request, deps, planId, { approved });
  // The folder changed, and its checks now fail as they do without the change: asked once more.
  if (outcome.preview) await askApproval(request, deps, outcome.preview);
  else await finishApply(request, deps.core, planId, outcome);
}

/** Applies a plan, as far as that may be done unasked; shows its progress only. */
export async function attemptApply(
  request: RequestContext,
  { core, operations }: PlanDeps,
  planId: string,
  options: Pick<ApplyOptions, "approved" | "mustAsk" | "isRoutine">,
): Promise<ApplyOutcome> {
  const {
    signal,
    work: { id: work },
  } = request;
  const onProgress = stepTeller(request);
  return attempt(request, core, planId, async () => {
    await assertGranted({ core, operations }, planId);
    noteUnreported(request, core);
    return makeChange(request, core, { planId }, () =>
      operations.apply(planId, { signal, work, onProgress, ...options }),
    );
  });
}

/**
 * Shows each step while checks run and parts are asked for, and the newest lines of what a check
 * prints, as fast as they are taken: what comes while some are on their way waits for the next.
 */
export function stepTeller({
  texts,
  emit,
}: Pick<RequestContext, "texts" | "emit">): (step: Step) => void {
  let lines: readonly Printed[] = [];
  let isOnItsWay = false;
  const count = countedTeller(emit, performance.now.bind(performance));
  const tell = () => {
    const text = lines.map(({ printed }) => printed).join("\n");
    const looks = lines.flatMap((line, at) => toLooks(line, at));
    lines = [];
    return emit({ kind: "check_output", text, ...(looks.length > 0 && { looks }) });
  };
  return (step) => {
    const text = renderStep(step, texts);
    if (text !== undefined) return void emit({ kind: "progress", text });
    if (typeof step === "object" && "counted" in step) return count(step);
    if (typeof step === "string" || !("printed" in step)) return;
    lines = [...lines, step].slice(-MOST_LINES);
    send();
  };

  function send(): void {
    if (isOnItsWay || lines.length === 0) return;
    isOnItsWay = true;
    const over = () => {
      isOnItsWay = false;
      send(); // what came meanwhile may be the last
    };
    // Behind all lines that came with this one.
    void Promise.resolve().then(tell).then(over, over);
  }
}

function toLooks({ looks = [] }: Printed, at: number): readonly Look[] {
  return looks.map(([, from, to, names]): Look => [at, from, to, names]);
}

/** More at once is not read. */
const MOST_LINES = 3;

/** Checks a plan's change set with what a person wants for it beyond the configuration; asks again. */
export async function askWith(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
  wanted: Wanted,
): Promise<void> {
  await assertGranted(deps, planId);
  const tell = stepTeller(request);
  const shown = await deps.operations.preview(planId, request.signal, tell, wanted);
  if (!shown.ok) {
    const { code, message, rejected } = shown;
    if (!rejected.planAgain) throw new AppError(code, message);
    return finishApply(request, deps.core, planId, rejected);
  }
  await askApproval(request, deps, shown.preview);
}

/** Shows how an apply ended; a plan that is done is no longer the session's. */
export async function finishApply(
  request: RequestContext,
  core: AgentCore,
  planId: string,
  outcome: OutcomeView,
): Promise<void> {
  const { speaker } = request;
  const { ok, status, txId, checkRef, workspace, row } = outcome;
  const single = { status, ...(txId !== undefined && { txId }) };
  for (const made of row?.parts ?? [single]) {
    if (made.status !== "committed" || made.txId === undefined) continue;
    core.settings.of("undo.").set(made.txId, speaker.userId);
  }
  const failed = txId ?? checkRef;
  if (!ok && failed !== undefined && outcome.check) {
    const place = txId === undefined ? { workspace } : {};
    keepFailedCheck(request, core, failed, { planId, ...place });
  }
  if (ok) core.settings.of("side_plan.").remove(planId);
  if (ok && core.sessions.state(speaker.sessionId).planId === planId) setPlan(request, core, null);
  await tellOutcome(request, core, outcome);
}

/**
 * Tells how the change of a work ended that papa-yu ended before it could report; false: there is none,
 * or it was cut off and put back, and the work goes on.
 */
export async function tellEnded(request: RequestContext, core: AgentCore): Promise<boolean> {
  const ended = findEnded(core, request.work.id);
  if (!ended) return false;
  const { planId, outcome } = ended;
  if (planId === undefined) await tellOutcome(request, core, outcome);
  else await finishApply(request, core, planId, outcome);
  return true;
}
