import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../system/run/run.ts";
import type { CheckCommand, Workspace } from "../workspace.ts";
import { detectChecks } from "./detect.ts";
import { nodeRootOf } from "./node.ts";
import type { Project } from "./project.ts";

/** Programs that look into no `node_modules`. */
const OTHERS: ReadonlySet<string> = new Set(["cargo", "go", "mvn", "python3", "cmake", "ctest"]);
const ANSWER_MS = 10_000;

/** Why checks would fail with any change, or are not those that the project names first. */
export async function describeObstacles(
  workspace: Workspace,
  project: Project,
  checks: readonly CheckCommand[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const programs = new Set(checks.map(({ argv }) => argv[0] ?? ""));
  const missing = [...programs].filter((name) => !name.includes("/") && !project.hasProgram(name));
  return [
    ...missing.map((name) => `a check needs "${name}", not on PATH`),
    ...(workspace.check === "detect" ? passedOver(project) : []),
    ...missingPackages(workspace.root, project, programs),
    ...(await missingPytest(workspace.root, checks, env)),
  ];
}

function passedOver(project: Project): readonly string[] {
  const { hasProgram } = project;
  const lines = detectChecks(project).passedOver.flatMap(({ argv: [program = ""], from }) =>
    program.includes("/") || hasProgram(program)
      ? []
      : [`${from ?? program} is not used: "${program}" is not on PATH`],
  );
  return [...new Set(lines)];
}

function missingPackages(
  root: string,
  project: Project,
  programs: ReadonlySet<string>,
): readonly string[] {
  const { kind, dependencies } = project.profile;
  const isUsed = [...programs].some((program) => !OTHERS.has(program));
  if (kind !== "node" || dependencies.length === 0 || !isUsed) return [];
  const folders = [root, join(root, nodeRootOf(project)?.prefix ?? ".")];
  const isThere = folders.some((folder) =>
    ["node_modules", ".pnp.cjs"].some((name) => existsSync(join(folder, name))),
  );
  return isThere
    ? []
    : ["node_modules is missing: install the packages first, or the checks may fail"];
}

/**
 * An environment of the project is looked into and never run here; the installed Python is asked,
 * outside of the project and without its modules.
 */
async function missingPytest(
  root: string,
  checks: readonly CheckCommand[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const check = checks.find(({ argv }) => argv[1] === "-m" && argv[2] === "pytest");
  const [python] = check?.argv ?? [];
  if (python === undefined) return [];
  const isThere = python.endsWith("/bin/python")
    ? hasPackage(join(root, python, "../../lib"), "pytest")
    : await canImport(python, "pytest", env);
  return isThere ? [] : [`a check needs pytest, which "${python}" does not have`];
}

function hasPackage(lib: string, name: string): boolean {
  try {
    return readdirSync(lib).some((each) => existsSync(join(lib, each, "site-packages", name)));
  } catch {
    return false;
  }
}

/** One that gives no clear answer may have it. */
async function canImport(
  python: string,
  module: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const ask = `import importlib.util as u;print("found" if u.find_spec("${module}") else "missing")`;
  const { output } = await runCommand({
    argv: [python, "-c", ask],
    cwd: "/",
    env,
    timeoutMs: ANSWER_MS,
    signal: new AbortController().signal, // bounded by its time
    maxOutputBytes: 1000,
  });
  return !output.includes("missing");
}
