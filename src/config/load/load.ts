import { dirname } from "node:path";
import {
  type ConfigFile,
  type ConfigFiles,
  type ConfigProblem,
  type Fault,
  homeOf,
  type LoadOptions,
  type Origin,
  readConfigFiles,
  toConfigError,
  toProblems,
} from "../places/places.ts";
import type { Config } from "../schema/schema.ts";
import { isLiteralSecret, secretReferences } from "../secret.ts";
import { tighten } from "../tighten/tighten.ts";
import { findLines } from "../toml/toml.ts";
import { applyEnvironment } from "./environment.ts";
import { type FoundFile, foundWarnings, toFoundFile } from "./found-file.ts";
import { type KeySources, toKeySources } from "./key-sources.ts";
import { findFaults } from "./rules.ts";
import { validateConfig } from "./validate.ts";

export type { FoundFile } from "./found-file.ts";
export { findFaults } from "./rules.ts";
export { validateConfig } from "./validate.ts";

/** The configuration in force and where it came from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the owner's file; undefined: built-in defaults. */
  readonly path: string | undefined;
  /** Where the path came from; undefined as it is. */
  readonly origin: Origin | undefined;
  /** A file that was only found, and made the owner's stricter. */
  readonly found: FoundFile | undefined;
  /** Every file that was read. */
  readonly files: readonly string[];
  /** Where the keys that do not have their default have their values from. */
  readonly sources: KeySources;
  /** Relative paths of the owner's file start here. */
  readonly baseDir: string;
  /** The daemon's folder: PAPAYU_HOME or ~/.papa-yu. */
  readonly home: string;
  /** The person's own home folder. */
  readonly userHome: string;
  /** PAPAYU_MEMORY_AUTOPATCH. */
  readonly memoryAutopatch: boolean;
  readonly warnings: readonly string[];
}

/**
 * Loads the configuration: the owner's file (`--config`, `$PAPAYU_CONFIG`, a trusted
 * `./config.toml`, the daemon folder's, else the defaults), made stricter by a `./config.toml` that
 * is not trusted; then the environment, which is the owner's, on top.
 *
 * @throws AppError ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem found
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  return combineFiles(options, await readConfigFiles(options));
}

/** Options that load the same files again, wherever papa-yu was started. */
export function toReloadOptions(
  { path, origin, found, userHome }: LoadedConfig,
  { cwd, env }: Pick<LoadOptions, "cwd" | "env">,
): LoadOptions {
  const isPinned = path !== undefined && origin !== undefined && origin !== "home" && !found;
  return { ...(isPinned && { path, origin }), cwd, env, home: userHome };
}

/**
 * What files mean under this environment, with every default filled in.
 *
 * @throws AppError ERR_CONFIG_INVALID with every problem found
 */
export async function combineFiles(
  options: LoadOptions,
  { owner, found, notices = [] }: ConfigFiles,
): Promise<LoadedConfig> {
  const { cwd, env, home: userHome } = options;
  const own = await readWhole(owner);
  const baseDir = owner ? dirname(owner.path) : cwd;
  const tightened = found && (await tightenBy(found, own, baseDir, userHome));
  const config = tightened?.config ?? own;
  const overrides = applyEnvironment(config, env);
  const problems: ConfigProblem[] = overrides.junk.map(({ variable, message }) => {
    return { file: "environment", line: 0, key: variable, message };
  });
  problems.push(...(await problemsOf(owner, await findFaults(config))));
  if (problems.length > 0) throw toConfigError("ERR_CONFIG_INVALID", owner?.path, problems);
  const home = homeOf(options);
  const foundFile = tightened && toFoundFile(found, tightened, home);
  return {
    config,
    path: owner?.path,
    origin: owner?.origin,
    found: foundFile,
    files: [owner, found].flatMap((file) => (file ? [file.path] : [])),
    sources: toKeySources(owner?.toml.value, foundFile, overrides.keys),
    baseDir,
    home,
    userHome,
    memoryAutopatch: overrides.memoryAutopatch,
    warnings: [
      ...notices,
      ...(foundFile ? foundWarnings(foundFile) : []),
      ...overrides.warnings,
      ...literalSecretWarnings(config, labelOf(owner)),
    ],
  };
}

/** The file itself has to be right as well: nobody guesses what a broken one meant. */
async function tightenBy(found: ConfigFile, own: Config, ownDir: string, userHome: string) {
  const whole = await readWhole(found);
  const problems = await problemsOf(found, await findFaults(whole));
  if (problems.length > 0) throw toConfigError("ERR_CONFIG_INVALID", found.path, problems);
  const place = { foundDir: dirname(found.path), ownDir, userHome };
  return tighten(own, { said: found.toml.value, whole, place });
}

/** A file with every default filled in; without a file the defaults. */
async function readWhole(file: ConfigFile | undefined): Promise<Config> {
  // A copy: the defaults are filled in where they stand.
  const validation = validateConfig(structuredClone(file?.toml.value ?? {}));
  if (validation.ok) return validation.config;
  const problems = await problemsOf(file, validation.faults);
  throw toConfigError("ERR_CONFIG_INVALID", file?.path, problems);
}

async function problemsOf(
  file: ConfigFile | undefined,
  faults: readonly Fault[],
): Promise<readonly ConfigProblem[]> {
  if (faults.length === 0) return [];
  return toProblems(faults, labelOf(file), file ? await findLines(file.toml.text) : () => 0);
}

function labelOf(file: ConfigFile | undefined): string {
  return file?.shown ?? "built-in defaults";
}

function literalSecretWarnings(config: Config, file: string): string[] {
  return secretReferences(config)
    .filter(({ reference }) => isLiteralSecret(reference))
    .map(({ key }) => `${file}: ${key}: a secret in plain sight; use "env:NAME" or "file:PATH"`);
}
