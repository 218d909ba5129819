import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { AppError, errorMessage } from "../core/app-error.ts";
import { writeDurably } from "../system/write-durably.ts";
import { editToml } from "./edit.ts";
import { type ConfigKey, locateKey, parseKey } from "./key.ts";
import { type ConfigFile, findConfigFile, judgeConfig, type LoadOptions } from "./load.ts";
import { parseValue } from "./parse-value.ts";
import { parseToml } from "./read-toml.ts";
import { isList, type TomlValue } from "./render-toml.ts";
import type { Config } from "./schema.ts";
import type { KeyPath } from "./schema-node.ts";
import { isTable, valueAt } from "./value-at.ts";

/** A key that was set. */
export interface KeySet {
  readonly path: string;
  readonly key: ConfigKey;
  /** What the configuration means now. */
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Sets one key of the configuration file: everything else in it stays as it is, and it is
 * written only if `papayu config check` would find nothing wrong with it afterwards. `text` is
 * the text itself where a text is wanted, and TOML or JSON everywhere else.
 *
 * @throws AppError ERR_USAGE, ERR_CONFIG_PARSE, ERR_CONFIG_INVALID or ERR_IO; nothing is written
 */
export async function setKey(options: LoadOptions, name: string, text: string): Promise<KeySet> {
  const key = parseKey(name);
  if (!key.ok) throw new AppError("ERR_USAGE", key.message);
  const file = await findConfigFile(options);
  const action = `Cannot set "${name}"`;
  if (!file) throw new AppError("ERR_USAGE", `${action}: there is no file; papayu init writes one`);
  const target = findTarget(file.toml.value, key, parseValue(text, key.node));
  if (!target.ok) throw new AppError("ERR_USAGE", `${action}: ${target.reason}`);
  const edited = await editToml(file.toml.text, target.path, target.value);
  if (!edited.ok) {
    throw new AppError("ERR_USAGE", `${action}: ${edited.reason}; edit "${file.shown}" by hand`);
  }
  const toml = parseToml(file.path, file.shown, edited.text);
  const loaded = await judgeConfig(options, { ...file, toml });
  if (edited.text !== file.toml.text) replaceText(file, edited.text);
  const { config, warnings } = loaded;
  const isOverruled = !isTable(target.value) && valueAt(config, target.path) !== target.value;
  const notice = `${name}: the environment says otherwise, and wins`;
  return { path: file.path, key, config, warnings: isOverruled ? [...warnings, notice] : warnings };
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

/** Through links, which people keep their settings behind; its mode and byte-order mark stay. */
function replaceText({ path, shown, toml }: ConfigFile, text: string): void {
  try {
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const raw = readFileSync(target, "utf8");
    const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
    if (raw !== mark + toml.text) throw new Error("it was changed just now; try again");
    writeDurably(target, mark + text, statSync(target).mode & 0o777);
  } catch (error) {
    const message = `Cannot write "${shown}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}
