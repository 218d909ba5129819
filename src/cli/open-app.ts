import { type App, createApp } from "../app.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { resolveWorkspace } from "../config/workspaces.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CliContext } from "./context.ts";
import type { Parsed } from "./parse.ts";

/** Reads the configuration that `--config` or the usual places name; warnings go to stderr. */
export async function openConfig(parsed: Parsed, context: CliContext): Promise<LoadedConfig> {
  const path = parsed.text("config");
  const { cwd, env, userHome } = context;
  const loaded = await loadConfig({
    ...(path !== undefined && { path }),
    cwd,
    env,
    home: userHome,
  });
  for (const warning of loaded.warnings) context.stderr.write(`papayu: warning: ${warning}\n`);
  return loaded;
}

/**
 * The app of a one-shot command. Events go to stderr, but not into the face of a person at a
 * terminal, for whom the command's own words are enough.
 */
export async function openApp(parsed: Parsed, context: CliContext): Promise<App> {
  const loaded = await openConfig(parsed, context);
  const quiet = context.stderr.isTTY && !parsed.flag("json");
  const write = quiet ? () => {} : (line: string) => void context.stderr.write(line);
  return createApp(loaded, { env: context.env, cwd: context.cwd, writeLog: write });
}

/** The workspace that `-w` names, else the first configured one, else the current folder. */
export function pickWorkspace(app: App, parsed: Parsed, context: CliContext): Workspace {
  const { loaded } = app;
  const fallback = loaded.config.workspaces.length === 0 ? context.cwd : undefined;
  return resolveWorkspace(loaded, parsed.text("workspace") ?? fallback, context.cwd);
}

/** Exactly one JSON document, or text for people. */
export function print(context: CliContext, json: boolean, report: unknown, text: string): void {
  context.stdout.write(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
}
