import type { LoadedConfig } from "../../config/load/load.ts";
import { workspaceRoots } from "../../config/workspaces.ts";
import { toLimits } from "../../system/limits.ts";
import type { SandboxOptions } from "../../system/sandbox/sandbox.ts";
import { ownFiles } from "./own-files.ts";

/** What a configuration says of the sandbox, for checks and commands alike. */
export function sandboxOptions(loaded: LoadedConfig, env: SandboxOptions["env"]) {
  const { security, sandbox } = loaded.config;
  return {
    mode: security.sandbox,
    env,
    hidden: ownFiles(loaded),
    workspaces: workspaceRoots(loaded),
    limits: toLimits(sandbox),
  } satisfies SandboxOptions;
}
