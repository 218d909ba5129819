import { AppError } from "../../core/app-error.ts";
import { keepEnd } from "../../core/cut-text.ts";
import type { PlanOutcome } from "../../planner/plan.ts";
import { whyNothing } from "../../protocol/why-nothing.ts";
import { joinFailures } from "../../research/join-failures.ts";
import { receiveText } from "../../security/injection.ts";
import type { StoredResearch } from "../../store/online/online.ts";
import type { GoalNote } from "../../store/plans/plans.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import { Refusal } from "../../texts/texts.ts";
import { readLastCheck } from "../../transaction/last-check.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import {
  recordedIntent,
  recordIntent,
  selectedWorkspace,
  setPlan,
  setResearch,
  workspaceOf,
} from "../session/session.ts";
import { type SessionPlan, showPlan } from "./show-plan.ts";

/** Why there is none: nothing has to change, or findings from the web wait to be used. */
export type NoPlan = "no_changes" | "research";

/** Makes a plan the session's, or says why there is none; any other failure is thrown. */
export async function planGoal(
  request: RequestContext,
  deps: PlanDeps,
  goal: string,
): Promise<SessionPlan | NoPlan> {
  const { core } = deps;
  const { signal, speaker } = request;
  const workspace = selectedWorkspace(request, core);
  const { userId } = speaker;
  request.showing?.begin();
  const plan = await deps.operations.plan(workspace, goal, { signal, userId });
  if (plan.autoUsed) await showResearch(request, core, workspace, plan.autoUsed, true);
  if (plan.ok || plan.onlineSuggested === undefined)
    return takePlan(request, core, workspace, plan);
  await offerResearch(request, deps, workspace, goal, { ...plan, query: plan.onlineSuggested });
  return "research";
}

/** Plans the goal of a research again, with what was found, and shows the plan. */
export async function planWithResearch(
  request: RequestContext,
  { core, operations }: PlanDeps,
  researchId: string,
): Promise<void> {
  const { speaker, signal } = request;
  const begun = recordedIntent(request, core);
  const ref = begun ?? researchId;
  recordIntent(request, core, ref);
  const isAgain = begun !== undefined;
  const planned = await operations.planWithResearch(ref, speaker.userId, signal, isAgain);
  const plan = await takePlan(request, core, planned.workspace, planned.plan);
  if (typeof plan === "object") await showPlan(request, core, plan);
}

/** Makes a plan the session's; a failed one is thrown. */
async function takePlan(
  request: RequestContext,
  core: AgentCore,
  workspace: Workspace,
  plan: PlanOutcome,
): Promise<SessionPlan | "no_changes"> {
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  const { planId, summary, row } = plan;
  const nothing = whyNothing(summary);
  if (nothing !== undefined) {
    await request.emit({ kind: "content", text: nothing });
    return "no_changes";
  }
  setPlan(request, core, planId);
  return { planId, workspace: workspace.name, summary, ...(row && { row }) };
}

/** Looks on the web for what the plan failed for; a person decides whether it is used. */
async function offerResearch(
  request: RequestContext,
  { core, operations }: PlanDeps,
  workspace: Workspace,
  goal: string,
  failed: Extract<PlanOutcome, { ok: false }> & { readonly query: string },
): Promise<void> {
  const { emit, signal, speaker } = request;
  const { agent: texts, failure } = request.texts;
  await emit({ kind: "progress", text: texts.lookingOnWeb(failed.code) });
  const wanted = { workspace, goal, query: failed.query, userId: speaker.userId };
  const researched = await operations.research(wanted, signal);
  if (!researched.ok) {
    const { code, message } = joinFailures(failed, researched);
    throw new AppError(code, message);
  }
  const reason = failure(failed.code) || failed.message;
  await emit({ kind: "content", text: `${texts.noPlanYet(reason)}\n` });
  await showResearch(request, core, workspace, researched.found, false);
}

async function showResearch(
  request: RequestContext,
  core: AgentCore,
  workspace: Workspace,
  { researchId, query, findings }: StoredResearch,
  autoUsed: boolean,
): Promise<void> {
  const { answerMd, sources, notes } = findings;
  setResearch(request, core, researchId);
  const text = { query, answerMd, ...(notes !== undefined && { notes }), sources };
  const shown = { researchId, workspace: workspace.name, ...text, autoUsed };
  await request.emit({ kind: "research", ...shown });
}

/** What a plan becomes when a person, or a failed check, has something to say about it. */

/** A request that is not written within this time was forgotten. */
const REVISION_MS = 3600_000;

/** Marks the recorded intent of a message that revises a plan. */
const REVISION = "wish:";

/** [Change…]: the person's next message says what should be different. */
async function askForRevision(
  { speaker, texts, emit }: RequestContext,
  { settings, clock }: AgentCore,
  planId: string,
): Promise<void> {
  const awaited = {
    planId,
    userId: speaker.userId,
    until: clock.now() + REVISION_MS,
  };
  settings.of("revision.").set(speaker.sessionId, awaited);
  await emit({ kind: "content", text: texts.plan.whatElse });
}

/**
 * The plan that the speaker's message is to change, once: their next message is the request,
 * or ends the waiting for it. Delivered again after a crash, it is the same request.
 */
export function takeRevisionRequest(request: RequestContext, core: AgentCore): string | undefined {
  const { speaker } = request;
  const { settings, sessions, clock } = core;
  const recorded = request.work.isFirst ? undefined : recordedIntent(request, core);
  if (recorded?.startsWith(REVISION)) return recorded.slice(REVISION.length);
  const requests = settings.of("revision.");
  const awaited = requests.get(speaker.sessionId);
  if (awaited?.userId !== speaker.userId) return undefined;
  requests.remove(speaker.sessionId);
  const { planId, until } = awaited;
  const isCurrent = sessions.state(speaker.sessionId).planId === planId;
  return isCurrent && clock.now() < until ? planId : undefined;
}

/** [Change…] of a plan: plans again with what should be different, or asks what that is. */
export async function changePlan(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
  words = "",
): Promise<void> {
  if (words === "") await askForRevision(request, deps.core, planId);
  else await planRevision(request, deps, planId, words);
}

/** Plans the same goal again with what the person wants to be different. */
export async function planRevision(
  request: RequestContext,
  deps: PlanDeps,
  planId: string,
  revision: string,
): Promise<void> {
  if (!(await deps.operations.followsWords())) {
    throw new Refusal("APPROVAL_INVALID", ({ comment }) => comment.noModel);
  }
  recordIntent(request, deps.core, `${REVISION}${planId}`);
  const said = `The user wants this to be different: ${revision}`;
  return planAgain(request, deps, planId, { said });
}

/**
 * Keeps which plan it was of whose change set a check failed; for the buttons below it. `ref` is the
 * transaction that went back, or names the checks that let none begin.
 */
export function keepFailedCheck(
  { speaker }: RequestContext,
  { settings }: AgentCore,
  ref: string,
  failed: Pick<ValueOf<"failed.">, "planId" | "workspace">,
): void {
  settings.of("failed.").set(ref, { ...failed, userId: speaker.userId });
}

/** [Plan a fix]: the same goal, with what the check printed. */
export async function planFix(request: RequestContext, deps: PlanDeps, ref: string): Promise<void> {
  const { core } = deps;
  const failed = fixable(request, core, ref);
  const output = readOutput(request, core, ref, failed);
  const text = keepEnd(core.redact(output), MAX_SHOWN_TO_MODEL);
  const received = { text, origin: "workspace", source: { context: "failed check" } } as const;
  const screening = { check: core.security.injectionCheck, log: core.log };
  const shown = receiveText(received, screening);
  const said =
    "It was planned before, but a check failed with its changes, and they are not there. Plan it so that the check passes, for the files as they are now.";
  const about = `What the check printed:\n${shown}`;
  await planAgain(request, deps, failed.planId, { said, about });
  core.settings.of("failed.").set(ref, { ...failed, fixedBy: request.work.id });
}

/** The failed check that a fix may be planned for: once, but for a press that is redelivered. */
export function fixable(request: RequestContext, core: AgentCore, ref: string): ValueOf<"failed."> {
  const failed = loadFailedCheck(request, core, ref);
  const { fixedBy = request.work.id } = failed;
  if (fixedBy === request.work.id) return failed;
  throw new Refusal("APPROVAL_INVALID", ({ answered }) => answered);
}

/** [Show output]: everything that the checks of a transaction printed. */
export async function showOutput(
  request: RequestContext,
  core: AgentCore,
  ref: string,
): Promise<void> {
  const failed = loadFailedCheck(request, core, ref);
  const fence = "```";
  const output = readOutput(request, core, ref, failed).replaceAll(fence, "'''");
  await request.emit({ kind: "content", text: `${fence}\n${output}\n${fence}\n` });
}

const MAX_SHOWN_TO_MODEL = 4000;

/**
 * Plans the goal of a plan again with a note, as [Change…] does, and gives the plan's id; undefined,
 * and told: nothing has to change. The session and what waits there stay as they are.
 */
export async function planForSession(
  { emit, signal, speaker }: RequestContext,
  { operations }: PlanDeps,
  planId: string,
  note: GoalNote,
): Promise<string | undefined> {
  const { userId } = speaker;
  const { plan } = await operations.planAgain(planId, note, { signal, userId });
  if (!plan.ok) throw new AppError(plan.code, plan.message);
  const nothing = whyNothing(plan.summary);
  if (nothing === undefined) return plan.planId;
  await emit({ kind: "content", text: nothing });
  return undefined;
}

/** [Plan again]: the same goal, for the files as they are now; with what was said since. */
export async function planAgain(
  request: RequestContext,
  { core, operations }: PlanDeps,
  planId: string,
  note?: GoalNote,
): Promise<void> {
  const { signal, speaker } = request;
  const { workspace, plan } = await operations.planAgain(planId, note, {
    signal,
    userId: speaker.userId,
  });
  const taken = await takePlan(request, core, workspace, plan);
  if (typeof taken === "object") await showPlan(request, core, taken);
}

/** @throws AppError APPROVAL_INVALID for who did not apply it */
function loadFailedCheck(
  { speaker }: RequestContext,
  { settings }: AgentCore,
  ref: string,
): ValueOf<"failed."> {
  const failed = settings.of("failed.").get(ref);
  if (failed?.userId === speaker.userId) return failed;
  throw new Refusal("APPROVAL_INVALID", ({ notYourApply }) => notYourApply);
}

/** @throws AppError APPROVAL_INVALID when other checks have run in the workspace since */
function readOutput(
  request: RequestContext,
  core: AgentCore,
  ref: string,
  { workspace: name }: ValueOf<"failed.">,
): string {
  const workspace =
    name === undefined ? workspaceOf(request, core, ref) : core.workspaces.get(name);
  const check = readLastCheck(workspace);
  if (!check.ok) throw new AppError(check.code, check.message);
  if (check.text?.split("\n", 1)[0]?.endsWith(` ${ref}`)) return check.text;
  throw new Refusal("APPROVAL_INVALID", ({ outputGone }) => outputGone);
}
