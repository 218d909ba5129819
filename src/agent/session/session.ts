import type { Workspace } from "../../workspace/workspace.ts";
import type { AgentCore, RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";

export { type EventSink, maskTexts, openEventSink } from "./event-sink.ts";
export { recordedIntent, recordIntent } from "./recorded-intent.ts";
export { createSessionQueue, type SessionQueue } from "./session-queue.ts";

/** The workspace a session works in. */
export function selectedWorkspace({ speaker }: RequestContext, core: AgentCore): Workspace {
  return core.workspaces.get(core.sessions.state(speaker.sessionId).workspace);
}

/** Makes `planId` the session's plan, or none; a question about an older one is out of date. */
export function setPlan({ speaker }: RequestContext, core: AgentCore, planId: string | null): void {
  core.sessions.update(speaker.sessionId, speaker.userId, { planId }, core.clock.now());
  core.approvals.replace(speaker.sessionId);
}

/** The session's plan; throws ERR_PLAN_UNKNOWN when there is none. */
export function storedPlan({ speaker, texts }: RequestContext, core: AgentCore): string {
  const { planId } = core.sessions.state(speaker.sessionId);
  if (planId !== undefined) return planId;
  throw refusal("ERR_PLAN_UNKNOWN", texts, ({ noPlan }) => noPlan);
}

/** Makes `researchId` the one that /use means. */
export function setResearch(
  { speaker }: RequestContext,
  core: AgentCore,
  researchId: string,
): void {
  core.settings.of("research.").set(speaker.sessionId, researchId);
}

/** The newest research that the session was shown. Throws APPROVAL_INVALID when there is none. */
export function storedResearch({ speaker, texts }: RequestContext, core: AgentCore): string {
  const researchId = core.settings.of("research.").get(speaker.sessionId);
  if (researchId !== undefined) return researchId;
  throw refusal("APPROVAL_INVALID", texts, ({ noResearch }) => noResearch);
}
