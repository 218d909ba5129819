import type { PlanDeps, RequestContext } from "../deps.ts";
import { selectedWorkspace } from "../session/session.ts";

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
export async function switchAutoUse(
  request: RequestContext,
  { core, operations }: PlanDeps,
  argument: string,
): Promise<string> {
  const isOn = argument === "on" || argument === "off" ? argument === "on" : undefined;
  const state = await operations.autoUse(selectedWorkspace(request, core), isOn);
  return request.texts.autoUse[state];
}
