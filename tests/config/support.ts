import { join } from "node:path";
import { type LoadedConfig, loadConfig } from "../../src/config/load/load.ts";
import type { ConfigProblem } from "../../src/config/places/problem.ts";
import { AppError } from "../../src/core/app-error.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Loads a configuration of this text from a folder of its own. */
export async function loadFrom(
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<LoadedConfig> {
  using dir = tempDir();
  writeTree(dir.path, { "config.toml": text });
  const path = join(dir.path, "config.toml");
  return await loadConfig({ path, cwd: dir.path, home: dir.path, env });
}

/** What a promise is rejected with. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const outcome = await work.then(
    () => new Error("the work succeeded"),
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw outcome;
}

/** The problems of a configuration that must not load. */
export async function problemsOf(
  text: string,
  code = "ERR_CONFIG_INVALID",
  env: Readonly<Record<string, string>> = {},
): Promise<readonly ConfigProblem[]> {
  const failure = await failureOf(loadFrom(text, env));
  const problems: unknown = failure.details["problems"];
  if (failure.code === code && Array.isArray(problems)) return problems;
  throw failure;
}
