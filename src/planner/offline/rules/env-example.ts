import { join } from "node:path";
import type { Part } from "../../../workspace/part.ts";
import { readTextFile } from "../../../workspace/read-file.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

const EXAMPLES = /^(?:\.?env\.(?:example|sample|template|dist)|example\.env)$/i;

/**
 * A .env.example with the keys of .env.
 *
 * .env is protected: no model and no tool may read it. This rule runs here, on this machine, and
 * lets nothing but the names of keys out; a file it does not understand in full gives nothing.
 */
export async function envExampleRule(project: ProjectView): Promise<Part<Finding>> {
  if (project.rootNames.some((name) => EXAMPLES.test(name))) return NOTHING;
  const keys = parseEnvKeys(await readEnv(join(project.root, ".env")));
  if (keys.length === 0) return NOTHING;
  const content = ["# Copy to .env and fill in", ...keys.map((key) => `${key}=`), ""].join("\n");
  return createFile(project, ".env.example", content, ({ envExample }) => envExample);
}

async function readEnv(path: string): Promise<string> {
  const file = await readTextFile({ absolute: path, path: ".env" }); // follows no link
  return file.ok ? file.text.replace(/^\uFEFF/u, "") : "";
}

/**
 * Names of all keys in order, each once. Every line must be an assignment, a comment or blank:
 * one line that is not could be part of a value, and then its neighbours could be, too.
 */
export function parseEnvKeys(text: string): readonly string[] {
  const entry = new RegExp(`[ \\t]*(?:${ASSIGNMENT})?(?:#[^\\r\\n]*)?(?:\\r?\\n|$)`, "y");
  const keys = new Set<string>();
  while (entry.lastIndex < text.length) {
    const found = entry.exec(text);
    if (found === null) return [];
    if (found.groups?.["key"] !== undefined) keys.add(found.groups["key"]);
  }
  return [...keys];
}

const VALUE = String.raw`"(?:\\[\s\S]|[^"\\])*"[ \t]*|'[^']*'[ \t]*|[^"'#\s][^\r\n]*`;
const ASSIGNMENT = String.raw`(?:export[ \t]+)?(?<key>[A-Za-z_]\w{0,63})[ \t]*=[ \t]*(?:${VALUE})?`;
