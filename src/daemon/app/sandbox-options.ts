import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
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

/** Where the configured workspaces are; one that is gone has nothing to hide. */
function workspaceRoots(loaded: LoadedConfig): readonly string[] {
  return loaded.config.workspaces.flatMap(({ name }) => {
    try {
      return [resolveWorkspace(loaded, name, loaded.baseDir).root];
    } catch {
      return [];
    }
  });
}
