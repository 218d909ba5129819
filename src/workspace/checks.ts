import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { childEnvironment } from "../system/child-environment.ts";
import { type ProjectProfile, readProfile } from "./profile.ts";
import { readTextFile } from "./read-file.ts";
import type { CheckCommand, Workspace } from "./workspace.ts";

/** Script names that mean "check the types", best first. */
const TYPE_SCRIPTS = ["typecheck", "type-check", "check-types"];
const MAX_PYTHON_PATHS = 64;

/** Why checks would fail with any change: programs or packages that are not there. */
export async function findObstacles(
  workspace: Workspace,
  checks: readonly CheckCommand[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly string[]> {
  const { PATH = "" } = childEnvironment(env);
  const programs = new Set(checks.map(({ argv }) => argv[0] ?? ""));
  const missing = [...programs].filter((name) => !name.includes("/") && !Bun.which(name, { PATH }));
  const obstacles = missing.map((name) => `a check needs "${name}", not on PATH`);
  const { kind, dependencies } = await readProfile(workspace.root);
  const needsPackages = kind === "node" && dependencies.length > 0 && checks.length > 0;
  if (needsPackages && !existsSync(join(workspace.root, "node_modules"))) {
    obstacles.push("node_modules is missing: install the packages first, or the checks may fail");
  }
  return obstacles;
}

/** The commands that must pass after an apply: as configured, or detected from the manifest. */
export async function resolveChecks(workspace: Workspace): Promise<readonly CheckCommand[]> {
  if (workspace.check === "none") return [];
  if (workspace.check !== "detect") {
    return workspace.check.map((argv) => ({ name: argv.join(" "), argv }));
  }
  const profile = await readProfile(workspace.root);
  switch (profile.kind) {
    case "node":
      return nodeChecks(profile);
    case "rust":
      return [
        { name: "verify", argv: ["cargo", "check"] },
        { name: "test", argv: ["cargo", "test", "--no-run"] },
      ];
    case "python":
      return pythonChecks(workspace.root, profile);
    case "go":
      return [
        { name: "verify", argv: ["go", "vet", "./..."] },
        { name: "build", argv: ["go", "build", "./..."] },
      ];
    case "plain":
      return [];
    default:
      return profile.kind satisfies never;
  }
}

/** Scripts the manifest has, run by the package manager, in the order verify, build, test. */
function nodeChecks({ scripts, packageManager = "npm" }: ProjectProfile): readonly CheckCommand[] {
  const stages = [
    { name: "verify", script: TYPE_SCRIPTS.find((name) => name in scripts) },
    { name: "build", script: "build" },
    { name: "test", script: "test" },
  ];
  return stages.flatMap(({ name, script }) => {
    const command = script === undefined ? undefined : scripts[script];
    if (script === undefined || command === undefined || isNpmDefault(command)) return [];
    return [{ name, argv: [packageManager, "run", script] }];
  });
}

/** What `npm init` writes for "test": it always fails. */
export function isNpmDefault(script: string): boolean {
  return script.includes("no test specified");
}

async function pythonChecks(
  root: string,
  profile: ProjectProfile,
): Promise<readonly CheckCommand[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const modules = entries
    .filter((entry) => entry.isFile() && /^\w+\.py$/u.test(entry.name))
    .map((entry) => entry.name)
    .toSorted();
  const paths = [...profile.sourceRoots, ...profile.testRoots, ...modules];
  const checks: CheckCommand[] = [];
  if (paths.length > 0) {
    const argv = ["python3", "-m", "compileall", "-q", ...paths.slice(0, MAX_PYTHON_PATHS)];
    checks.push({ name: "verify", argv });
  }
  if (await usesPytest(root))
    checks.push({ name: "test", argv: ["python3", "-m", "pytest", "-q"] });
  return checks;
}

const PYTEST_SECTIONS: readonly (readonly [string, RegExp])[] = [
  ["pytest.ini", /^\s*\[pytest\]/mu],
  ["pyproject.toml", /^\s*\[tool\.pytest\b/mu],
  ["tox.ini", /^\s*\[pytest\]/mu],
  ["setup.cfg", /^\s*\[tool:pytest\]/mu],
];

async function usesPytest(root: string): Promise<boolean> {
  for (const [name, section] of PYTEST_SECTIONS) {
    const file = await readTextFile({ absolute: join(root, name), path: name });
    if (file.ok && section.test(file.text)) return true;
  }
  return false;
}
