import { dirname, join, relative, resolve } from "node:path";
import { applyEnvironment, type Environment } from "./environment.ts";
import { expandHome } from "./expand-home.ts";
import { findLines } from "./find-lines.ts";
import { notInForceWarnings } from "./not-in-force.ts";
import { type ConfigProblem, toConfigError, toProblems } from "./problem.ts";
import { readToml, type TomlFile } from "./read-toml.ts";
import { findFaults } from "./rules.ts";
import type { Config } from "./schema.ts";
import { isLiteralSecret, secretReferences } from "./secret.ts";
import { validateConfig } from "./validate.ts";

/** The configuration in force and where it came from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the file; undefined: built-in defaults. */
  readonly path: string | undefined;
  /** Relative paths of workspaces start here. */
  readonly baseDir: string;
  /** The daemon's folder: PAPAYU_HOME or ~/.papa-yu. */
  readonly home: string;
  /** The person's own home folder. */
  readonly userHome: string;
  /** PAPAYU_MEMORY_AUTOPATCH. */
  readonly memoryAutopatch: boolean;
  readonly warnings: readonly string[];
}

/** Where to look, and the world around it. */
export interface LoadOptions {
  /** `--config`. */
  readonly path?: string;
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  readonly env: Environment;
}

/**
 * Loads the configuration: `--config`, `$PAPAYU_CONFIG`, `./config.toml`, the daemon folder's
 * `config.toml`, else the defaults; then the environment on top.
 *
 * @throws AppError ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem found
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { cwd, env } = options;
  const home = resolve(cwd, expandHome(env["PAPAYU_HOME"] || "~/.papa-yu", options.home));
  const found = await findFile(options, home);
  const file = showPath(found?.path, cwd);
  const validation = validateConfig(found?.toml.value ?? {});
  const lineOf = async () => (found ? await findLines(found.toml.text) : () => 0);
  if (!validation.ok) {
    const problems = toProblems(validation.faults, file, await lineOf());
    throw toConfigError("ERR_CONFIG_INVALID", found?.path, problems);
  }
  const { config } = validation;
  const overrides = applyEnvironment(config, env);
  const faults = await findFaults(config);
  const problems: ConfigProblem[] = overrides.junk.map(({ variable, message }) => {
    return { file: "environment", line: 0, key: variable, message };
  });
  if (faults.length > 0) problems.push(...toProblems(faults, file, await lineOf()));
  if (problems.length > 0) throw toConfigError("ERR_CONFIG_INVALID", found?.path, problems);
  return {
    config,
    path: found?.path,
    baseDir: found ? dirname(found.path) : cwd,
    home,
    userHome: options.home,
    memoryAutopatch: overrides.memoryAutopatch,
    warnings: [
      ...overrides.warnings,
      ...literalSecretWarnings(config, file),
      ...notInForceWarnings(config),
    ],
  };
}

interface FoundFile {
  readonly path: string;
  readonly toml: TomlFile;
}

async function findFile(options: LoadOptions, home: string): Promise<FoundFile | undefined> {
  const { cwd } = options;
  const named = options.path ?? options.env["PAPAYU_CONFIG"];
  const candidates = named
    ? [resolve(cwd, expandHome(named, options.home))]
    : [join(cwd, "config.toml"), join(home, "config.toml")];
  for (const path of candidates) {
    const toml = await readToml(path, showPath(path, cwd));
    if (toml) return { path, toml };
    if (!named) continue;
    const message = "no such file; papayu init writes one";
    const problem = { file: showPath(path, cwd), line: 0, key: "", message };
    throw toConfigError("ERR_CONFIG_PARSE", path, [problem]);
  }
  return undefined;
}

/** As short as can be: relative below the current folder. */
function showPath(path: string | undefined, cwd: string): string {
  if (path === undefined) return "built-in defaults";
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}

function literalSecretWarnings(config: Config, file: string): string[] {
  return secretReferences(config)
    .filter(({ reference }) => isLiteralSecret(reference))
    .map(({ key }) => `${file}: ${key}: a secret in plain sight; use "env:NAME" or "file:PATH"`);
}
