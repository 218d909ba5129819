import { AppError } from "../../core/app-error.ts";
import { combineFiles, keyFaults, type LoadedConfig, problemsOf } from "../load/load.ts";
import {
  type ConfigFile,
  type ConfigProblem,
  homeConfigPath,
  type LoadOptions,
  parseToml,
  readConfigFiles,
  renderProblem,
  type TomlFile,
  toConfigError,
} from "../places/places.ts";
import { isList } from "../toml/toml.ts";
import { valueAt } from "../value-at.ts";
import { folderFaults } from "../workspaces.ts";

/** The file of the owner's own, as it is or as it would begin. */
export interface OwnFile {
  readonly file: ConfigFile;
  /** No file at all is there: the defaults hold. */
  readonly isNone: boolean;
}

/**
 * The file that the owner's keys are in. Where none is there, or only one that is not trusted and
 * is never written, the one of the daemon's folder begins with its first key.
 *
 * @throws AppError ERR_USAGE, or of {@link readConfigFiles}
 */
export async function openOwnFile(options: LoadOptions, action: string): Promise<OwnFile> {
  const { owner, found, broken } = await readConfigFiles(options);
  if (options.origin === "folder" && found) {
    // What a running daemon goes by is what this file said; another file would change nothing.
    const reason = `"${found.shown}" changed since you trusted it; papayu config trust shows what it says now, and asks`;
    throw new AppError("ERR_USAGE", `${action}: ${reason}`);
  }
  const file = owner ?? beginFile(homeConfigPath(options));
  return { file, isNone: !owner && !found && !broken };
}

function beginFile(path: string): ConfigFile {
  return { path, shown: path, origin: "home", real: undefined, toml: { text: "", value: {} } };
}

/** What a text would mean in the place of a file, or all that is wrong with it. */
export type TextCheck =
  | { readonly ok: true; readonly loaded: LoadedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Checks a text as it is checked when it is loaded; nothing is written.
 *
 * @param shown the same with something masked, in which the lines of problems are
 */
export async function checkText(
  options: LoadOptions,
  file: ConfigFile,
  text: string,
  shown: string,
): Promise<TextCheck> {
  try {
    const { value } = parseToml(file.path, file.shown, text);
    const toml: TomlFile = { text: shown, value };
    return { ok: true, loaded: await combineEdited(options, { ...file, toml }) };
  } catch (error) {
    return { ok: false, problems: problemsIn(error) };
  }
}

/**
 * The same configuration with warnings of folders that are not there: they may come, on a disk that is
 * plugged in, say.
 *
 * @param others what else to warn of, with the line it is in
 * @throws AppError ERR_CONFIG_INVALID with every folder that can never be a workspace
 */
export async function checkFolders(
  options: LoadOptions,
  loaded: LoadedConfig,
  others: FaultList = [],
): Promise<LoadedConfig> {
  const { wrong, absent } = folderFaults(loaded);
  if (wrong.length + absent.length + others.length === 0) return loaded;
  const { owner } = await readConfigFiles(options);
  if (wrong.length > 0) {
    throw toConfigError("ERR_CONFIG_INVALID", owner?.path, await problemsOf(owner, wrong));
  }
  const warnings = (await problemsOf(owner, [...absent, ...others])).map(renderProblem);
  return { ...loaded, warnings: [...loaded.warnings, ...warnings] };
}

/**
 * What an edited file of the owner would put in force, next to what else is there. Whoever is to work
 * with it needs the keys of its providers, too: else it is refused when it is read, and so is the next start.
 *
 * @throws AppError ERR_CONFIG_INVALID or ERR_SECRET_UNAVAILABLE with every problem
 */
export async function combineEdited(
  options: LoadOptions,
  edited: ConfigFile,
): Promise<LoadedConfig> {
  await combineFiles(options, { owner: edited });
  const { owner, ...others } = await readConfigFiles(options);
  const next = await combineFiles(options, { ...others, owner: edited });
  const refuse = async (code: "ERR_CONFIG_INVALID" | "ERR_SECRET_UNAVAILABLE", of: FaultList) => {
    if (of.length > 0) throw toConfigError(code, edited.path, await problemsOf(edited, of));
  };
  await refuse("ERR_CONFIG_INVALID", newFolderFaults(next, owner));
  await refuse("ERR_SECRET_UNAVAILABLE", options.isUsedHere ? keyFaults(next, options.env) : []);
  return next;
}

type FaultList = Parameters<typeof problemsOf>[1];

/** Folders that can never be used; one that stood in the file before keeps nobody from another key. */
function newFolderFaults(next: LoadedConfig, before: ConfigFile | undefined): FaultList {
  const stood = valueAt(before?.toml.value, ["workspaces"]);
  const paths = new Set(isList(stood) ? stood.map((entry) => valueAt(entry, ["path"])) : []);
  return folderFaults(next).wrong.filter(({ path }) => !paths.has(valueAt(next.config, path)));
}

/**
 * The problems that an error of the configuration has.
 *
 * @throws the error itself where it is another one
 */
export function problemsIn(error: unknown): readonly ConfigProblem[] {
  if (!(error instanceof AppError)) throw error;
  const { problems } = error.details;
  // Only `toConfigError` puts problems into an error.
  if (Array.isArray(problems)) return problems as readonly ConfigProblem[];
  return [{ file: "", line: 0, key: "", message: error.message }];
}
