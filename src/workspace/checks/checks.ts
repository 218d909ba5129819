import { toVisibleText } from "../../core/visible-text.ts";
import { childEnvironment } from "../../system/child-environment.ts";
import type { CheckCommand, Workspace } from "../workspace.ts";
import type { GenerateCommand } from "./generators.ts";
import type { FilesAfter } from "./read-manifests.ts";

export type { GenerateCommand } from "./generators.ts";

/** The detectors are loaded on demand: only what plans in a workspace, or looks at it, pays. */

type Env = Readonly<Record<string, string | undefined>>;

/** What checks are looked for with. */
export interface ResolveOptions {
  readonly env?: Env;
  /** Files of a change that are there after it: their tests come first, where that is exact. */
  readonly changed?: readonly string[];
}

/** The commands that must pass after an apply: as configured, or detected from the project. */
export async function resolveChecks(
  workspace: Workspace,
  { env = process.env, changed = [] }: ResolveOptions = {},
): Promise<readonly CheckCommand[]> {
  if (workspace.check === "none") return [];
  if (workspace.check !== "detect") {
    return workspace.check.map((argv) => ({ name: argv.join(" "), argv, from: "config.toml" }));
  }
  const { readProject } = await import("./project.ts");
  const { detectChecks } = await import("./detect.ts");
  const { withTestsOfChange } = await import("./first-tests.ts");
  const project = await readProject(workspace, childEnvironment(env)["PATH"], changed);
  return withTestsOfChange(project, detectChecks(project).checks);
}

/**
 * The commands that make lock files for a change set: as configured, or by the tools whose lock files
 * the project has. None where it touches no manifest.
 */
export async function resolveGenerators(
  workspace: Workspace,
  after: FilesAfter,
): Promise<readonly GenerateCommand[]> {
  const { generate = "detect" } = workspace;
  if (generate === "none") return [];
  const { configuredGenerators, detectGenerators } = await import("./generators.ts");
  const { readManifests } = await import("./read-manifests.ts");
  const manifests = await readManifests(workspace, after);
  return generate === "detect"
    ? detectGenerators(manifests)
    : configuredGenerators(generate, manifests);
}

/** Why checks would fail with any change, a line each: programs or packages that are not there. */
export async function findObstacles(
  workspace: Workspace,
  checks: readonly CheckCommand[],
  env: Env = process.env,
): Promise<readonly string[]> {
  if (checks.length === 0) return [];
  const { readProject } = await import("./project.ts");
  const { describeObstacles } = await import("./obstacles.ts");
  const child = childEnvironment(env);
  const project = await readProject(workspace, child["PATH"], []);
  return describeObstacles(workspace, project, checks, child);
}

/** A check in one line, with where it comes from and what else is known: `make test (Makefile: test)`. */
export function describeCheck({ argv, from }: CheckCommand, known: readonly string[] = []): string {
  const beside = [...(from === undefined ? [] : [from]), ...known].join("; ");
  return toVisibleText(`${argv.join(" ")}${beside === "" ? "" : ` (${beside})`}`);
}
