import { join } from "node:path";
import { type CommandResult, runCommand } from "../system/run-command.ts";
import { type CheckCommand, STATE_DIR, type Workspace } from "../workspace/workspace.ts";
import type { CheckResult, CheckStage } from "./change.ts";

const MAX_OUTPUT_BYTES = 16 * 1024;

/** Options of {@link runChecks}. */
export interface CheckOptions {
  /** Of each command. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The daemon's own; commands get the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (text: string) => void;
}

/** Runs the commands one after another in the workspace and stops at the first that fails. */
export async function runChecks(
  workspace: Workspace,
  commands: readonly CheckCommand[],
  options: CheckOptions,
): Promise<CheckResult> {
  const { timeoutMs, signal, env, onProgress } = options;
  const stages: CheckStage[] = [];
  for (const { name, argv } of commands) {
    const command = argv.join(" ");
    onProgress?.(name === command ? `check: ${command}` : `check ${name}: ${command}`);
    const cwd = workspace.root;
    // Compiled Python belongs to us, not into the sources that an undo must find as they were.
    const childEnv = { ...env, PYTHONPYCACHEPREFIX: join(cwd, STATE_DIR, "pycache") };
    const maxOutputBytes = MAX_OUTPUT_BYTES;
    const result = await runCommand({
      argv,
      cwd,
      env: childEnv,
      timeoutMs,
      signal,
      maxOutputBytes,
    });
    stages.push(toStage({ name, argv }, result));
    if (result.exitCode !== 0) return { ok: false, stages, sandbox: "none" };
  }
  return { ok: true, stages, sandbox: "none" };
}

function toStage({ name, argv }: CheckCommand, result: CommandResult): CheckStage {
  const { exitCode, durationMs, timedOut } = result;
  const output = Bun.stripANSI(result.output);
  return { name, command: argv, exitCode, durationMs, timedOut, output };
}
