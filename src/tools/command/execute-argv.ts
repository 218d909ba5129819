import { describeExcess } from "../../system/limits.ts";
import { withWorkspaceLock } from "../../transaction/lock.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { failure, type ToolFailure, type ToolResult } from "../tool.ts";
import type { CheckedArgv } from "./check-argv.ts";
import { listSearchFiles } from "./list-search-files.ts";
import { prepareGit } from "./prepare-git.ts";
import { type ArgvRequest, type ArgvResult, type CommandDeps, runArgv } from "./run-argv.ts";
import { watchChanges } from "./watch-changes.ts";

/** Runs a checked command and tells how it ended and what it changed. */
export async function executeArgv(
  deps: CommandDeps,
  workspace: Workspace,
  checked: CheckedArgv,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = await prepare(deps, workspace, checked, signal);
  if ("ok" in request) return request;
  if (checked.verdict.kind === "read") return toResult(request, await runArgv(deps, request));
  // One writer at a time: a transaction would take what changes meanwhile for the user's work.
  const { clock } = deps;
  return withWorkspaceLock({ workspace, clock, signal }, "a command", async () => {
    const tellChanges = await watchChanges({ deps, workspace, cwd: request.cwd, signal });
    const result = await runArgv(deps, request);
    return toResult(request, result, await tellChanges());
  });
}

async function prepare(
  deps: CommandDeps,
  workspace: Workspace,
  { verdict, argv, cwd, outside, timeoutMs }: CheckedArgv,
  signal: AbortSignal,
): Promise<ArgvRequest | ToolFailure> {
  const isReading = verdict.kind === "read";
  const request = { workspace, cwd, outside, timeoutMs, signal };
  if (verdict.git) {
    const prepared = await prepareGit({ deps, workspace, cwd, signal }, verdict.git);
    if (!prepared.ok) return prepared;
    const { argv: words, variables } = prepared;
    const writes = isReading ? "nothing" : "repository";
    return { ...request, argv: words, variables, writes };
  }
  const writes = isReading ? "nothing" : "files";
  if (!verdict.search) return { ...request, argv, writes };
  const { head, folders } = verdict.search;
  const { hidden } = deps;
  const files = await listSearchFiles({ workspace, cwd, folders, hidden, signal });
  if (files === undefined) {
    return failure("too_large", "there are too many files to search at once; name a folder");
  }
  // Without a file grep would search the folder by itself.
  return files.length === 0
    ? failure("not_found", `there is no file to search in ${folders.join(" ")}`)
    : { ...request, argv: [...head, ...files], writes };
}

function toResult(
  { argv, timeoutMs, signal }: ArgvRequest,
  { exitCode, timedOut, excess, output, durationMs, sandboxNote }: ArgvResult,
  changes?: string,
): ToolResult {
  const more = [...(output === "" ? [] : [output.trimEnd()]), ...(changes ? [changes] : [])];
  if (signal.aborted) return failure("denied", ["cancelled while it ran", ...more].join("\n"));
  if (timedOut) {
    const limit = `ended by the time limit of ${timeoutMs / 1000} s`;
    return failure("timeout", [limit, ...more].join("\n"));
  }
  if (excess) return failure("too_large", [describeExcess(excess), ...more].join("\n"));
  if (exitCode === null && output.startsWith(`Cannot run "${argv[0]}"`)) {
    return failure("not_found", output.trim());
  }
  const ended = exitCode === null ? "killed" : `exit code ${exitCode}`;
  const seconds = (durationMs / 1000).toFixed(1);
  const room = sandboxNote === undefined || !changes ? "" : `, no sandbox: ${sandboxNote}`;
  return { ok: true, content: [`(${ended}, ${seconds} s${room})`, ...more].join("\n") };
}
