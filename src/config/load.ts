import { dirname, join, relative, resolve } from "node:path";
import { applyEnvironment, type Environment } from "./environment.ts";
import { expandHome } from "./expand-home.ts";
import { findLines } from "./find-lines.ts";
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
 * `config.toml`, else the defaults; then the environment on top. A file that is only found in the
 * current folder sets no MCP servers.
 *
 * @throws AppError ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem found
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const file = await findConfigFile(options);
  const loaded = await judgeConfig(options, file);
  return !file || file.isOwn ? loaded : withoutServers(loaded, file);
}

/** Whoever wrote a folder's files must not decide what is started when somebody works in it. */
function withoutServers(loaded: LoadedConfig, { shown }: ConfigFile): LoadedConfig {
  if (Object.keys(loaded.config.mcp.servers).length === 0) return loaded;
  const warning = `${shown}: [mcp] is ignored in a file that is only found in the current folder; move it to "${join(loaded.home, "config.toml")}", or name this file with --config`;
  return {
    ...loaded,
    config: { ...loaded.config, mcp: { servers: {} } },
    warnings: [...loaded.warnings, warning],
  };
}

/** A configuration file as it is read, whether it is right or not. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  readonly toml: TomlFile;
  /** Named by the person, or in the daemon's folder; else it may have come with a checkout. */
  readonly isOwn: boolean;
}

/**
 * Reads the file that {@link loadConfig} would; undefined when there is none.
 *
 * @throws AppError ERR_CONFIG_PARSE
 */
export async function findConfigFile(options: LoadOptions): Promise<ConfigFile | undefined> {
  const { cwd } = options;
  const named = options.path ?? options.env["PAPAYU_CONFIG"];
  const inHome = join(homeOf(options), "config.toml");
  const candidates = named
    ? [resolve(cwd, expandHome(named, options.home))]
    : [join(cwd, "config.toml"), inHome];
  for (const path of candidates) {
    const shown = showPath(path, cwd);
    const toml = await readToml(path, shown);
    if (toml) return { path, shown, toml, isOwn: Boolean(named) || path === inHome };
    if (!named) continue;
    const message = "no such file; papayu init writes one";
    throw toConfigError("ERR_CONFIG_PARSE", path, [{ file: shown, line: 0, key: "", message }]);
  }
  return undefined;
}

/**
 * What a file means under this environment, with every default filled in.
 *
 * @throws AppError ERR_CONFIG_INVALID with every problem found
 */
export async function judgeConfig(
  options: LoadOptions,
  found: ConfigFile | undefined,
): Promise<LoadedConfig> {
  const { cwd, env } = options;
  const file = found?.shown ?? "built-in defaults";
  // A copy: the defaults are filled in where they stand.
  const validation = validateConfig(structuredClone(found?.toml.value ?? {}));
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
    home: homeOf(options),
    userHome: options.home,
    memoryAutopatch: overrides.memoryAutopatch,
    warnings: [...overrides.warnings, ...literalSecretWarnings(config, file)],
  };
}

function homeOf({ cwd, env, home }: LoadOptions): string {
  return resolve(cwd, expandHome(env["PAPAYU_HOME"] || "~/.papa-yu", home));
}

/** As short as can be: relative below the current folder. */
function showPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}

function literalSecretWarnings(config: Config, file: string): string[] {
  return secretReferences(config)
    .filter(({ reference }) => isLiteralSecret(reference))
    .map(({ key }) => `${file}: ${key}: a secret in plain sight; use "env:NAME" or "file:PATH"`);
}
