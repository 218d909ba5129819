import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { shorten } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type CommandVerdict, evaluateCommand } from "../../security/command-policy.ts";
import { childEnvironment } from "../../system/child-environment.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findProgramFiles } from "../program-files.ts";
import { failure, type ToolArguments, type ToolEffect, type ToolFailure } from "../tool.ts";
import { guardCommandPaths } from "./guard-command-paths.ts";
import type { CommandDeps } from "./run-argv.ts";

type Allowed = Exclude<CommandVerdict, { kind: "deny" }>;

/** A command that may run, at the latest after a person's yes. */
export interface CheckedArgv {
  readonly ok: true;
  readonly argv: readonly string[];
  /** Absolute real path in the workspace. */
  readonly cwd: string;
  readonly verdict: Allowed;
  /** Real paths outside of the workspace that it reads. */
  readonly outside: readonly string[];
  readonly timeoutMs: number;
}

const NO_SHELL_SYNTAX = /^[\w./@%+=:,-]+(?: +[\w./@%+=:,-]+)+$/u;

/** Checks the arguments of a call: the words by the policy, the paths among them by the guard. */
export function checkArgv(
  deps: CommandDeps,
  workspace: Workspace,
  args: ToolArguments,
): CheckedArgv | ToolFailure {
  const argv = readArgv(args["argv"]);
  const cwd = findFolder(workspace, args["cwd"]);
  if (typeof cwd !== "string") return cwd;
  const checked = evaluateCommand(argv, deps.allowed);
  if (checked.kind === "deny") return denied(argv, checked.reason);
  const verdict: Allowed =
    checked.kind !== "ask" && isFromWorkspace(deps, workspace, argv)
      ? { ...checked, kind: "ask" }
      : checked;
  const paths = guardCommandPaths(verdict.paths, {
    workspace,
    cwd,
    mayLeave: verdict.kind === "read" && verdict.git === undefined && !deps.workspaceOnly,
    hidden: deps.hidden,
    isExact: verdict.kind === "read" || verdict.git !== undefined,
  });
  if (!paths.ok) return denied(argv, paths.reason);
  const { outside } = paths;
  return { ok: true, argv, cwd, verdict, outside, timeoutMs: toTimeout(workspace, args) };
}

/** What a checked call may do; one that is refused does nothing. */
export function effectOf(checked: CheckedArgv | ToolFailure): ToolEffect {
  if (!checked.ok) return "none";
  switch (checked.verdict.kind) {
    case "read":
      return "none";
    case "change":
      return "change";
    case "ask":
      return "person";
    default:
      return checked.verdict.kind satisfies never;
  }
}

/**
 * What a person approves: where it runs, every word with the quotes that show its ends, and the
 * hash of each file of the workspace that it names or obeys, so that an edit shows.
 */
export function describeArgv(workspace: Workspace, checked: CheckedArgv | ToolFailure): string {
  if (!checked.ok) return toVisibleText(checked.error);
  const { argv, cwd } = checked;
  const folder = relative(workspace.root, cwd);
  const lines = [
    `Run in "${join(workspace.name, folder)}":`,
    `  ${argv.map(quote).join(" ")}`,
    ...findProgramFiles(workspace, argv, folder).map(({ path, state }) => `  ${path}: ${state}`),
  ];
  return toVisibleText(lines.join("\n"));
}

/** One word that is a whole command line without anything for a shell is split. */
export function readArgv(given: unknown): readonly string[] {
  const argv = Array.isArray(given) ? given.map(String) : [];
  const [only = ""] = argv;
  return argv.length === 1 && NO_SHELL_SYNTAX.test(only) ? only.split(/ +/u) : argv;
}

function findFolder(workspace: Workspace, given: unknown): string | ToolFailure {
  const folder = typeof given === "string" ? given.replace(/^\.\/|\/+$/gu, "") : "";
  if (folder === "" || folder === ".") return workspace.root;
  const guarded = resolvePath(workspace, folder, "read");
  if (!guarded.ok) return failure("denied", guarded.message);
  if (guarded.stat?.isDirectory()) return guarded.absolute;
  const reason = guarded.stat ? "it is a file" : "there is no such folder";
  return failure("not_found", `Cannot run in "${folder}": ${reason}`);
}

/** Under the name of a known program the workspace may have put another one in its way. */
function isFromWorkspace(
  { env }: CommandDeps,
  { root }: Workspace,
  [program = ""]: readonly string[],
): boolean {
  const { PATH = "" } = childEnvironment(env);
  const found = Bun.which(program, { PATH });
  if (found === null) return false;
  return [found, realpathSync(found)].some((path) => path.startsWith(`${root}/`));
}

function toTimeout({ checkTimeoutMs }: Workspace, { timeout_s }: ToolArguments): number {
  const wantedMs = typeof timeout_s === "number" ? timeout_s * 1000 : checkTimeoutMs;
  return Math.min(Math.max(wantedMs, 1000), checkTimeoutMs);
}

function denied(argv: readonly string[], reason: string): ToolFailure {
  const shown = shorten(argv.map(quote).join(" "), 200);
  return failure("denied", `Cannot run ${shown}: ${reason}`);
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word);
}
