import type { Workspace } from "../workspace/workspace.ts";
import { createListFilesTool } from "./list-files.ts";
import { createProposeChangesTool } from "./propose-changes.ts";
import { createReadFileTool } from "./read-file.ts";
import { createSearchFilesTool } from "./search-files.ts";
import type { Tool } from "./tool.ts";

/** The tools of one turn, bound to its workspace. */
export function createTools(context: {
  readonly workspace: Workspace;
  readonly propose: (goal: string, signal: AbortSignal) => Promise<string>;
}): readonly Tool[] {
  const { workspace, propose } = context;
  return [
    createListFilesTool(workspace),
    createReadFileTool(workspace),
    createSearchFilesTool(workspace),
    createProposeChangesTool(propose),
  ];
}
