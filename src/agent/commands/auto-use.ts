import type { RequestContext } from "../deps.ts";
import { selectedWorkspace } from "../session/session.ts";

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
export async function switchAutoUse(request: RequestContext, argument: string): Promise<string> {
  const { operations, texts } = request.deps;
  const isOn = argument === "on" || argument === "off" ? argument === "on" : undefined;
  const state = await operations.autoUse(selectedWorkspace(request), isOn);
  return texts.autoUse[state];
}
