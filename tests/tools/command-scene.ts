import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { createSandbox, type SandboxMode } from "../../src/system/sandbox/sandbox.ts";
import { createGitTool } from "../../src/tools/command/git.ts";
import type { CommandDeps } from "../../src/tools/command/run-argv.ts";
import { createRunCommandTool } from "../../src/tools/command/run-command.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Where commands run: as papa-yu does, and in the sandbox where there is one. */
export const MODES: readonly SandboxMode[] = hasBubblewrap ? ["none", "bwrap"] : ["none"];

/** Both tools on a real folder `w`, with a home and somebody else's folder next to it. */
export interface CommandScene extends Disposable {
  readonly dir: string;
  readonly root: string;
  readonly home: string;
  effect(argv: readonly string[], more?: object): string;
  describe(argv: readonly string[], more?: object): string;
  run(argv: readonly string[], more?: object, signal?: AbortSignal): Promise<ToolResult>;
  text(argv: readonly string[], more?: object): Promise<string>;
  gitEffect(line: string): string;
  git(argv: readonly string[] | string, more?: object): Promise<string>;
}

/** Opens the scene. */
export function openCommands(
  mode: SandboxMode,
  files: Readonly<Record<string, string>>,
  more: { readonly deps?: Partial<CommandDeps>; readonly workspace?: Partial<Workspace> } = {},
): CommandScene {
  const dir = tempDir();
  const [root, home] = [join(dir.path, "w"), join(dir.path, "home")];
  mkdirSync(root);
  mkdirSync(home);
  writeTree(root, files);
  const env = { ...process.env, HOME: home, TOKEN: "hush-hush", GIT_DIR: "/nowhere" };
  const deps: CommandDeps = {
    env,
    sandbox: createSandbox({ mode, env, hidden: [] }),
    clock: systemClock,
    allowed: "ls cat grep find echo pwd git head tail wc".split(" "),
    workspaceOnly: true,
    hidden: [],
    ...more.deps,
  };
  const workspace: Workspace = {
    name: "w",
    root,
    check: "none",
    checkTimeoutMs: 60_000,
    maxActions: 0,
    protectedPaths: ["private/**"],
    ...more.workspace,
  };
  const commands = createRunCommandTool(deps, workspace);
  const gitTool = createGitTool(deps, workspace);
  const run = (argv: readonly string[], args = {}, signal = new AbortController().signal) =>
    commands.run({ argv, ...args }, signal, "call_1");
  return {
    dir: dir.path,
    root,
    home,
    effect: (argv, args = {}) => commands.effect({ argv, ...args }),
    describe: (argv, args = {}) => commands.describe?.({ argv, ...args }) ?? "",
    run,
    text: async (argv, args) => textOf(await run(argv, args)),
    gitEffect: (line) => gitTool.effect({ argv: line.split(" ") }),
    async git(argv, args = {}) {
      const words = typeof argv === "string" ? argv.split(" ") : argv;
      return textOf(
        await gitTool.run({ argv: words, ...args }, new AbortController().signal, "call_1"),
      );
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** What the model would read, with the code of a failure in front. */
export function textOf(result: ToolResult): string {
  return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
}

/** Git as a person calls it, with nothing of this machine's configuration. */
export function gitByHand(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Anna", "-c", "user.email=anna@example.com"];
  const env = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...identity, ...args], { cwd, env, encoding: "utf8" });
}

/** Makes the folder a repository in which everything is committed. */
export function initRepository(root: string): void {
  gitByHand(root, "init", "-q", "-b", "main");
  gitByHand(root, "add", "-f", ".");
  gitByHand(root, "commit", "-q", "-m", "first");
}
