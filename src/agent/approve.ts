import { toCode } from "../core/cut-text.ts";
import { firstOf } from "../core/few.ts";
import { toVisibleText } from "../core/visible-text.ts";
import type { Approval, CallApproval } from "../store/approvals.ts";
import { Refusal } from "../texts/texts.ts";
import type { LeftPart } from "../transaction/compute/leave-out.ts";
import { invalid, settle } from "./approval.ts";
import { continueChat } from "./chat.ts";
import { isOfCommand } from "./commands/commands.ts";
import type { Agent, AgentCore, FollowUp, RequestContext } from "./deps.ts";
import { notRun } from "./gate/gate.ts";
import { applyApproved, applyPlan, assertGranted, noteAttempt } from "./plans/plans.ts";
import { appendAnswer, readyCall, runApproved } from "./run-approved.ts";
import { recordIntent } from "./session/session.ts";

/** A question about a change set. */
type ChangeApproval = Extract<Approval, { readonly kind: "change_set" }>;

/** More names nobody reads on a phone. */
const MOST_NAMED = 5;
const MAX_NAME = 120;

/** A yes to what was asked. */
export async function approve(
  request: RequestContext,
  agent: Agent,
  approval: Approval,
): Promise<FollowUp | undefined> {
  const { core } = agent;
  recordIntent(request, core, approval.approvalId);
  if (approval.kind === "tool_call") return approveCall(request, agent, approval);
  assertMayWrite(core);
  await assertGranted(agent.plans, approval.planId);
  // Behind all that is waited for: it may be unticked at another place while the yes is on its way.
  const unticked = core.settings.of("draft.").get(approval.approvalId)?.unticked ?? [];
  if (approval.state === "waiting" && unticked.length > 0) {
    return askAboutUnticked(request, approval, unticked);
  }
  return applyWhole(request, agent, approval);
}

/** A yes to the whole of a change set, whatever of it is unticked. */
export async function approveWhole(
  request: RequestContext,
  agent: Agent,
  approval: ChangeApproval,
): Promise<FollowUp | undefined> {
  const { core, plans } = agent;
  recordIntent(request, core, approval.approvalId);
  assertMayWrite(core);
  await assertGranted(plans, approval.planId);
  return applyWhole(request, agent, approval);
}

/** What somebody unticked on the page is not applied by a yes to the whole, wherever that is given. */
async function askAboutUnticked(
  { texts, emit }: RequestContext,
  { approvalId: ref }: ChangeApproval,
  unticked: readonly LeftPart[],
): Promise<undefined> {
  const { about, part, more } = texts.unticked;
  const toName = ({ path, hunks }: LeftPart) => {
    const name = toCode(toVisibleText(path), MAX_NAME);
    return hunks === undefined ? name : part(name, hunks.length);
  };
  const text = about(firstOf(unticked, MOST_NAMED).lines(toName, more).join(", "));
  const { leaveOut, approveWhole: whole, reject: no } = texts.buttons;
  const options = [
    { label: leaveOut, press: { act: "leave_out", ref } as const },
    { label: whole, press: { act: "approve_whole", ref } as const },
    { label: no, press: { act: "reject", ref } as const },
  ];
  await emit({ kind: "choice", text, options });
}

async function applyWhole(
  request: RequestContext,
  { core, plans }: Agent,
  approval: ChangeApproval,
): Promise<undefined> {
  const { planId, state, changeSetId } = approval;
  if (state === "waiting") settle(request, core, approval, "approved");
  noteAttempt(core, planId); // in the same step: nobody sees it neither asked about nor at work
  await applyApproved(request, plans, planId, changeSetId);
}

/** What is refused uses no question up: it counts once the mode is another. */
function assertMayWrite({ security }: AgentCore): void {
  if (security.autonomy === "readonly") throw new Refusal("denied", ({ locked }) => locked);
}

/** The checks that were found have been seen: they run now, and the question is asked again. */
export async function checkFirst(
  request: RequestContext,
  { core, plans }: Agent,
  { planId }: ChangeApproval,
): Promise<void> {
  assertMayWrite(core);
  await assertGranted(plans, planId);
  await plans.operations.seeChecks(planId);
  await applyPlan(request, plans, planId, { mustAsk: true });
}

/** Runs the call that was shown; then the turn goes on with what came of it. */
async function approveCall(
  request: RequestContext,
  { core, turns }: Agent,
  approval: CallApproval,
): Promise<FollowUp | undefined> {
  const { state, approvalId } = approval;
  const next = isOfCommand(core, approvalId) ? undefined : continueChat;
  if (state === "done" || state === "interrupted") return next; // what is known of it was reported
  const ready = await readyCall(request, turns, approval);
  const isOpen = !ready.ok && ready.isOpen;
  if (state === "waiting" && !isOpen) {
    settle(request, core, approval, ready.ok ? "approved" : "replaced");
  }
  if (!ready.ok) throw invalid(ready.say);
  await runApproved(request, turns, approval, ready);
  return next;
}

/** A no to what was asked. */
export async function reject(
  request: RequestContext,
  core: AgentCore,
  approval: Approval,
): Promise<void> {
  settle(request, core, approval, "rejected");
  const texts = request.texts.agent;
  if (approval.kind === "change_set") {
    return request.emit({ kind: "content", text: texts.changeRejected });
  }
  const why = "the person said no. Do not ask for it again, nor for the same in another way";
  appendAnswer(core, approval, notRun(why));
  await request.emit({ kind: "content", text: texts.callRejected });
}
