import type { Workspace } from "../workspace/workspace.ts";
import { createListFilesTool } from "./list-files.ts";
import { createProposeChangesTool, type Propose } from "./propose-changes.ts";
import { createReadFileTool } from "./read-file.ts";
import { createSearchFilesTool } from "./search-files.ts";
import type { Tool } from "./tool.ts";

/** What the tools of one turn are bound to. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly propose: Propose;
}

/** The tools of one turn. */
export function createTools({ workspace, propose }: ToolContext): readonly Tool[] {
  return [
    createListFilesTool(workspace),
    createReadFileTool(workspace),
    createSearchFilesTool(workspace),
    createProposeChangesTool(propose),
  ];
}
