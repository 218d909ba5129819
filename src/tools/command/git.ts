import type { Workspace } from "../../workspace/workspace.ts";
import type { Tool, ToolArguments } from "../tool.ts";
import { readArgv } from "./check-argv.ts";
import type { CommandDeps } from "./run-argv.ts";
import { argvProperties, createRunCommandTool } from "./run-command.ts";

/** `git`: seven subcommands whose options are all known; for configurations that allow no commands. */
export function createGitTool(deps: CommandDeps, workspace: Workspace): Tool {
  const inner = createRunCommandTool({ ...deps, allowed: ["git"] }, workspace);
  return {
    schema: {
      name: "git",
      description: "git status, diff, log, add, commit, branch, checkout",
      parameters: {
        type: "object",
        properties: argvProperties('["log","-5","--oneline"]'),
        required: ["argv"],
      },
    },
    isRare: true,
    origin: "workspace",
    // None of its subcommands reaches another machine.
    leaves: "nothing",
    effect: (args) => inner.effect(withGit(args)),
    describe: (args) => inner.describe?.(withGit(args)) ?? "",
    run: (args, signal, callId) => inner.run(withGit(args), signal, callId),
  };
}

/** Models repeat the name or leave it out. */
function withGit(args: ToolArguments): ToolArguments {
  const argv = readArgv(args["argv"]);
  return { ...args, argv: argv[0] === "git" ? argv : ["git", ...argv] };
}
