import { isNpmDefault } from "../../workspace/manifest.ts";
import { inlineCode, oneLine } from "./one-line.ts";
import type { ProjectView } from "./project-view.ts";

/** A command that works in the project, and what it does, as Markdown. */
export interface ProjectCommand {
  readonly command: string;
  readonly does: string;
}

/** The commands that the manifest really has: install, run, test. */
export async function projectCommands(project: ProjectView): Promise<readonly ProjectCommand[]> {
  switch (project.profile.kind) {
    case "node":
      return nodeCommands(project);
    case "rust":
      return rustCommands(project);
    case "python":
      return await pythonCommands(project);
    case "go":
      return goCommands(project);
    case "plain":
      return [];
    default:
      return project.profile.kind satisfies never;
  }
}

const MAX_SCRIPTS = 12;
/** Longer ones are cut, on whole characters. */
const SHOWN_SCRIPT = /^(.{80}).+$/u;

function nodeCommands({ profile }: ProjectView): readonly ProjectCommand[] {
  const { packageManager = "npm", dependencies, scripts } = profile;
  const names = Object.keys(scripts);
  const shown = names.filter(
    (name) => /^[\w:.-]+$/.test(name) && !isHook(name, names) && !isNpmDefault(scripts[name] ?? ""),
  );
  return [
    ...(dependencies.length > 0
      ? [{ command: `${packageManager} install`, does: "installs the dependencies" }]
      : []),
    ...shown.slice(0, MAX_SCRIPTS).map((name) => ({
      command: `${packageManager} run ${name}`,
      does: `runs ${inlineCode(shorten(scripts[name] ?? ""))}`,
    })),
  ];
}

/** Package managers run these by themselves, before or after another script. */
function isHook(name: string, names: readonly string[]): boolean {
  return ["pre", "post"].some(
    (prefix) => name.startsWith(prefix) && names.includes(name.slice(prefix.length)),
  );
}

function shorten(script: string): string {
  return oneLine(script).replace(SHOWN_SCRIPT, "$1…");
}

function rustCommands({ paths }: ProjectView): readonly ProjectCommand[] {
  return [
    ...(paths.includes("src/main.rs")
      ? [{ command: "cargo run", does: "builds and runs it" }]
      : []),
    { command: "cargo build", does: "builds it" },
    { command: "cargo test", does: "runs the tests" },
  ];
}

function goCommands({ paths }: ProjectView): readonly ProjectCommand[] {
  return [
    ...(paths.includes("main.go") ? [{ command: "go run .", does: "builds and runs it" }] : []),
    { command: "go build ./...", does: "builds it" },
    { command: "go test ./...", does: "runs the tests" },
  ];
}

async function pythonCommands(project: ProjectView): Promise<readonly ProjectCommand[]> {
  const { paths, profile } = project;
  const mains = profile.sourceRoots.filter((name) => paths.includes(`${name}/__main__.py`));
  const manifests = await Promise.all(
    ["requirements.txt", "pyproject.toml"].map((path) => project.readText(path)),
  );
  const usesPytest = manifests.some((file) => file !== undefined && /\bpytest\b/.test(file.text));
  return [
    ...installPython(paths),
    ...mains.map((name) => ({ command: `python3 -m ${name}`, does: "runs it" })),
    ...(paths.includes("main.py") ? [{ command: "python3 main.py", does: "runs it" }] : []),
    ...(usesPytest ? [{ command: "python3 -m pytest", does: "runs the tests" }] : []),
  ];
}

function installPython(paths: readonly string[]): readonly ProjectCommand[] {
  const does = "installs the dependencies";
  if (paths.includes("requirements.txt"))
    return [{ command: "python3 -m pip install -r requirements.txt", does }];
  if (!paths.includes("pyproject.toml") && !paths.includes("setup.py")) return [];
  return [{ command: "python3 -m pip install -e .", does: "installs it with its dependencies" }];
}
