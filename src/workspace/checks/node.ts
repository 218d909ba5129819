import { isNpmDefault, type PackageManager, packageManagerOf } from "../manifest.ts";
import type { CheckCommand } from "../workspace.ts";
import type { FolderAbove } from "./folders-above.ts";
import type { Detector, Project } from "./project.ts";
import { parseJson, rowsBelow, type Table, tableIn, textsIn } from "./read-text.ts";

/** Script names that mean "check the types", best first. */
const TYPE_SCRIPTS = ["typecheck", "type-check", "check-types"];

/** Scripts the manifest has, run by the package manager, in the order verify, build, test. */
export const detectNode: Detector = (project) => {
  const scripts = scriptsOf(project.texts.get("package.json"));
  const has = (name: string) => name in scripts && !isNpmDefault(scripts[name] ?? "");
  const stages = [
    { name: "verify", script: TYPE_SCRIPTS.find(has) },
    { name: "build", script: "build" },
    { name: "test", script: ["test", "check"].find(has) },
  ];
  const manager = managerOf(project);
  return stages.flatMap(({ name, script }): readonly CheckCommand[] => {
    if (script === undefined || !has(script)) return [];
    return [{ name, argv: [manager, "run", script], from: `package.json: ${script}` }];
  });
};

/** Tasks of a deno.json, or Deno's own test runner where it finds something to run. */
export const detectDeno: Detector = ({ names, texts, network }) => {
  const file = ["deno.json", "deno.jsonc"].find((name) => names.has(name));
  if (file === undefined) return [];
  const tasks = tableIn(parseJson(withoutComments(texts.get(file))), "tasks");
  const found = ["check", "test"].filter((name) => name in tasks);
  if (found.includes("test")) {
    return found.map((name) => ({
      name: name === "test" ? "test" : "verify",
      argv: ["deno", "task", name],
      from: `${file}: ${name}`,
    }));
  }
  if (![...names].some((name) => /(?:^|\/|[._])test\.[jt]sx?$/u.test(name))) return [];
  const offline = network ? [] : ["--cached-only"];
  return [{ name: "test", argv: ["deno", "test", ...offline], from: file }];
};

/** Whole-line comments, which is where people write them in a deno.jsonc. */
function withoutComments(text: string | undefined): string | undefined {
  return text?.replace(/^[ \t]*\/\/.*$/gmu, "");
}

/** The commands of a package.json by name. */
export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  const scripts = Object.entries(tableIn(parseJson(text), "scripts"));
  return Object.fromEntries(
    scripts.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Who runs scripts: by the package's own word or lock file, its workspace root's, then yours. */
export function managerOf(project: Project): PackageManager {
  const { names, texts, preferredManager } = project;
  const own = packageManagerOf(parseJson(texts.get("package.json"))["packageManager"], names);
  if (own !== undefined) return own;
  const root = nodeRootOf(project);
  const declared = root && parseJson(root.texts.get("package.json"))["packageManager"];
  const above = root && packageManagerOf(declared, root.names);
  return above ?? packageManagerOf(preferredManager, new Set()) ?? "npm";
}

/** The folder above that counts this package among its workspaces. */
export function nodeRootOf({ above }: Project): FolderAbove | undefined {
  return above.find(({ texts, path }) => isMember(workspacesIn(texts), path));
}

/** Globs of packages in a manifest of npm, yarn and bun, or in pnpm's. */
export function workspacesIn(texts: ReadonlyMap<string, string>): readonly string[] {
  const pnpm = texts.get("pnpm-workspace.yaml");
  if (pnpm !== undefined) {
    const rows = rowsBelow(pnpm, "packages");
    return rows.flatMap((row) => /^\s*-\s+["']?([^"'#]+?)["']?\s*(?:#.*)?$/u.exec(row)?.[1] ?? []);
  }
  const manifest: Table = parseJson(texts.get("package.json"));
  const { workspaces } = manifest;
  return Array.isArray(workspaces)
    ? textsIn(workspaces)
    : textsIn(tableIn(manifest, "workspaces")["packages"]);
}

const MOST_GLOBS = 100;
const MOST_GLOB_CHARS = 200;

/** Whether a folder is one of a workspace's packages; a glob behind "!" takes out again. */
export function isMember(globs: readonly string[], path: string): boolean {
  let isIn = false;
  for (const glob of globs.slice(0, MOST_GLOBS)) {
    if (glob.length > MOST_GLOB_CHARS) continue;
    const isOut = glob.startsWith("!");
    const pattern = glob.replace(/^!/u, "").replace(/^\.\//u, "").replace(/\/+$/u, "");
    if (new Bun.Glob(pattern).match(path)) isIn = !isOut;
  }
  return isIn;
}
