import { join } from "node:path";
import { cutText, shorten } from "../core/cut-text.ts";
import { type CommandResult, readTerminalText, runCommand } from "../system/run/run.ts";
import {
  type SandboxDoor,
  type SandboxRoom,
  type SandboxState,
  throughDoor,
} from "../system/sandbox/sandbox.ts";
import { ensureStateSubdir } from "../workspace/state-dir.ts";
import { type CheckCommand, STATE_DIR, type Workspace } from "../workspace/workspace.ts";
import type { CheckResult, CheckStage, CheckStep, Printed } from "./change.ts";
import type { View } from "./view/view.ts";

const MAX_OUTPUT_BYTES = 16 * 1024;

/** Options of {@link runChecks}. */
export interface CheckOptions {
  /** Of each command. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The daemon's own; commands get the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxState;
  /** Where they run; default: in the folder itself. */
  readonly view?: View;
  /** Marks every process that the commands start. */
  readonly mark: string;
  readonly onProgress?: (step: CheckStep) => void;
  /** What is laid over the environment, given where tools may keep things; default: nothing. */
  readonly variables?: (cache: string) => Readonly<Record<string, string>>;
  /** The one way out that commands in a view have; default: none. */
  readonly door?: SandboxDoor;
}

/**
 * Runs the commands one after another in the workspace, or in a view of it, and stops at the first
 * that fails.
 */
export async function runChecks(
  workspace: Workspace,
  commands: readonly CheckCommand[],
  options: CheckOptions,
): Promise<CheckResult> {
  const { timeoutMs, signal, sandbox, view, mark, onProgress, variables, door } = options;
  const cwd = view?.root ?? workspace.root;
  ensureStateSubdir(workspace, "cache");
  const cache = join(cwd, STATE_DIR, "cache");
  const env = { ...options.env, ...cacheVariables(cache, sandbox) };
  const stages: CheckStage[] = [];
  for (const [index, { name, argv, folder }] of commands.entries()) {
    const command = argv.join(" ");
    const check = name === command ? command : `${name}: ${command}`;
    onProgress?.(commands.length > 1 ? { check, at: index + 1, of: commands.length } : check);
    const own = {
      ...roomOf({ ...workspace, root: cwd }, argv, cache),
      ...(folder && { cwd: join(cwd, folder) }),
    };
    const { room, argv: started } = door ? throughDoor(door, argv, own) : { room: own, argv };
    const request = {
      argv: started,
      env,
      mark,
      timeoutMs,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      variables: variables?.(cache) ?? offlineVariables(workspace, sandbox),
      ...(onProgress && { onOutput: tellLines(onProgress) }),
    };
    const result = view
      ? await view.run({ ...request, room })
      : await runCommand({
          ...request,
          cwd,
          ...(sandbox.kind === "bwrap" && { sandbox: sandbox.enclose(room) }),
          ...(sandbox.limits && { limits: sandbox.limits }),
          writable: [cwd],
        });
    stages.push(toStage({ name, argv }, result, timeoutMs));
    if (result.exitCode !== 0) break;
  }
  const ok = stages.every(({ exitCode }) => exitCode === 0);
  const sandboxNote = noteOf(workspace, sandbox, stages);
  const result = { ok, stages, sandbox: sandbox.kind, sandboxNote };
  const gaps = sandbox.kind === "bwrap" ? sandbox.gaps : [];
  return gaps.length > 0 ? { ...result, sandboxGaps: gaps } : result;
}

/** A longer line tells nobody more. */
const MOST_LINE_CHARS = 400;

/** More of one piece of output goes by too fast to be read. */
const MOST_LINES = 3;

/** Tells the last whole lines of each piece of output; blank ones are left out. */
function tellLines(tell: (line: Printed) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/[\r\n]+/u);
    rest = cutText(lines.pop() ?? "", MOST_LINE_CHARS);
    for (const line of lines.filter((each) => each.trim() !== "").slice(-MOST_LINES)) {
      const { text, looks } = readTerminalText(line);
      const printed = shorten(text, MOST_LINE_CHARS);
      tell({ printed, ...(looks.length > 0 && { looks }) });
    }
  };
}

/** What tools keep between runs belongs to us, not into the sources that an undo must find as they were. */
export function cacheVariables(
  cache: string,
  { kind }: SandboxState,
): Readonly<Record<string, string>> {
  return {
    PYTHONPYCACHEPREFIX: join(cache, "pycache"),
    ...(kind === "bwrap" && { GOCACHE: join(cache, "go-build") }), // Go must write to its own
  };
}

/**
 * Without a network Cargo tries for a while, and gives up on what it could do with what was fetched
 * before: a crate without a lock file. It has to be told.
 */
function offlineVariables(
  { checkNetwork = false }: Workspace,
  { kind }: SandboxState,
): Readonly<Record<string, string>> {
  return kind === "bwrap" && !checkNetwork ? { CARGO_NET_OFFLINE: "true" } : {};
}

/**
 * A check may write to the workspace but not to what papa-yu and git keep in it: journals and
 * before-images are needed for a roll-back, and a hook of git runs later, outside of every sandbox.
 */
function roomOf(
  { root, checkNetwork: network = false }: Workspace,
  [program = ""]: readonly string[],
  cache: string,
): SandboxRoom {
  const readOnly = [join(root, ".git"), join(root, STATE_DIR)];
  return { program, root, readOnly, writable: [cache], network };
}

function noteOf(
  { checkNetwork }: Workspace,
  sandbox: SandboxState,
  stages: readonly CheckStage[],
): string {
  if (sandbox.kind === "none") return sandbox.reason;
  if (checkNetwork) return "with network";
  const missesIt = stages.some(({ exitCode, output }) => exitCode !== 0 && missesNetwork(output));
  return missesIt ? "no network, which a check seems to ask for" : "no network";
}

/** What C libraries, runtimes and package managers print where no name is looked up and no route leads out. */
const NO_NETWORK =
  /network is unreachable|name resolution|name or service not known|could not resolve|dns error|failed to lookup address|dial tcp: lookup|offline mode|offline was specified|ENETUNREACH|EAI_AGAIN|DNSResolveFailed|UnknownHostException/iu;

/** Whether the output of a command that failed shows that it looked for a network and found none. */
function missesNetwork(output: string): boolean {
  return NO_NETWORK.test(output);
}

function toStage({ name, argv }: CheckCommand, result: CommandResult, limitMs: number): CheckStage {
  const { exitCode, durationMs, timedOut, excess } = result;
  const { text: output, looks } = readTerminalText(result.output);
  const stage = { name, command: argv, exitCode, durationMs, timedOut, output };
  const more = { ...(looks.length > 0 && { looks }), ...(timedOut && { limitMs }) };
  return { ...stage, ...more, ...(excess && { excess }) };
}
