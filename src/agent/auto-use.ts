import type { Language } from "../core/language.ts";
import { isAutoUseOn, setAutoUse } from "../store/auto-use.ts";
import type { Exchange } from "./deps.ts";
import { selectedWorkspace } from "./session-state.ts";

type Texts = Readonly<Record<Language, string>>;

/** What is said when findings from the web go into plans of a workspace no more unasked. */
export const AUTO_USE_OFF: Texts = {
  en: "Auto-use is off for this workspace.",
  ru: "Auto-use отключён для текущего проекта.",
  zh: "当前项目已关闭自动使用。",
};

const AUTO_USE_ON: Texts = {
  en: "Auto-use is on for this workspace.",
  ru: "Auto-use включён для текущего проекта.",
  zh: "当前项目已开启自动使用。",
};

/** `/autouse [on|off]`: shows or sets it for the selected workspace. */
export function switchAutoUse(exchange: Exchange, argument: string): string {
  const { deps } = exchange;
  const { root } = selectedWorkspace(exchange);
  if (argument === "on" || argument === "off") setAutoUse(deps.settings, root, argument === "on");
  return (isAutoUseOn(deps.settings, root) ? AUTO_USE_ON : AUTO_USE_OFF)[deps.language];
}
