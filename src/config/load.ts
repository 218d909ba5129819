import { dirname, join, relative, resolve } from "node:path";
import { type Origin, readClaims } from "./claims.ts";
import { applyEnvironment, type Environment } from "./environment.ts";
import { expandHome } from "./expand-home.ts";
import { findLines } from "./find-lines.ts";
import { dropOwnersValues } from "./owners-values.ts";
import { type ConfigProblem, toConfigError, toProblems } from "./problem.ts";
import { readToml, type TomlFile } from "./read-toml.ts";
import { findFaults } from "./rules.ts";
import type { Config } from "./schema.ts";
import { renderKey } from "./schema-node.ts";
import { isLiteralSecret, secretReferences } from "./secret.ts";
import { trustRecord } from "./trust.ts";
import { validateConfig } from "./validate.ts";

/** The configuration in force and where it came from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the file; undefined: built-in defaults. */
  readonly path: string | undefined;
  /** Where the path came from; undefined as it is. */
  readonly origin: Origin | undefined;
  /** Keys of the file that are not in force, for want of trust. */
  readonly ignored: readonly string[];
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
  /** Where `path` came from when an earlier load found it. */
  readonly origin?: Origin;
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  readonly env: Environment;
}

/**
 * Loads the configuration: `--config`, `$PAPAYU_CONFIG`, `./config.toml`, the daemon folder's
 * `config.toml`, else the defaults; then the environment on top. In a file that was only found in
 * the current folder, and is not trusted, the owner's keys have no effect.
 *
 * @throws AppError ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem found
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  return judgeConfig(options, await findConfigFile(options));
}

/** Options that load the very same file again, wherever papa-yu was started. */
export function toReloadOptions(
  { path, origin, userHome }: LoadedConfig,
  { cwd, env }: Pick<LoadOptions, "cwd" | "env">,
): LoadOptions {
  const file = path !== undefined && origin !== undefined ? { path, origin } : {};
  return { ...file, cwd, env, home: userHome };
}

/** Every file whose change may change what {@link loadConfig} gives, there or not. */
export function configFiles(options: LoadOptions): readonly string[] {
  return configPlaces(options).flatMap(({ path, origin }) =>
    origin === "folder" ? [path, trustRecord(homeOf(options), path)] : [path],
  );
}

/** A configuration file as it is read, whether it is right or not. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  readonly toml: TomlFile;
  readonly origin: Origin;
}

/**
 * Reads the file that {@link loadConfig} would; undefined when there is none.
 *
 * @throws AppError ERR_CONFIG_PARSE
 */
export async function findConfigFile(options: LoadOptions): Promise<ConfigFile | undefined> {
  const { cwd } = options;
  for (const place of configPlaces(options)) {
    const { path, origin } = place;
    const shown = showPath(path, cwd);
    const toml = await readToml(path, shown);
    if (toml) return { path, origin, shown, toml };
    if (!place.mustExist) continue;
    const message = "no such file; papayu init writes one";
    throw toConfigError("ERR_CONFIG_PARSE", path, [{ file: shown, line: 0, key: "", message }]);
  }
  return undefined;
}

interface ConfigPlace {
  readonly path: string;
  readonly origin: Origin;
  readonly mustExist: boolean;
}

function configPlaces(options: LoadOptions): readonly ConfigPlace[] {
  const { cwd, home, env } = options;
  const named = (path: string, origin: Origin): readonly ConfigPlace[] => [
    { path: resolve(cwd, expandHome(path, home)), origin, mustExist: true },
  ];
  if (options.path) return named(options.path, options.origin ?? "argument");
  if (env["PAPAYU_CONFIG"]) return named(env["PAPAYU_CONFIG"], "variable");
  const here = { path: join(cwd, "config.toml"), origin: "folder", mustExist: false } as const;
  const inHome = {
    path: join(homeOf(options), "config.toml"),
    origin: "home",
    mustExist: false,
  } as const;
  return here.path === inHome.path ? [inHome] : [here, inHome];
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
  const ignored = dropUntrusted(config, found, options);
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
    origin: found?.origin,
    ignored,
    baseDir: found ? dirname(found.path) : cwd,
    home: homeOf(options),
    userHome: options.home,
    memoryAutopatch: overrides.memoryAutopatch,
    warnings: [
      ...ignoredWarnings(ignored, file),
      ...overrides.warnings,
      ...literalSecretWarnings(config, file),
    ],
  };
}

/** Takes what needs trust out of a configuration that has none; gives the keys that mattered. */
function dropUntrusted(
  config: Config,
  file: ConfigFile | undefined,
  options: LoadOptions,
): readonly string[] {
  if (!file) return [];
  const place = { home: homeOf(options), userHome: options.home };
  const { values, isTrusted } = readClaims(config, file, place);
  if (isTrusted) return [];
  dropOwnersValues(config, values);
  return values.filter(({ isIdle }) => !isIdle).map(({ steps }) => renderKey(steps));
}

/** The daemon's folder. */
export function homeOf({ cwd, env, home }: LoadOptions): string {
  return resolve(cwd, expandHome(env["PAPAYU_HOME"] || "~/.papa-yu", home));
}

/** As short as can be: relative below the current folder. */
function showPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}

const MAX_NAMED = 12;

function ignoredWarnings(keys: readonly string[], file: string): readonly string[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, MAX_NAMED).join(", ");
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : "";
  return [
    `${file}: not in force until you trust this file: ${named}${more}; papayu config trust shows what it says of them and asks`,
  ];
}

function literalSecretWarnings(config: Config, file: string): string[] {
  return secretReferences(config)
    .filter(({ reference }) => isLiteralSecret(reference))
    .map(({ key }) => `${file}: ${key}: a secret in plain sight; use "env:NAME" or "file:PATH"`);
}
