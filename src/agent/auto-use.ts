import type { Language } from "../core/language.ts";
import type { AutoUse } from "../planner/research-operations.ts";
import type { Exchange } from "./deps.ts";
import { selectedWorkspace } from "./session-state.ts";

/** What is said of findings from the web that go into plans of a workspace unasked. */
export const AUTO_USE: Readonly<Record<AutoUse, Readonly<Record<Language, string>>>> = {
  on: {
    en: "Auto-use is on for this workspace.",
    ru: "Auto-use включён для текущего проекта.",
    zh: "当前项目已开启自动使用。",
  },
  off: {
    en: "Auto-use is off for this workspace.",
    ru: "Auto-use отключён для текущего проекта.",
    zh: "当前项目已关闭自动使用。",
  },
  forbidden: {
    en: "Auto-use is off: online_research.enabled and auto_use_as_context are not both true, or there is no model.",
    ru: "Auto-use отключён: online_research.enabled и auto_use_as_context не включены оба, или модели нет.",
    zh: "自动使用已关闭：online_research.enabled 与 auto_use_as_context 未同时启用，或没有模型。",
  },
};

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
export async function switchAutoUse(exchange: Exchange, argument: string): Promise<string> {
  const { operations, language } = exchange.deps;
  const isOn = argument === "on" || argument === "off" ? argument === "on" : undefined;
  const state = await operations.autoUse(selectedWorkspace(exchange), isOn);
  return AUTO_USE[state][language];
}
