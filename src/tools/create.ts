import type { MemoryStore } from "../store/memories/memories.ts";
import type { Skill } from "../workspace/skills/skills.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CommandDeps } from "./command/command.ts";
import { createGitTool, createRunCommandTool } from "./command/command.ts";
import { type ConfigAccess, createConfigTool } from "./config.ts";
import {
  createListFilesTool,
  createReadFileTool,
  createSearchFilesTool,
  createSendFileTool,
  type FileWay,
} from "./files/files.ts";
import { createForgetTool, createRecallTool, createRememberTool } from "./memory/memory.ts";
import { createProposeChangesTool, type Propose } from "./propose-changes.ts";
import { createRoutineTool } from "./routine.ts";
import type { RoutineService } from "./routine-service.ts";
import { createSkillTool } from "./skill.ts";
import type { Tool } from "./tool.ts";

/** What the tools of one turn are bound to. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** Who speaks: memories are theirs. */
  readonly userId: string;
  readonly skills: readonly Skill[];
  readonly propose: Propose;
  /** Without it nobody is there to get files. */
  readonly files?: FileWay;
}

/** What the tools of every turn work with. */
export interface ToolDeps extends ConfigAccess {
  readonly memories: MemoryStore;
  readonly now: () => number;
  /** What runs programs. */
  readonly commands: CommandDeps;
  readonly routines: () => Promise<RoutineService>;
}

/** The tools of one turn. */
export function createTools(
  { workspace, userId, skills, propose, files }: ToolContext,
  deps: ToolDeps,
): readonly Tool[] {
  const { commands } = deps;
  const memory = { ...deps, owner: { userId, workspaceRoot: workspace.root } };
  return [
    createListFilesTool(workspace),
    createReadFileTool(workspace),
    createSearchFilesTool(workspace),
    ...(files ? [createSendFileTool(workspace, files, deps.redact)] : []),
    createProposeChangesTool(propose),
    createRememberTool(memory),
    createRecallTool(memory),
    createForgetTool(memory),
    createConfigTool(deps),
    createRoutineTool(deps.routines),
    ...(skills.length > 0 ? [createSkillTool(skills)] : []),
    createRunCommandTool(commands, workspace),
    createGitTool(commands, workspace),
  ];
}
