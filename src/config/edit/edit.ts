import { AppError } from "../../core/app-error.ts";
import { type ConfigKey, locateKey, parseKey } from "../keys/keys.ts";
import { type ConfigSource, keyFaults, type LoadedConfig } from "../load/load.ts";
import type { ConfigFile, LoadOptions } from "../places/places.ts";
import { type Config, type KeyPath, renderKey } from "../schema/schema.ts";
import { findLines, isList, renderTomlKey, type TomlValue } from "../toml/toml.ts";
import { isTable, valueAt } from "../value-at.ts";
import { folderFaults } from "../workspaces.ts";
import { changeFile } from "./change-file.ts";
import { editToml } from "./edit-toml.ts";
import { openOwnFile } from "./own-text.ts";
import { parseValue } from "./parse-value.ts";
import { removeTomlKey } from "./remove-key.ts";

export { changeFile, trustFile } from "./change-file.ts";
export { editToml } from "./edit-toml.ts";
export { checkFolders, checkText, openOwnFile, problemsIn } from "./own-text.ts";

/** A key that was set or unset. */
export interface KeyChange {
  readonly path: string;
  readonly key: ConfigKey;
  /** What is in force now. */
  readonly config: Config;
  readonly warnings: readonly string[];
  /** A found file that is left out, of which one of the warnings speaks. */
  readonly broken: ConfigSource["broken"];
  /** Another value than the one that was set is in force: a stricter file or the environment has it. */
  readonly isOverruled: boolean;
}

/**
 * Sets one key of the configuration file: everything else in it stays as it is, and it is
 * written only if `papayu config check` would find nothing wrong with it afterwards. `text` is
 * the text itself where a text is wanted, and TOML or JSON everywhere else.
 *
 * @throws AppError ERR_USAGE, ERR_CONFIG_PARSE, ERR_CONFIG_INVALID, ERR_SECRET_UNAVAILABLE or ERR_IO; nothing is written
 */
export async function setKey(options: LoadOptions, name: string, text: string): Promise<KeyChange> {
  const action = `Cannot set "${name}"`;
  const { key, file } = await openKey(options, name, action);
  const target = findTarget(file.toml.value, key, parseValue(text, key.node));
  if (!target.ok) throw new AppError("ERR_USAGE", `${action}: ${target.reason}`);
  const edited = await editToml(file.toml.text, target.path, target.value);
  const loaded = await changeFile(options, file, edited, action);
  const {
    config,
    source: { found },
  } = loaded;
  const isOverruled = !isTable(target.value) && valueAt(config, target.path) !== target.value;
  const isStricter = found?.stricter.includes(renderTomlKey(key.steps.map(String))) === true;
  const who = isStricter ? `${found.shown} is stricter` : "the environment says otherwise";
  const change = toChange(file, key, loaded, options);
  if (!isOverruled) return change;
  return {
    ...change,
    warnings: [...change.warnings, `${name}: ${who}, and wins`],
    isOverruled,
  };
}

/**
 * Takes one key out of the configuration file, so that its default holds; comments and order
 * stay. A key that is not there is no fault.
 *
 * @throws AppError ERR_USAGE, ERR_CONFIG_PARSE, ERR_CONFIG_INVALID, ERR_SECRET_UNAVAILABLE or ERR_IO; nothing is written
 */
export async function unsetKey(options: LoadOptions, name: string): Promise<KeyChange> {
  const action = `Cannot unset "${name}"`;
  const { key, file } = await openKey(options, name, action);
  const path = locateKey(file.toml.value, key);
  if (!path) throw new AppError("ERR_USAGE", `${action}: there is no entry of that name`);
  if (key.node.items?.type === "object" || key.entryAt === path.length - 1) {
    const line = (await findLines(file.toml.text))(path);
    const reason = `take the block out by hand, "${file.shown}" line ${line}, or unset its keys one by one`;
    throw new AppError("ERR_USAGE", `${action}: ${reason}`);
  }
  const edited = await removeTomlKey(file.toml.text, path);
  return toChange(file, key, await changeFile(options, file, edited, action), options);
}

/**
 * Keys of providers are warned of where another process may have them, as a service has its own variables,
 * and so are folders that are not there, which may come.
 */
function toChange(
  { path }: ConfigFile,
  key: ConfigKey,
  loaded: LoadedConfig,
  { env }: LoadOptions,
): KeyChange {
  const { config, source, warnings } = loaded;
  const absent = key.steps[0] === "workspaces" ? folderFaults(loaded).absent : [];
  const faults = [...keyFaults(loaded, env), ...absent];
  const missing = faults.map((each) => `${renderKey(each.path)}: ${each.message}`);
  const { broken } = source;
  return { path, key, config, warnings: [...warnings, ...missing], broken, isOverruled: false };
}

async function openKey(
  options: LoadOptions,
  name: string,
  action: string,
): Promise<{ readonly key: ConfigKey; readonly file: ConfigFile }> {
  const key = parseKey(name);
  if (!key.ok) throw new AppError("ERR_USAGE", key.message);
  const { file } = await openOwnFile(options, action);
  return { key, file };
}

type Target =
  | { readonly ok: true; readonly path: KeyPath; readonly value: TomlValue }
  | { readonly ok: false; readonly reason: string };

/** Where a value goes: a table that is given to a new name is a new entry. */
function findTarget(root: unknown, key: ConfigKey, value: TomlValue): Target {
  const { steps, node, entryAt } = key;
  if (node.items?.type === "object") return { ok: false, reason: "set its entries by their name" };
  const path = locateKey(root, key);
  if (path) return { ok: true, path, value };
  const name = steps.at(-1);
  if (
    entryAt !== steps.length - 1 ||
    typeof name !== "string" ||
    !isTable(value) ||
    isList(value)
  ) {
    return { ok: false, reason: "there is no entry of that name" };
  }
  const around = steps.slice(0, entryAt);
  const entries = valueAt(root, around);
  const { name: _, ...rest } = value;
  const index = isList(entries) ? entries.length : 0;
  return { ok: true, path: [...around, index], value: { name, ...rest } };
}
