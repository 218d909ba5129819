import type { Workspace } from "../../workspace/workspace.ts";
import type { RequestContext } from "../deps.ts";
import { refusal } from "../refusal.ts";

export { maskTexts, type Outlet, openOutlet } from "./event-sink.ts";
export { keepMeant, meantAtFirst } from "./recorded-intent.ts";
export { createLines, type Lines } from "./session-queue.ts";

/** The workspace a session works in. */
export function selectedWorkspace({ deps, speaker }: RequestContext): Workspace {
  return deps.workspaces.get(deps.sessions.state(speaker.sessionId).workspace);
}

/** Makes `planId` the session's plan, or none; a question about an older one is out of date. */
export function setPlan({ deps, speaker }: RequestContext, planId: string | null): void {
  deps.sessions.update(speaker.sessionId, speaker.userId, { planId }, deps.clock.now());
  deps.approvals.replace(speaker.sessionId);
}

/** The session's plan; throws ERR_PLAN_UNKNOWN when there is none. */
export function storedPlan({ deps, speaker }: RequestContext): string {
  const { planId } = deps.sessions.state(speaker.sessionId);
  if (planId !== undefined) return planId;
  throw refusal("ERR_PLAN_UNKNOWN", deps.texts, ({ noPlan }) => noPlan);
}

/** Makes `researchId` the one that /use means. */
export function setResearch({ deps, speaker }: RequestContext, researchId: string): void {
  deps.settings.of("research.").set(speaker.sessionId, researchId);
}

/** The newest research that the session was shown. Throws APPROVAL_INVALID when there is none. */
export function storedResearch({ deps, speaker }: RequestContext): string {
  const researchId = deps.settings.of("research.").get(speaker.sessionId);
  if (researchId !== undefined) return researchId;
  throw refusal("APPROVAL_INVALID", deps.texts, ({ noResearch }) => noResearch);
}
