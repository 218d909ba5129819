import type { Exchange } from "../deps.ts";
import { selectedWorkspace } from "../session/session.ts";

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
export async function switchAutoUse(exchange: Exchange, argument: string): Promise<string> {
  const { operations, texts } = exchange.deps;
  const isOn = argument === "on" || argument === "off" ? argument === "on" : undefined;
  const state = await operations.autoUse(selectedWorkspace(exchange), isOn);
  return texts.autoUse[state];
}
