import { sha256 } from "../../core/sha256.ts";
import { findAllProgramFiles } from "../../tools/program-files.ts";
import type { Tool, ToolArguments } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A call as a person is asked about it. */
export interface AskedCall {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly argsJson: string;
  /** What is shown of it. */
  readonly shown: string;
  /**
   * Over the tool, the exact arguments, what is shown, the workspace by its name and folder, and the
   * files that the arguments name or obey.
   */
  readonly callSha256: string;
}

/** Binds a call to its content: with another argument, or another script on disk, it is another. */
export async function toAskedCall(
  tool: Tool,
  args: ToolArguments,
  workspace: Workspace,
): Promise<AskedCall> {
  const { name } = tool.schema;
  const argsJson = JSON.stringify(args);
  const shown = tool.describe?.(args) ?? `${name} ${JSON.stringify(args, null, 2)}`;
  const texts = textsIn(args);
  const words = [...texts, ...texts.flatMap((text) => text.split(/\s+/u))];
  const files = await findAllProgramFiles(workspace, words);
  const states = files.map(({ path, state }) => `${path} ${state}`);
  const where = [workspace.name, workspace.root];
  const callSha256 = sha256(JSON.stringify([name, argsJson, shown, where, states]));
  return { tool: name, args, argsJson, shown, callSha256 };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
