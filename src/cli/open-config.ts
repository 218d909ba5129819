import {
  brokenWarning,
  type ConfigSource,
  type LoadedConfig,
  loadConfig,
} from "../config/load/load.ts";
import type { LoadOptions } from "../config/places/places.ts";
import { resolveWorkspace } from "../config/workspaces.ts";
import { toPrintableText } from "../core/visible-text.ts";
import type { Ledger } from "../workspace/ledger.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./context.ts";
import type { Parsed } from "./parse.ts";
import { wrapFor } from "./print.ts";

/** Reads the configuration that `--config` or the usual places name. */
export function readConfig(parsed: Parsed, context: CliContext): Promise<LoadedConfig> {
  return loadConfig(toLoadOptions(parsed, context));
}

/** Where a command looks for its configuration. */
export function toLoadOptions(
  parsed: Parsed,
  { caller: { cwd, env, userHome: home } }: CliContext,
): LoadOptions {
  const path = parsed.text("config");
  return { ...(path !== undefined && { path }), cwd, env, home };
}

/** Says on stderr which found file is left out, where a command says nothing else of warnings. */
export function warnOfBroken(broken: ConfigSource["broken"], context: CliContext): void {
  if (broken) warn(brokenWarning(broken), context);
}

/** The same for a command with other things to say: its warnings go to stderr. */
export async function openConfig(parsed: Parsed, context: CliContext): Promise<LoadedConfig> {
  const loaded = await readConfig(parsed, context);
  for (const warning of loaded.warnings) warn(warning, context);
  return loaded;
}

function warn(warning: string, context: CliContext): void {
  const { stderr } = context;
  stderr.write(wrapFor(stderr, context, toPrintableText(`papayu: warning: ${warning}\n`)));
}

/**
 * The workspace that `-w` names, else the first configured one, else the current folder. Without
 * the ledger of its home nothing in its state folder is trusted.
 */
export function pickWorkspace(
  loaded: LoadedConfig,
  parsed: Parsed,
  { caller: { cwd } }: CliContext,
  ledger?: Ledger,
): Workspace {
  const fallback = loaded.config.workspaces.length === 0 ? cwd : undefined;
  const workspace = resolveWorkspace(loaded, parsed.text("workspace") ?? fallback, cwd);
  return ledger ? { ...workspace, ledger } : workspace;
}
