import type { PlannedSeries } from "../../transaction/views.ts";
import type { AgentCore, RequestContext } from "../deps.ts";

/** A plan that the session may apply. */
export interface SessionPlan {
  readonly planId: string;
  readonly workspace: string;
  readonly summary: string;
  readonly row?: PlannedSeries;
}

/** Shows a plan, with whether it can be applied in the mode that holds now. */
export async function showPlan(
  { emit }: RequestContext,
  { security }: AgentCore,
  plan: SessionPlan,
): Promise<void> {
  const isLocked = security.autonomy === "readonly";
  await emit({ kind: "plan", ...plan, ...(isLocked && { isLocked }) });
}
