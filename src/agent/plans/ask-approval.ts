import type { Revision } from "../../channels/press.ts";
import { newId } from "../../core/ids.ts";
import type { Approval } from "../../store/approvals.ts";
import { refusedHosts } from "../../transaction/change.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { invalid, requireApproval } from "../approval.ts";
import type { AgentCore, PlanDeps, RequestContext } from "../deps.ts";
import { noteReported } from "../interrupted/interrupted.ts";
import { keepFailedCheck } from "./plan-goal.ts";

/** The question that a new one is asked instead of, and what was said of that. */
export interface Instead extends Revision {
  readonly asked: ChangeApproval;
  /** What else is another in the very step in which the new one takes the place of this one. */
  readonly goOver?: (preview: PreviewView) => Promise<() => void>;
}

/** An approval of a change set. */
type ChangeApproval = Extract<Approval, { readonly kind: "change_set" }>;

/**
 * Stores the question and shows it; the answer comes as a press or a "yes". Where one about the same
 * plan waits, this one takes its place. What was about to be said of the one before or left out of it
 * goes over: whatever made it be asked anew, nobody took that back.
 *
 * @throws AppError APPROVAL_INVALID where the one that it is asked `instead` of was answered meanwhile
 */
export async function askApproval(
  request: RequestContext,
  deps: PlanDeps,
  preview: PreviewView,
  wanted?: Instead,
): Promise<void> {
  const { speaker, emit } = request;
  const { core } = deps;
  const { approvals, security, clock } = core;
  const { planId, changeSetId } = preview;
  const refused = refusedHosts(preview.generation);
  const hosts = refused.length > 0 ? refused : undefined;
  const now = clock.now();
  const waiting = approvals.waiting(speaker.sessionId, now);
  const isOwn =
    waiting?.kind === "change_set" &&
    waiting.approvalId !== wanted?.asked.approvalId &&
    waiting.userId === speaker.userId &&
    waiting.planId === planId;
  // Asked again, after a crash or a second press: the buttons already shown must stay good.
  const isSame =
    isOwn && waiting.changeSetId === changeSetId && String(waiting.hosts) === String(hosts);
  const approvalId = isSame ? waiting.approvalId : newId("ap");
  if (!isSame) {
    const expiresAt = now + security.approvalTimeoutMs;
    const subject = { kind: "change_set", planId, changeSetId, ...(hosts && { hosts }) } as const;
    const question = { ...subject, approvalId, ...speaker, createdAt: now, expiresAt };
    const instead = wanted ?? (isOwn ? { asked: waiting } : undefined);
    if (instead) noteEarlier(core, approvalId, instead); // before it can be seen
    const goOver = instead && (await goingOver(request, deps, instead, preview));
    const alongside = () => goOver?.(approvalId);
    const before = instead?.asked.approvalId;
    if (!approvals.ask(question, before, alongside) && before !== undefined) {
      requireApproval(request, core, before);
      throw invalid(({ answered }) => answered);
    }
  }
  const { checkRef, workspace } = preview;
  if (checkRef !== undefined) keepFailedCheck(request, core, checkRef, { planId, workspace });
  await emit({ kind: "approval", approvalId, preview });
  noteReported(request, core);
}

/** What is another with the question, in one step: a crash leaves all of it, or nothing. */
async function goingOver(
  { signal }: RequestContext,
  deps: PlanDeps,
  { asked, comments: said, leftOut, goOver }: Instead,
  next: PreviewView,
): Promise<(approvalId: string) => void> {
  const { moveDraft } = await import("./move-draft.ts");
  const done = { ...(said && { said }), ...(leftOut && { leftOut }) };
  const move = await moveDraft(deps, signal, { asked, next, ...done });
  const more = await goOver?.(next);
  return (approvalId) => {
    move(approvalId);
    more?.();
  };
}

/** Which question it takes the place of, what was said of that, and what was left out of it. */
function noteEarlier(
  { settings }: AgentCore,
  id: string,
  { asked: { approvalId }, comments, leftOut }: Instead,
): void {
  const said = { ...(comments && { comments }), ...(leftOut && { leftOut }) };
  settings.of("earlier.").set(id, { approvalId, ...said });
}
