import type { Texts } from "../../texts/texts.ts";
import { BUILT_IN_PROTECTED } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { SecurityRules } from "../deps.ts";

/** `/rules`: what holds in this workspace, whatever is said in a chat. */
export function renderRules(
  { autonomy, injectionCheck, allowedCommands }: SecurityRules,
  { name, protectedPaths }: Workspace,
  { rules, mode }: Texts,
): string {
  const commands = allowedCommands.map(toCode).join(" ");
  return [
    rules.head(name),
    `${rules.autonomy(autonomy)} ${mode[autonomy]}`,
    rules.outside,
    rules.protectedPaths([...BUILT_IN_PROTECTED, ...protectedPaths].map(toCode).join(" ")),
    commands === "" ? rules.noCommands : rules.commands(commands),
    rules.orders[injectionCheck],
  ].join("\n");
}

/** As code, or the stars of a pattern would be read as markup. */
function toCode(text: string): string {
  return `\`${text}\``;
}
