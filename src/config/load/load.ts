import { dirname } from "node:path";
import { listKeys } from "../keys/show-key.ts";
import {
  type BrokenFile,
  type ConfigFile,
  type ConfigFiles,
  type ConfigProblem,
  homeOf,
  type LoadOptions,
  type Origin,
  readConfigFiles,
  type StrangeFile,
  toConfigError,
} from "../places/places.ts";
import type { Config, KeyPath } from "../schema/schema.ts";
import { isLiteralSecret, secretReferences } from "../secret.ts";
import { renderTomlKey } from "../toml/toml.ts";
import { applyEnvironment } from "./environment.ts";
import { besideWarnings, type FoundFile, tightenByFound, toFoundFile } from "./found-file.ts";
import { findFaults } from "./rules.ts";
import { labelOf, problemsOf, readWhole } from "./validate.ts";

export { brokenWarning, type FoundFile, noticesOf } from "./found-file.ts";
export { keyFaults, providerChain } from "./provider-keys.ts";
export { renderAllowed } from "./render-allowed.ts";
export { findFaults } from "./rules.ts";
export { problemsOf, readWhole, validateConfig } from "./validate.ts";

/** The configuration in force, where it came from and the folders that belong to it. */
export interface LoadedConfig {
  readonly config: Config;
  readonly source: ConfigSource;
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

/** The files that a configuration was read from, and what each of them had a part in. */
export interface ConfigSource {
  /** Absolute path of the owner's file; undefined: built-in defaults. */
  readonly path: string | undefined;
  /** Where the path came from; undefined as it is. */
  readonly origin: Origin | undefined;
  /** No key is set there. */
  readonly isBlank: boolean;
  /** A file that was only found, and made the owner's stricter. */
  readonly found: FoundFile | undefined;
  /** The same as it is read, or was when it was right: what a later load keeps when it breaks. */
  readonly lastFound: ConfigFile | undefined;
  /** A file that was only found and cannot be used. */
  readonly broken: BrokenFile | undefined;
  /** A file that was found and seems to be another program's. */
  readonly other: StrangeFile | undefined;
  /** Every file that was read. */
  readonly files: readonly string[];
  /** Where the keys that do not have their default have their values from. */
  readonly keySources: KeySources;
}

/**
 * Loads the configuration: the owner's file (`--config`, `$PAPAYU_CONFIG`, a trusted
 * `./config.toml`, the daemon folder's, else the defaults), made stricter by a `./config.toml` that
 * is not trusted, as far as that is right; then the environment, which is the owner's, on top.
 *
 * @throws AppError ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem of the owner's
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  return combineFiles(options, await readConfigFiles(options));
}

/**
 * Options that load the same files again, wherever papa-yu was started. They go by what is in force
 * when they are read: the owner's file, wherever it is, is not done without once it is gone or
 * emptied, and what one that was only found made stricter is not taken back once it breaks.
 */
export function toReloadOptions(
  inForce: () => LoadedConfig,
  { cwd, env }: Pick<LoadOptions, "cwd" | "env">,
): LoadOptions {
  const isPinned = ({ source: { origin, found } }: LoadedConfig) => origin !== "home" && !found;
  return {
    get path() {
      return isPinned(inForce()) ? inForce().source.path : undefined;
    },
    get origin() {
      return isPinned(inForce()) ? inForce().source.origin : undefined;
    },
    cwd,
    env,
    isUsedHere: true,
    get home() {
      return inForce().userHome;
    },
    get lastFound() {
      return inForce().source.lastFound;
    },
    get inForce() {
      const { path, isBlank } = inForce().source;
      return path === undefined ? undefined : { path, isBlank };
    },
  };
}

/**
 * What files mean under this environment, with every default filled in.
 *
 * @throws AppError ERR_CONFIG_INVALID with every problem found
 */
export async function combineFiles(
  options: LoadOptions,
  files: ConfigFiles,
): Promise<LoadedConfig> {
  const { cwd, env, home: userHome } = options;
  const { owner, notices = [] } = files;
  const other = files.other && toStrange(files.other);
  const own = await readWhole(owner);
  const baseDir = owner ? dirname(owner.path) : cwd;
  const { tightened, file, broken } = await tightenByFound(own, files, {
    options,
    ownDir: baseDir,
  });
  const config = tightened?.config ?? own;
  const overrides = applyEnvironment(config, env);
  const problems: ConfigProblem[] = overrides.junk.map(({ variable, message }) => {
    return { file: "environment", line: 0, key: variable, message };
  });
  problems.push(...(await problemsOf(owner, await findFaults(config))));
  if (problems.length > 0) throw toConfigError("ERR_CONFIG_INVALID", owner?.path, problems);
  const home = homeOf(options);
  const found = file && tightened && toFoundFile(file, tightened, home);
  return {
    config,
    source: {
      path: owner?.path,
      origin: owner?.origin,
      isBlank: Object.keys(Object(owner?.toml.value)).length === 0,
      found,
      lastFound: file,
      broken,
      other,
      files: [...new Set([owner, file, broken].flatMap((each) => (each ? [each.path] : [])))],
      keySources: toKeySources(owner?.toml.value, found, overrides.keys),
    },
    baseDir,
    home,
    userHome,
    memoryAutopatch: overrides.memoryAutopatch,
    warnings: [
      ...notices,
      ...besideWarnings({ found, broken, other }),
      ...overrides.warnings,
      ...literalSecretWarnings(config, labelOf(owner)),
    ],
  };
}

/** Without its text: whatever else another program's file says makes no other configuration. */
function toStrange({ path, shown, strange }: StrangeFile): StrangeFile {
  return { path, shown, strange };
}

function literalSecretWarnings(config: Config, file: string): string[] {
  return secretReferences(config)
    .filter(({ reference }) => isLiteralSecret(reference))
    .map(({ key }) => `${file}: ${key}: a secret in plain sight; use "env:NAME" or "file:PATH"`);
}

/** Where a key's value is from; a key that is not named has its default. */
type KeySource = "file" | "found" | "environment";

/** Keys as `config get` lists them. */
type KeySources = Readonly<Record<string, KeySource>>;

/** Where values are from: the later of the three wins. */
function toKeySources(
  owner: unknown,
  found: FoundFile | undefined,
  environment: readonly KeyPath[],
): KeySources {
  const name = (source: KeySource) => (key: string) => [key, source] as const;
  return Object.fromEntries([
    ...(owner === undefined ? [] : listKeys(owner).map(({ key }) => name("file")(key))),
    ...(found?.stricter ?? []).map(name("found")),
    ...(found?.added ?? []).map((each) => renderTomlKey(["workspaces", each])).map(name("found")),
    ...environment.map((steps) => renderTomlKey(steps.map(String))).map(name("environment")),
  ]);
}
