/** Files that agents obey in later turns, of papa-yu and of others that work in the folder. */
const NAMES: ReadonlySet<string> = new Set([
  "agents.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  "skill.md",
  "copilot-instructions.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".mcp.json",
]);

const FOLDERS: ReadonlySet<string> = new Set([
  ".agents",
  ".claude",
  ".cursor",
  ".gemini",
  ".codex",
]);

/** Whether the file at `path` gives orders to agents, so that writing it is writing rules. */
export function isRulesFile(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  return NAMES.has(parts.at(-1) ?? "") || parts.some((part) => FOLDERS.has(part));
}
