import type { AgentEvent, Asked, Origin, Speaker, WorkState } from "../../channels/channel.ts";
import type { Approval } from "../../store/approvals.ts";
import type { ValueOf } from "../../store/settings/settings.ts";
import type { AgentCore } from "../deps.ts";
import { endedOf, toolsInDoubt } from "./begun-change.ts";

/** A request as it came in; only an `Asked` has a name by which its client asks for it. */
interface Came {
  readonly speaker: Speaker;
  readonly origin: Origin | Asked | undefined;
}

/** What became of a work that a client asks for by its name. */
export function workStateOf(
  core: Pick<AgentCore, "settings" | "workspaces" | "approvals" | "clock">,
  workId: string,
  isRunning: boolean,
): WorkState {
  const known = core.settings.of("asked.").get(workId);
  const head = known ? toKnown(core, known) : {};
  if (isRunning) return { ...head, state: "running" };
  const outcomes = endedOf(core, workId);
  const mayHaveRun = toolsInDoubt(core, workId).length > 0;
  const doubt = { ...(mayHaveRun && { mayHaveRun }) };
  if (outcomes.length > 0) return { ...head, state: "ended", outcomes, ...doubt };
  return { ...head, state: "unknown", ...doubt };
}

/** The request, and the question that came of it as it stands. */
function toKnown(
  { approvals, clock }: Pick<AgentCore, "approvals" | "clock">,
  { sessionId, digest, approvalId }: ValueOf<"asked.">,
): Pick<WorkState, "asked" | "question"> {
  const asked = { sessionId, digest };
  const approval = approvalId === undefined ? undefined : approvals.load(approvalId);
  if (!approval) return { asked };
  const isWaiting = approval.state === "waiting" && approval.expiresAt > clock.now();
  const about = toAbout(approval);
  return { asked, question: { approvalId: approval.approvalId, isWaiting, about } };
}

function toAbout(approval: Approval): NonNullable<WorkState["question"]>["about"] {
  const { kind } = approval;
  if (kind === "tool_call") return { kind, tool: approval.tool };
  return { kind, planId: approval.planId, changeSetId: approval.changeSetId };
}

/**
 * Written down before anything is done, so that the id is known for this request alone. Sent again,
 * it still has the question that came of it.
 */
export function noteAsked(
  { settings }: Pick<AgentCore, "settings">,
  { speaker: { sessionId }, origin }: Came,
): void {
  if (!origin || !("workId" in origin)) return;
  const { workId, digest } = origin;
  const works = settings.of("asked.");
  if (works.get(workId)?.digest !== digest) works.set(workId, { sessionId, digest });
}

/** Written down before it is shown: who loses the answer asks for the work, and hears of its question. */
export function noteQuestion(
  { settings }: Pick<AgentCore, "settings">,
  { speaker: { sessionId }, origin }: Came,
  event: AgentEvent,
): void {
  if (!origin || !("workId" in origin)) return;
  if (event.kind !== "approval" && event.kind !== "call_approval") return;
  const { digest, workId } = origin;
  settings.of("asked.").set(workId, { sessionId, digest, approvalId: event.approvalId });
}
