import type { TurnDeps } from "../../agent/deps.ts";
import type { LoadedConfig } from "../../config/load/load.ts";
import type { Clock } from "../../core/clock.ts";
import { toInjectionCheck } from "../../security/injection.ts";
import type { Ready } from "../../store/writer/writer.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { CommandDeps } from "../../tools/command/command.ts";
import type { ToolDeps } from "../../tools/create.ts";
import type { McpTools } from "../../tools/mcp/mcp.ts";
import type { Tool } from "../../tools/tool.ts";
import type { createWebTools } from "./create-web-tools.ts";
import type { Models } from "./models.ts";
import { ownFiles } from "./own-files.ts";
import type { SharedServices } from "./shared-services.ts";

/** What the tools of a configuration work with, as they remember and as they show it. */
export type ToolPlaces = Omit<ToolDeps, "commands" | "routines">;

/** The tools of each turn: the own ones, those of the web, those of servers. */
export function createTurnTools(
  loaded: LoadedConfig,
  services: SharedServices,
  { models, mcp, places }: ToolParts,
): TurnDeps["toolsFor"] {
  const { environment, openRoutines, state, clock } = services;
  const commands = createCommandDeps(loaded, environment.env, clock);
  const own: ToolDeps = { ...places, commands, routines: openRoutines };
  const openWebTools = deferWebTools(loaded, services, models);
  const check = toInjectionCheck(loaded.config.security.injection_check);
  return async (context, signal, tell) => {
    // Loaded with the first turn: a start needs none of them.
    const { createTools } = await import("../../tools/create.ts");
    const webTools = await openWebTools();
    const tools = [
      ...createTools(context, own),
      ...webTools(context.workspace),
      ...(await mcp.tools(signal, tell, check)),
    ];
    return tools.map((tool) => toolWhenReady(tool, state.ready));
  };
}

interface ToolParts {
  readonly models: Models;
  readonly mcp: McpTools;
  readonly places: ToolPlaces;
}

function deferWebTools(
  { config }: LoadedConfig,
  { state, secrets, log, clock }: SharedServices,
  { provider, extractProvider }: Models,
) {
  let webTools: ReturnType<typeof createWebTools> | undefined;
  return async () => {
    const web = await import("./create-web-tools.ts");
    return (webTools ??= web.createWebTools({
      config,
      store: state.store,
      secret: secrets.read,
      redactor: secrets.redactor,
      extractProvider: provider.name === "offline" ? undefined : extractProvider,
      log,
      clock,
    }));
  };
}

/** A tool that begins, and gives its result, when the database can be written. */
export function toolWhenReady(tool: Tool, ready: Ready): Tool {
  return {
    ...tool,
    async run(args, signal, callId, tell) {
      await ready(signal);
      const result = await tool.run(args, signal, callId, tell);
      await ready(signal);
      return result;
    },
  };
}

/** What commands of a chat work with; their sandbox is loaded with the first of them. */
export function createCommandDeps(
  loaded: LoadedConfig,
  env: CommandDeps["env"],
  clock: Clock,
): CommandDeps {
  const { security } = loaded.config;
  const hidden = ownFiles(loaded);
  let sandbox: Sandbox | undefined;
  return {
    env,
    async sandbox() {
      const { createSandbox } = await import("../../system/sandbox/sandbox.ts");
      const { sandboxOptions } = await import("./sandbox-options.ts");
      sandbox ??= createSandbox(sandboxOptions(loaded, env));
      return sandbox();
    },
    clock,
    allowed: security.allowed_commands,
    workspaceOnly: security.workspace_only,
    hidden,
  };
}
