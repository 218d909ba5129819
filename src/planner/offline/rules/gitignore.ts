import type { ProjectKind } from "../../../workspace/manifest.ts";
import type { Part } from "../../../workspace/part.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

/** A .gitignore for the kind of project; a plain folder gets one only under git. */
export async function gitignoreRule(project: ProjectView): Promise<Part<Finding>> {
  const { kind } = project.profile;
  if (kind === "plain" && !project.rootNames.includes(".git")) return NOTHING;
  const groups = [GENERATED[kind], SECRETS, MACHINE].filter((lines) => lines.length > 0);
  const content = `${groups.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  return createFile(project, ".gitignore", content, ({ gitignore }) => gitignore);
}

/** With no "/" at the end where people put a link to a folder they share between checkouts. */
const GENERATED: Readonly<Record<ProjectKind, readonly string[]>> = {
  node: ["node_modules", "dist/", "coverage/", "*.tsbuildinfo", "*.log"],
  rust: ["/target/"],
  python: [
    "__pycache__/",
    "*.py[cod]",
    ".venv",
    "venv",
    "*.egg-info/",
    ".pytest_cache/",
    "/build/",
    "/dist/",
  ],
  go: ["*.test", "*.out"],
  plain: [],
};
const SECRETS = [".env", ".env.*", "!.env.example"];
const MACHINE = [".DS_Store", "Thumbs.db"];
