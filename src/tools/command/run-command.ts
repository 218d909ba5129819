import { posix } from "node:path";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tool, ToolArguments, ToolFailure, ToolParameters } from "../tool.ts";
import { type CheckedArgv, checkArgv, describeArgv, effectOf } from "./check-argv.ts";
import type { CommandDeps } from "./run-argv.ts";

/** `run_command`: one program with its arguments; no shell reads them. */
export function createRunCommandTool(deps: CommandDeps, workspace: Workspace): Tool {
  return {
    // With a network a program prints what strangers wrote.
    origin: workspace.checkNetwork ? "outside" : "workspace",
    async leaves(args) {
      const checked = checkArgv(deps, workspace, args);
      const mayLeave = checked.ok && (await reachesOut(deps, workspace, checked));
      return mayLeave ? { kind: "words", texts: [checked.argv.join(" ")] } : { kind: "nothing" };
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
    effect: (args) => effectOf(checkArgv(deps, workspace, args)),
    describe: (args) => describeArgv(workspace, checkArgv(deps, workspace, args)),
    async run(args, signal) {
      const checked = checkArgv(deps, workspace, args);
      if (!checked.ok) return nameNear(workspace, checked, args, signal);
      const { executeArgv } = await import("./execute-argv.ts");
      const result = await executeArgv(deps, workspace, checked, signal);
      return isLook(checked) ? { ...result, origin: "workspace" } : result;
    },
  };
}

/** Of a folder that is not there: the one that a file lies in, or those that are called nearly so. */
async function nameNear(
  workspace: Workspace,
  refused: ToolFailure,
  { cwd }: ToolArguments,
  signal: AbortSignal,
): Promise<ToolFailure> {
  const guarded = resolvePath(workspace, String(cwd), "read");
  if (refused.errorCode !== "not_found" || !guarded.ok) return refused;
  const { stat, path } = guarded;
  const { didYouMean } = await import("../files/nearest-paths.ts");
  const folder = posix.dirname(path);
  const near = !stat
    ? await didYouMean(workspace, path, "folder", signal)
    : folder === "."
      ? "; leave cwd out"
      : `; did you mean "${folder}"`;
  return { ...refused, error: refused.error + near };
}

/** Whether what it is given can get any further than this machine: without a sandbox, too. */
async function reachesOut(
  { sandbox }: CommandDeps,
  { checkNetwork = false }: Workspace,
  checked: CheckedArgv,
): Promise<boolean> {
  if (isLook(checked)) return false;
  return (
    checkNetwork ||
    sandbox().then(
      ({ kind }) => kind === "none",
      () => true,
    )
  );
}

/** What only looks, and git, call nobody, with a network or without. */
function isLook({ verdict }: CheckedArgv): boolean {
  return verdict.kind === "read" || verdict.git !== undefined;
}

/** The arguments of a tool that runs a vector somewhere. */
export function argvProperties(example: string): ToolParameters["properties"] {
  return {
    argv: { type: "array", items: { type: "string" }, description: `such as ${example}` },
    cwd: { type: "string", description: "folder" },
  };
}
