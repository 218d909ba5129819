import { listFiles } from "../../workspace/files.ts";
import { readProfile } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Block } from "./block.ts";
import { chooseFiles } from "./choose-files.ts";
import { type ContextSources, NO_SOURCES } from "./context-sources.ts";
import { renderEnvBlock } from "./env-block.ts";
import { readFileBlock } from "./file-block.ts";
import { preferencesBlocks } from "./preferences-block.ts";
import { readRecentFiles } from "./recent-files.ts";
import { renderTreeBlock } from "./tree-block.ts";

/**
 * What every plan starts from: environment, preferences, tree in brief, the files that the goal
 * speaks of, manifests, and what was changed last.
 */
export async function gatherContext(
  workspace: Workspace,
  goal: string,
  signal: AbortSignal,
  sources: ContextSources = NO_SOURCES,
): Promise<readonly Block[]> {
  const [env, listing] = await Promise.all([
    readEnvBlock(workspace, sources),
    listFiles(workspace.root, { signal }),
  ]);
  const chosen = chooseFiles(goal, workspace.root, listing.paths);
  const [files, recent] = await Promise.all([
    Promise.all(
      chosen.map(({ path, priority, ranges }) => readFileBlock(workspace, path, priority, ranges)),
    ),
    readRecentFiles(workspace, listing.paths, new Set(chosen.map(({ path }) => path))),
  ]);
  return [env, ...preferencesBlocks(workspace), renderTreeBlock(listing), ...files, ...recent];
}

/** The machine and the project as they are now; also the answer to an `env` request. */
export async function readEnvBlock(
  workspace: Workspace,
  { toolVersions }: ContextSources,
): Promise<Block> {
  const profile = await readProfile(workspace.root);
  return renderEnvBlock(workspace, profile, await toolVersions(profile.kind));
}
