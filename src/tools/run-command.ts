import type { Workspace } from "../workspace/workspace.ts";
import { describeArgv, effectOf, judgeArgv } from "./judge-argv.ts";
import type { CommandDeps } from "./run-argv.ts";
import type { Tool, ToolParameters } from "./tool.ts";

/** `run_command`: one program with its arguments; no shell reads them. */
export function createRunCommandTool(deps: CommandDeps, workspace: Workspace): Tool {
  return {
    // With a network a program prints what strangers wrote.
    origin: workspace.checkNetwork ? "outside" : "workspace",
    leaves(args) {
      const judged = judgeArgv(deps, workspace, args);
      const mayReach =
        workspace.checkNetwork &&
        judged.ok &&
        judged.verdict.kind !== "read" &&
        !judged.verdict.git;
      return mayReach ? { kind: "words", texts: judged.argv } : { kind: "nothing" };
    },
    schema: {
      name: "run_command",
      description:
        "Runs a program in the workspace, no shell; what may change files is asked first",
      parameters: {
        type: "object",
        properties: {
          ...argvProperties('["grep","-rn","main","src"]'),
          timeout_s: { type: "integer" },
        },
        required: ["argv"],
      },
    },
    effect: (args) => effectOf(judgeArgv(deps, workspace, args)),
    describe: (args) => describeArgv(workspace, judgeArgv(deps, workspace, args)),
    async run(args, signal) {
      const judged = judgeArgv(deps, workspace, args);
      if (!judged.ok) return judged;
      const { executeArgv } = await import("./execute-argv.ts");
      return executeArgv(deps, workspace, judged, signal);
    },
  };
}

/** The arguments of a tool that runs a vector somewhere. */
export function argvProperties(example: string): ToolParameters["properties"] {
  return {
    argv: { type: "array", items: { type: "string" }, description: `such as ${example}` },
    cwd: { type: "string", description: "folder" },
  };
}
