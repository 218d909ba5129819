import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { takeLock } from "../../system/locks/locks.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { writeDurably } from "../../system/write-durably.ts";
import type { LoadedConfig } from "../load/load.ts";
import {
  type ConfigFile,
  homeOf,
  type LoadOptions,
  parseToml,
  rememberTrust,
} from "../places/places.ts";
import type { EditResult } from "./edit-toml.ts";
import { combineEdited } from "./own-text.ts";

/**
 * Writes an edited text in the place of a configuration file, if `papayu config check` would
 * find nothing wrong with it. A trusted file stays trusted. Gives what is in force then.
 *
 * @throws AppError ERR_USAGE, ERR_CONFIG_PARSE, ERR_CONFIG_INVALID, ERR_SECRET_UNAVAILABLE or ERR_IO; nothing is written
 */
export async function changeFile(
  options: LoadOptions,
  file: ConfigFile,
  edited: EditResult,
  action: string,
): Promise<LoadedConfig> {
  if (!edited.ok) {
    throw new AppError("ERR_USAGE", `${action}: ${edited.reason}; edit "${file.shown}" by hand`);
  }
  const changed = { ...file, toml: parseToml(file.path, file.shown, edited.text) };
  // What is refused is not written: lines are those of the file as it stays.
  const lined = { ...changed, toml: { ...changed.toml, text: file.toml.text } };
  const next = await combineEdited(options, lined);
  if (edited.text !== file.toml.text) {
    replaceText(file, edited.text, homeOf(options));
    trustFile(options, changed);
  }
  return next;
}

/**
 * Remembers that the owner trusts a file of the current folder, as it is; others need no trust.
 *
 * @throws AppError ERR_IO
 */
export function trustFile(options: LoadOptions, file: ConfigFile): void {
  if (file.origin === "folder") rememberTrust(homeOf(options), file, file.toml.value);
}

/**
 * Through links, which people keep their settings behind; its mode and byte-order mark stay. Two
 * at once would both find what they had read, and one would be lost without a word.
 */
function replaceText({ path, shown, toml }: ConfigFile, text: string, home: string): void {
  makePrivateDir(home);
  const lock = takeLock(join(home, "config.lock"), "papayu config");
  try {
    if (!lock.ok) throw new Error("it is being changed just now; try again");
    // The owner's file in the daemon's folder begins with its first key.
    if (toml.text === "" && !existsSync(path)) writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const raw = readFileSync(target, "utf8");
    const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
    if (raw !== mark + toml.text) throw new Error("it was changed just now; try again");
    writeDurably(target, mark + text, statSync(target).mode & 0o777);
  } catch (error) {
    const message = `Cannot write "${shown}": ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  } finally {
    if (lock.ok) lock.release();
  }
}
