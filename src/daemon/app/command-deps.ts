import type { LoadedConfig } from "../../config/load/load.ts";
import type { Clock } from "../../core/clock.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { CommandDeps } from "../../tools/command/command.ts";
import { ownFiles } from "./own-files.ts";

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
