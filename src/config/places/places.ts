import { join, relative, resolve } from "node:path";
import { AppError } from "../../core/app-error.ts";
import type { Environment } from "../../core/environment.ts";
import { secureHome } from "../../system/secure-home.ts";
import { expandHome } from "../paths.ts";
import { CONFIG_SCHEMA, childOf } from "../schema/schema.ts";
import { toConfigError, toTrustedError } from "./problem.ts";
import { readToml, type TomlFile } from "./read-toml.ts";
import { isTrusted, trustRecord, wasTrusted } from "./trust.ts";

export {
  type ConfigProblem,
  type Fault,
  renderProblem,
  toConfigError,
  toProblems,
  toTrustedError,
} from "./problem.ts";
export { parseToml, type TomlFile, toTomlValue } from "./read-toml.ts";
export { rememberTrust, wasTrusted } from "./trust.ts";

/** Where to look, and the world around it. */
export interface LoadOptions {
  /** `--config`. */
  readonly path?: string | undefined;
  /** Where `path` came from when an earlier load found it. */
  readonly origin?: Origin | undefined;
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  readonly env: Environment;
  /** What was only found, as it was when it was right: it holds while the file is broken. */
  readonly lastFound?: ConfigFile | undefined;
  /** The owner's file that is in force: it is not done without. */
  readonly inForce?: FileInForce | undefined;
  /** This process works with what is loaded: what it cannot start with is not written for it. */
  readonly isUsedHere?: true;
}

/** An owner's file that an earlier load took. */
interface FileInForce {
  /** Absolute. */
  readonly path: string;
  /** No key of it was set. */
  readonly isBlank: boolean;
}

/** Where the owner's own configuration was found. */
export type Origin =
  /** Named by `--config`. */
  | "argument"
  /** Named by $PAPAYU_CONFIG. */
  | "variable"
  /** Found in the current folder, and trusted: whoever wrote that folder's files wrote it, too. */
  | "folder"
  /** In the daemon's folder. */
  | "home";

/** A configuration file as it is read, whether it is right or not. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  /** Where it was read, behind all links; undefined: nobody can say. */
  readonly real: string | undefined;
  readonly toml: TomlFile;
  readonly origin: Origin;
}

/** A file that was only found and cannot be used: nothing in it counts. */
export interface BrokenFile {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  /** ERR_CONFIG_PARSE or ERR_CONFIG_INVALID with every problem found. */
  readonly error: AppError;
}

/** A file that seems to be another program's. */
export interface StrangeFile extends Pick<ConfigFile, "path" | "shown"> {
  /** Keys at its top that papa-yu does not know. */
  readonly strange: readonly string[];
}

/** The files that make a configuration. */
export interface ConfigFiles {
  /** Is taken whole; none: the built-in defaults. */
  readonly owner?: ConfigFile;
  /** Was only found in the current folder, and may make the owner's stricter. */
  readonly found?: ConfigFile;
  /** Is used instead of `found` when that cannot be read: somebody else's mistake is no reason. */
  readonly broken?: BrokenFile;
  /** Was found there, seems to be another program's, and counts for nothing. */
  readonly other?: ConfigFile & StrangeFile;
  /** Warnings about the daemon's folder. */
  readonly notices?: readonly string[];
}

/**
 * Reads the files of {@link LoadOptions}: `--config` or `$PAPAYU_CONFIG` alone; else `./config.toml`
 * when it is trusted; else that of the daemon's folder, and `./config.toml` to make it stricter.
 *
 * @throws AppError ERR_CONFIG_PARSE of the owner's file, or of one that they trusted; ERR_HOME_UNSAFE
 * when others may have written it
 */
export async function readConfigFiles(options: LoadOptions): Promise<ConfigFiles> {
  const notices = secureHome(homeOf(options));
  const { found, ...files } = await readPlaces(options);
  keepInForce(files.owner, options);
  const strange = found && mayBeOthers(options, found.path) && strangeKeys(found.toml);
  if (!found || !strange) return { ...files, ...(found && { found }), notices };
  return { ...files, other: { ...found, strange }, notices };
}

/** What was right a moment ago, or was trusted once, is papa-yu's whatever is in it now. */
function mayBeOthers(options: LoadOptions, path: string): boolean {
  return options.lastFound?.path !== path && !wasTrusted(homeOf(options), path);
}

/**
 * Whether nothing but a refusal is left where a file of the current folder is broken: the owner
 * trusted it, and what it said is not known any more. The owner's other one may be looser.
 */
export function mustBeRight(options: LoadOptions, path: string): boolean {
  return options.lastFound?.path !== path && wasTrusted(homeOf(options), path);
}

/**
 * What shows that a `config.toml` found in the current folder is another program's, and no mistake: keys at
 * the top that papa-yu does not know, in a file that does not say whose it is.
 */
function strangeKeys({ text, value }: TomlFile): readonly string[] | undefined {
  if (/^#:schema\s/mu.test(text)) return undefined;
  const strange = Object.keys(Object(value)).filter((name) => !childOf(CONFIG_SCHEMA, name));
  return strange.length > 0 ? strange : undefined;
}

async function readPlaces(options: LoadOptions): Promise<ConfigFiles> {
  const { named, here, inHome } = configPlaces(options);
  if (named) return { owner: await readNamed(named, options) };
  const { found, broken } = here ? await readFound(here, options) : {};
  if (found && isTrusted(homeOf(options), found, found.toml.value)) return { owner: found };
  if (here?.mustExist === true && !found) throw broken?.error ?? missing(here, options);
  const owner = await readPlace(inHome, options);
  return { ...(owner && { owner }), ...(found && { found }), ...(broken && { broken }) };
}

/** Whatever is there, it keeps nobody from their own file; but for one that they trusted. */
async function readFound(
  place: Place,
  options: LoadOptions,
): Promise<Pick<ConfigFiles, "found" | "broken">> {
  try {
    const found = await readPlace(place, options);
    return found ? { found } : {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { path } = place;
    const shown = showPath(path, options.cwd);
    if (mustBeRight(options, path)) throw toTrustedError(error, shown);
    return { broken: { path, shown, error } };
  }
}

/** Every file whose change may change what a load gives, there or not. */
export function configPaths(options: LoadOptions): readonly string[] {
  const { named, here, inHome } = configPlaces(options);
  if (named) return [named.path];
  const found = here ? [here.path, trustRecord(homeOf(options), here.path)] : [];
  return [...found, inHome.path];
}

/** The daemon's folder. */
export function homeOf({ cwd, env, home }: LoadOptions): string {
  return resolve(cwd, expandHome(env["PAPAYU_HOME"] || "~/.papa-yu", home));
}

/** The configuration that is the owner's in every folder. */
export function homeConfigPath(options: LoadOptions): string {
  return join(homeOf(options), "config.toml");
}

interface Place {
  readonly path: string;
  readonly origin: Origin;
  readonly mustExist?: boolean;
}

interface Places {
  readonly named?: Place;
  readonly here?: Place;
  readonly inHome: Place;
}

function configPlaces(options: LoadOptions): Places {
  const { path, origin = "argument", cwd, home, env } = options;
  const toPath = (text: string) => resolve(cwd, expandHome(text, home));
  const inHome: Place = { path: homeConfigPath(options), origin: "home" };
  if (path && origin !== "folder") return { named: { path: toPath(path), origin }, inHome };
  if (path) return { here: { path: toPath(path), origin, mustExist: true }, inHome };
  const variable = env["PAPAYU_CONFIG"];
  if (variable) return { named: { path: toPath(variable), origin: "variable" }, inHome };
  const here: Place = { path: join(cwd, "config.toml"), origin: "folder" };
  return here.path === inHome.path ? { inHome } : { here, inHome };
}

async function readNamed(place: Place, options: LoadOptions): Promise<ConfigFile> {
  const file = await readPlace(place, options);
  if (!file) throw missing(place, options);
  return file;
}

async function readPlace(
  { path, origin }: Place,
  { cwd }: LoadOptions,
): Promise<ConfigFile | undefined> {
  const shown = showPath(path, cwd);
  const read = await readToml(path, shown);
  return read && { path, origin, shown, ...read };
}

/**
 * What is in force is not given up for a file that is gone, nor for one that is empty: so it is for a
 * moment while many programs save it, and the defaults may be looser.
 */
function keepInForce(owner: ConfigFile | undefined, options: LoadOptions): void {
  const { inForce } = options;
  if (!inForce) return;
  // Of one in the current folder is told what became of it, or of its trust.
  if (!owner && inForce.path === homeConfigPath(options)) throw missing(inForce, options);
  if (!owner) return;
  const isEmptied = !inForce.isBlank && owner.toml.text.trim() === "";
  if (isEmptied && owner.path === inForce.path) throw unusable(owner, EMPTIED, options);
}

const EMPTIED = "the file is empty; for the defaults write a comment into it, such as # nothing";

function missing(place: Pick<Place, "path">, options: LoadOptions) {
  return unusable(place, "no such file; papayu init writes one", options);
}

function unusable({ path }: Pick<Place, "path">, message: string, { cwd }: LoadOptions) {
  const problem = { file: showPath(path, cwd), line: 0, key: "", message };
  return toConfigError("ERR_CONFIG_PARSE", path, [problem]);
}

/** As short as can be: relative below the current folder. */
function showPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}
