import packageJson from "../../../package.json" with { type: "json" };
import type { LoadedConfig } from "../../config/load/load.ts";
import { toRealPath } from "../../config/paths.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
import { AppError } from "../../core/app-error.ts";

/** What a foreground daemon says first: where it works, who plans, and what to type. */
export function renderGreeting(loaded: LoadedConfig): string {
  return `papa-yu ${packageJson.version} is ready.

  folder   ${describeFolder(loaded)}
  planner  ${describePlanner(loaded)}

${loaded.config.workspaces.length === 0 ? NO_FOLDER : FIRST_STEPS}
/help lists everything. Ctrl-C cancels what runs; twice, it leaves.

`;
}

const FIRST_STEPS = `Try it, line by line:
  plan: add what a newcomer would miss  reads the folder, changes nothing
  ok                                    shows the diff and its checks, and asks
  y                                     applies it, all or nothing
  /undo                                 takes it back
`;

const NO_FOLDER = `Name a folder first: papayu init writes a config.toml here; fill in its
[[workspaces]] and start again. papayu demo shows what then happens, on a scratch copy.
`;

function describeFolder(loaded: LoadedConfig): string {
  if (loaded.config.workspaces.length === 0) return "none yet";
  try {
    const { name, root } = resolveWorkspace(loaded, undefined, loaded.baseDir);
    return `${name} (${fromHome(root, toRealPath(loaded.userHome))})`;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** A path as people write it. */
function fromHome(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function describePlanner({ config }: LoadedConfig): string {
  const { provider } = config.default;
  return provider === "offline"
    ? "built-in rules: no model, no network; chat needs a [providers.NAME] in config.toml"
    : `${provider}, ${config.providers[provider]?.model ?? "?"}`;
}
