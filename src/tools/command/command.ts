export { createGitTool } from "./git.ts";
export type { CommandDeps } from "./run-argv.ts";
export { createRunCommandTool } from "./run-command.ts";
