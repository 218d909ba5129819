import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { type Autonomy, decide, PERSONS_OWN } from "../../security/policy.ts";
import type { Texts } from "../../texts/texts.ts";
import { Refusal } from "../../texts/texts.ts";
import type { AgentCore, CommandDeps, RequestContext } from "../deps.ts";
import { showQuestion, storeQuestion, toAskedCall } from "../gate/gate.ts";
import { selectedWorkspace } from "../session/session.ts";

/** Commands that set papa-yu's own configuration: they write it, and the daemon reloads it at once. */

/** `/model [NAME]`: shows the providers, or chooses one of them. */
export async function chooseModel(
  request: RequestContext,
  deps: CommandDeps,
  name: string,
): Promise<string> {
  const { texts } = request;
  const { current, configured: providers } = deps.providers;
  const names = [...providers.map((each) => each.name), "offline"];
  if (name === "") {
    const { now, configured, how } = texts.model;
    const lines = providers.map(
      (each) => `${mark(each.name, current.name)} ${each.name} (${each.model})`,
    );
    const offline = `${mark("offline", current.name)} offline`;
    return [now(current.name, current.model), configured, ...lines, offline, how].join("\n");
  }
  if (!names.includes(name)) {
    const say = ({ providerUnknown }: Texts["refusals"]) =>
      providerUnknown(shorten(name, 40), names);
    throw new Refusal("ERR_PROVIDER_UNKNOWN", say);
  }
  return setKey(request, deps, "default.provider", name);
}

function mark(name: string, selected: string): string {
  return name === selected ? "▸" : "·";
}

const MODES: readonly Autonomy[] = ["readonly", "supervised", "full"];

/** `/mode [LEVEL]`: shows how much may be done unasked, or sets it. */
export async function chooseMode(
  request: RequestContext,
  deps: CommandDeps,
  argument: string,
): Promise<string | void> {
  const { texts } = request;
  const { autonomy } = deps.core.security;
  if (argument === "") {
    return `${texts.mode.now(autonomy)} ${texts.mode[autonomy]}\n${texts.mode.how}`;
  }
  const mode = MODES.find((each) => each === argument.toLowerCase());
  if (!mode) {
    const say = ({ modeUnknown }: Texts["refusals"]) => modeUnknown(shorten(argument, 40));
    throw new Refusal("ERR_USAGE", say);
  }
  if (mode === "full" && autonomy !== "full") return askToSet(request, deps, AUTONOMY, mode);
  return setKey(request, deps, AUTONOMY, mode);
}

const AUTONOMY = "security.autonomy";

/**
 * Sets a key that its command may set unasked: that a person typed it is their decision. Gives what
 * is in force by that.
 *
 * @throws AppError with why nothing was written
 */
async function setKey(
  request: RequestContext,
  deps: CommandDeps,
  key: string,
  value: string,
): Promise<string> {
  const args = { action: "set", key, value };
  assertOpen(request, deps, args);
  const result = await deps.configTool.run(args, request.signal, request.work.id);
  if (result.ok) return result.content;
  throw new AppError(result.cause ?? result.errorCode, result.error);
}

/** Opens a gate only by a yes to what is shown: text alone could have been injected. */
async function askToSet(
  request: RequestContext,
  deps: CommandDeps,
  key: string,
  value: string,
): Promise<void> {
  const { core, configTool } = deps;
  const args = { action: "set", key, value };
  assertOpen(request, deps, args);
  const call = await toAskedCall(configTool, args, selectedWorkspace(request, core));
  const approvalId = storeQuestion(request, core, call);
  core.settings.of("command.").set(approvalId, "asked by a command"); // before anybody can answer
  await showQuestion(request, call, approvalId, "person");
}

/** Whether a question came from a command: nothing is left to say after its answer. */
export function isOfCommand({ settings }: AgentCore, approvalId: string): boolean {
  return settings.of("command.").get(approvalId) !== undefined;
}

/** What holds for a call holds for a command: under readonly nothing opens the gate from a chat. */
function assertOpen(
  { hasApprover }: RequestContext,
  { core, configTool }: CommandDeps,
  args: Readonly<Record<string, string>>,
): void {
  const effect = configTool.effect(args);
  const decision = decide(core.security.autonomy, { ...PERSONS_OWN, effect, hasApprover });
  if (decision.kind === "deny") throw new Refusal("denied", ({ locked }) => locked);
}
