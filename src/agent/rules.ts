import type { InjectionCheck } from "../security/injection.ts";
import type { Autonomy } from "../security/policy.ts";
import { BUILT_IN_PROTECTED } from "../workspace/protected-paths.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { SecurityRules } from "./deps.ts";

/** `/rules`: what holds in this workspace, whatever is said in a chat. */
export function renderRules(
  { autonomy, injectionCheck, allowedCommands }: SecurityRules,
  { name, protectedPaths }: Workspace,
): string {
  return [
    `Rules for ${name}. They are configuration, and no message can change them.`,
    `autonomy: ${autonomy}. ${AUTONOMY[autonomy]}`,
    `after reading from outside: notes, changes and new addresses ask, at every level that allows them.`,
    `protected paths, never read or written: ${[...BUILT_IN_PROTECTED, ...protectedPaths].join(" ")}; lock files are never written`,
    `allowed commands: ${allowedCommands.join(" ") || "none"}`,
    `orders hidden in what is read: ${INJECTION[injectionCheck]}`,
  ].join("\n");
}

const AUTONOMY: Readonly<Record<Autonomy, string>> = {
  readonly: "I look and plan; whatever has an effect is denied.",
  supervised: "I look, and note what you tell me; whatever changes something asks you.",
  full: "I act without a question; what is yours to decide, such as security settings, asks you.",
};

const INJECTION: Readonly<Record<InjectionCheck, string>> = {
  block: "the text is left out",
  warn: "the text is marked",
  review: "only logged",
  off: "not looked for",
};
