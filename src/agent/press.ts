import type { Press } from "../channels/channel.ts";
import type { Wanted } from "../planner/operations.ts";
import type { Approval } from "../store/approvals.ts";
import { invalid, requireApproval, settle } from "./approval.ts";
import { approve, approveWhole, checkFirst, reject } from "./approve.ts";
import {
  askToDryRun,
  askToRun,
  redoable,
  redoTransaction,
  setAsideRun,
  stopRoutine,
  turnRoutine,
  undoable,
  undoTransaction,
  useWorkspace,
} from "./commands/commands.ts";
import type { Agent, AgentCore, CommandDeps, FollowUp, PlanDeps, RequestContext } from "./deps.ts";
import {
  applyPlan,
  applySidePlan,
  askWith,
  changePlan,
  fixable,
  forgetSidePlan,
  isSidePlan,
  planAgain,
  planFix,
  planWithResearch,
  requireTry,
  requireWay,
  showOutput,
  showWay,
  tryAnotherWay,
} from "./plans/plans.ts";
import { assertOwnPlan, setPlan } from "./session/session.ts";

/** Does what a button or a yes asks for, or throws the truth about it. */
export async function actOn(
  request: RequestContext,
  agent: Agent,
  press: Press,
): Promise<FollowUp | undefined> {
  return (await ACTS[press.act](request, agent, press.ref, press)) ?? undefined;
}

/** What one button does to what it refers to. */
type Act = (
  request: RequestContext,
  agent: Agent,
  ref: string,
  /** What else it carries. */
  carried: Pick<Press, "revision" | "exactly" | "words">,
) => Promise<FollowUp | void>;

/**
 * Buttons that begin something: they wait for each other, and each runs once at a time. Whether
 * one counts is looked at twice: as it comes, so that nobody waits for a no, and in its turn.
 */
const STARTS: Readonly<Partial<Record<Press["act"], Act>>> = {
  apply: async (request, { core }, ref) => {
    if (!isSidePlan(request, core, ref)) assertOwnPlan(request, core, ref);
  },
  // With what should be different.
  change: async (request, { core }, ref) => assertOwnPlan(request, core, ref),
  drop: async (request, { core }, ref) => {
    if (!isSidePlan(request, core, ref)) assertOwnPlan(request, core, ref);
  },
  approve: async (request, { core }, ref) => void requireApproval(request, core, ref),
  approve_whole: async (request, { core }, ref) => void requireChange(request, core, ref),
  check_first: async (request, { core }, ref) => void requireApproval(request, core, ref),
  keep: async (request, { core }, ref) => void requireApproval(request, core, ref),
  reach: async (request, { core }, ref) => void requireApproval(request, core, ref),
  leave_out: async (request, { core }, ref) => void requireChange(request, core, ref),
  revise: async (request, { core }, ref) => void requireChange(request, core, ref),
  try_another: async (request, { core }, ref) => void requireTry(request, core, ref),
  show_way: async (request, { plans }, ref) => void (await requireWay(request, plans, ref)),
  undo: async (request, { core }, ref, { exactly }) => void undoable(request, core, ref, exactly),
  redo: async (request, { core }, ref, { exactly }) => void redoable(request, core, ref, exactly),
  plan_fix: async (request, { core }, ref) => void fixable(request, core, ref),
  plan_again: async (request, { core }, ref) => {
    if (!isSidePlan(request, core, ref)) assertOwnPlan(request, core, ref);
  },
  use_research: (request, { plans }, ref) =>
    plans.operations.checkResearch(ref, request.speaker.userId),
};

/** Whether a press begins something that others wait for; throws what is true of one that does not count. */
export async function admit(request: RequestContext, agent: Agent, press: Press): Promise<boolean> {
  const isAsking = press.act === "change" && !press.words?.trim();
  const check = isAsking ? undefined : STARTS[press.act];
  await check?.(request, agent, press.ref, press);
  return check !== undefined;
}

const ACTS: Readonly<Record<Press["act"], Act>> = {
  apply: applyShown,
  change(request, { core, plans }, ref, { words }) {
    assertOwnPlan(request, core, ref);
    return changePlan(request, plans, ref, words?.trim());
  },
  drop: (request, { core }, ref) => dropPlan(request, core, ref),
  approve: (request, agent, ref) =>
    approve(request, agent, requireApproval(request, agent.core, ref)),
  approve_whole: (request, agent, ref) =>
    approveWhole(request, agent, requireChange(request, agent.core, ref)),
  check_first: (request, agent, ref) =>
    checkFirst(request, agent, requireChange(request, agent.core, ref)),
  keep: (request, agent, ref) => askMore(request, agent, ref, () => ({ keep: "left out" })),
  reach: (request, agent, ref) =>
    askMore(request, agent, ref, ({ hosts = [] }) => ({ reach: hosts })),
  try_another: (request, { core, plans }, ref) =>
    tryAnotherWay(request, plans, requireTry(request, core, ref)),
  show_way: async (request, { plans }, ref) =>
    showWay(request, plans, await requireWay(request, plans, ref), ref),
  leave_out: (request, { core, plans }, ref, { revision = {} }) =>
    reviseWith("askWithout", request, plans, requireChange(request, core, ref), revision),
  revise: (request, { core, plans }, ref, { revision = {} }) =>
    reviseWith("askRevised", request, plans, requireChange(request, core, ref), revision),
  reject: (request, { core }, ref) => reject(request, core, requireApproval(request, core, ref)),
  withdraw: async (request, { core }, ref) =>
    settle(request, core, requireApproval(request, core, ref), "replaced"),
  undo: (request, { plans }, ref, { exactly }) => undoTransaction(request, plans, ref, exactly),
  redo: (request, { plans }, ref, { exactly }) => redoTransaction(request, plans, ref, exactly),
  show_output: (request, { core }, ref) => showOutput(request, core, ref),
  plan_fix: (request, { plans }, ref) => planFix(request, plans, ref),
  plan_again: async (request, { core, plans }, ref) => {
    if (!isSidePlan(request, core, ref)) assertOwnPlan(request, core, ref);
    await planAgain(request, plans, ref);
  },
  use_research: (request, { plans }, ref) => planWithResearch(request, plans, ref),
  stop_auto_use: (request, { plans }, ref) => stopAutoUse(request, plans, ref),
  use_ws: async (request, { core }, ref) =>
    request.emit({ kind: "content", text: useWorkspace(request, core, ref) }),
  run_routine: (request, { commands }, ref) => askToRun(request, commands, ref),
  dry_run_routine: (request, { commands }, ref) => askToDryRun(request, commands, ref),
  stop_routine: (request, { commands }, ref) => stopRoutine(request, commands, ref),
  set_aside_run: (request, { commands }, ref) => setAsideRun(request, commands, ref),
  propose_routine: async (request, agent, ref) => {
    const { proposeRoutine } = await import("./propose-routine/propose-routine.ts"); // of pages alone
    return proposeRoutine(request, agent, ref);
  },
  change_routine: async (request, agent, ref, { words = "" }) => {
    const { proposeChange } = await import("./propose-routine/propose-routine.ts");
    return proposeChange(request, agent, ref, words);
  },
  routine_on: (request, { commands }, ref) => turnRoutine(request, commands, ref, true),
  routine_off: (request, { commands }, ref) => turnRoutine(request, commands, ref, false),
  end_browser: (request, { commands }, ref) => endBrowser(request, commands, ref),
};

/** Few want a change set to be another one. */
async function reviseWith(
  how: "askWithout" | "askRevised",
  ...asked: Parameters<typeof import("./plans/revise.ts")["askRevised"]>
): Promise<void> {
  const revise = await import("./plans/revise.ts");
  await revise[how](...asked);
}

type ChangeApproval = Extract<Approval, { readonly kind: "change_set" }>;

/** The question about a change set, if the press on it counts. */
function requireChange(request: RequestContext, core: AgentCore, ref: string): ChangeApproval {
  const approval = requireApproval(request, core, ref);
  if (approval.kind === "change_set") return approval;
  throw invalid(({ nothingKnown }) => nothingKnown);
}

async function applyShown(
  request: RequestContext,
  { core, plans }: Agent,
  planId: string,
): Promise<void> {
  if (isSidePlan(request, core, planId)) return applySidePlan(request, plans, planId);
  assertOwnPlan(request, core, planId);
  await applyPlan(request, plans, planId);
}

async function dropPlan(request: RequestContext, core: AgentCore, planId: string): Promise<void> {
  if (isSidePlan(request, core, planId)) forgetSidePlan(core, planId);
  else {
    assertOwnPlan(request, core, planId);
    setPlan(request, core, null);
  }
  await request.emit({ kind: "content", text: request.texts.agent.planDropped });
}

async function endBrowser(
  { speaker, texts, emit }: RequestContext,
  { daemon }: CommandDeps,
  id: string,
): Promise<void> {
  const ended = await daemon?.endBrowser(id, speaker.userId);
  if (ended === "not yours") throw invalid(({ notAsked }) => notAsked);
  const { browserEnded, browserGone } = texts.console;
  await emit({ kind: "content", text: ended === true ? browserEnded : browserGone });
}

async function stopAutoUse(
  { speaker, texts, emit }: RequestContext,
  { operations }: PlanDeps,
  researchId: string,
): Promise<void> {
  await operations.stopAutoUse(researchId, speaker.userId);
  await emit({ kind: "content", text: texts.autoUse.off });
}

/**
 * [Keep them] and [Let it reach …]: the question that was pressed on goes when another one takes its
 * place.
 */
async function askMore(
  request: RequestContext,
  { core, plans }: Agent,
  ref: string,
  toWanted: (approval: ChangeApproval) => Wanted,
): Promise<void> {
  const approval = requireChange(request, core, ref);
  await askWith(request, plans, approval.planId, toWanted(approval));
}
