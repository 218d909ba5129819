import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { type CommandResult, runCommand } from "../../system/run/run.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import { cacheVariables } from "../../transaction/check.ts";
import { ensureStateSubdir } from "../../workspace/state-dir.ts";
import { STATE_DIR, type Workspace } from "../../workspace/workspace.ts";

const MAX_OUTPUT_BYTES = 16 * 1024;

/** What commands need of the daemon. */
export interface CommandDeps {
  /** The daemon's own; commands get the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** `security.allowed_commands`. */
  readonly allowed: readonly string[];
  /** `security.workspace_only`. */
  readonly workspaceOnly: boolean;
  /** Real paths of the daemon's own files and folders. */
  readonly hidden: readonly string[];
}

/** One command in a workspace. */
export interface ArgvRequest {
  readonly workspace: Workspace;
  readonly argv: readonly string[];
  /** Absolute real path in the workspace. */
  readonly cwd: string;
  /** What of the workspace it may write to; "repository": git's own folder too. */
  readonly writes: "nothing" | "files" | "repository";
  /** Absolute paths outside of the workspace that it must see. */
  readonly outside?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How it ended, and what it ran in where that is no sandbox. */
export interface ArgvResult extends CommandResult {
  readonly sandboxNote: string | undefined;
}

/** Runs a command as checks are run: their sandbox, their limits, nothing but their environment. */
export async function runArgv(deps: CommandDeps, request: ArgvRequest): Promise<ArgvResult> {
  const { workspace, argv, cwd, writes, outside = [], timeoutMs, signal } = request;
  const { root, checkNetwork = false } = workspace;
  const sandbox = await deps.sandbox();
  const cache = writes === "files" ? ensureStateSubdir(workspace, "cache") : undefined;
  const enclosure =
    sandbox.kind === "bwrap" &&
    sandbox.enclose({
      program: argv[0] ?? "",
      root,
      cwd,
      readOnly: [...readOnlyParts(root, writes), ...outside],
      writable: cache === undefined ? [] : [cache],
      network: checkNetwork && writes === "files",
    });
  const result = await runCommand({
    argv,
    cwd,
    env: { ...deps.env, ...(cache !== undefined && cacheVariables(cache, sandbox)) },
    ...(request.variables && { variables: request.variables }),
    ...(enclosure && { sandbox: enclosure }),
    ...(sandbox.limits && { limits: sandbox.limits }),
    writable: writes === "nothing" ? [] : [root],
    timeoutMs,
    signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const sandboxNote = sandbox.kind === "none" ? sandbox.reason : undefined;
  return { ...result, output: Bun.stripANSI(result.output), sandboxNote };
}

function readOnlyParts(root: string, writes: ArgvRequest["writes"]): readonly string[] {
  switch (writes) {
    case "nothing":
      return [root];
    case "files":
      return [join(root, ".git"), join(root, STATE_DIR)];
    case "repository":
      return [join(root, STATE_DIR)];
    default:
      return writes satisfies never;
  }
}
