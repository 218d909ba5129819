import { firstOf } from "../../../core/few.ts";
import type { Part } from "../../../workspace/part.ts";
import { inlineCode, oneLine } from "../one-line.ts";
import { type ProjectCommand, projectCommands } from "../project-commands.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

const MAX_ENTRIES = 20;

/** A README with what the project says about itself, its real commands and its layout. */
export async function readmeRule(project: ProjectView): Promise<Part<Finding>> {
  if (project.rootNames.some((entry) => /^readme(\.|$)/i.test(entry))) return NOTHING;
  const { name, description } = project.profile;
  const sections = [
    `# ${oneLine(name)}`,
    description === undefined ? "" : sentence(description),
    commandSection(await projectCommands(project)),
    layoutSection(project),
  ];
  const content = `${sections.filter((section) => section !== "").join("\n\n")}\n`;
  return createFile(project, "README.md", content, ({ readme }) => readme);
}

function sentence(description: string): string {
  const line = oneLine(description);
  return /[.!?。！？]$/u.test(line) ? line : `${line}.`;
}

function commandSection(commands: readonly ProjectCommand[]): string {
  if (commands.length === 0) return "";
  const lines = commands.map(({ command, does }) => `- ${inlineCode(command)}: ${does}`);
  return ["## Commands", "", ...lines].join("\n");
}

function layoutSection(project: ProjectView): string {
  const counts = countEntries(project.paths);
  if (counts.size === 0) return "Nothing is here yet: say in a sentence what this is going to be.";
  const shown = [...counts.keys()].filter((entry) => !entry.startsWith("."));
  const folders = shown.filter((entry) => entry.endsWith("/"));
  const entries = [...folders, ...shown.filter((entry) => !entry.endsWith("/"))];
  const lines = firstOf(entries, MAX_ENTRIES).lines(
    (entry) => layoutLine(entry, counts.get(entry) ?? 0, project),
    (left) => `- and ${left} more`,
  );
  return lines.length === 0 ? "" : ["## Layout", "", ...lines].join("\n");
}

/** Files by entry of the root; folders end in "/". */
function countEntries(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const entry = path.slice(0, path.indexOf("/") + 1) || path;
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return counts;
}

function layoutLine(entry: string, files: number, { profile }: ProjectView): string {
  if (!entry.endsWith("/")) return `- ${inlineCode(entry)}`;
  const folder = entry.slice(0, -1);
  const role = [
    profile.sourceRoots.includes(folder) ? "sources, " : "",
    profile.testRoots.includes(folder) ? "tests, " : "",
  ].join("");
  return `- ${inlineCode(entry)}: ${role}${files === 1 ? "1 file" : `${files} files`}`;
}
