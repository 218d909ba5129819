import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, errorMessage } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import { makePrivateDir } from "../system/make-private-dir.ts";
import { writeDurably } from "../system/write-durably.ts";
import type { OwnersValue } from "./owners-values.ts";
import { toRealPath } from "./real-path.ts";
import { isTable } from "./value-at.ts";

/**
 * Whether the owner trusts the file that says this. Trust holds for a file at its path, whatever
 * is written into it later; in a checkout, where others write too, only for the same values.
 *
 * @param home the daemon's folder
 */
export function isTrusted(home: string, path: string, values: readonly OwnersValue[]): boolean {
  const file = toRealPath(path);
  const record = readRecord(trustRecord(home, path));
  if (!isTable(record) || record["path"] !== file) return false;
  return record["values_sha256"] === digest(values) || !isInCheckout(dirname(file));
}

/**
 * Remembers that the owner trusts the file that says this.
 *
 * @throws AppError ERR_IO
 */
export function rememberTrust(home: string, path: string, values: readonly OwnersValue[]): void {
  const record = { path: toRealPath(path), values_sha256: digest(values) };
  const place = trustRecord(home, path);
  makePrivateDir(dirname(place));
  try {
    writeDurably(place, `${JSON.stringify(record)}\n`, 0o600);
  } catch (error) {
    const message = `Cannot remember that "${path}" is trusted: ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

/** Where the trust in a file is written down: one record each, so that two at once lose nothing. */
export function trustRecord(home: string, path: string): string {
  return join(home, "trusted", `${sha256(toRealPath(path))}.json`);
}

/** What cannot be read is no trust. */
function readRecord(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function digest(values: readonly OwnersValue[]): string {
  const lines = values.map(({ steps, value }) => JSON.stringify([steps, value]));
  return sha256(lines.toSorted().join("\n"));
}

const VERSION_CONTROL = [".git", ".hg", ".svn", ".jj"];

/** Whether version control may write the files of a folder. */
function isInCheckout(folder: string): boolean {
  if (VERSION_CONTROL.some((name) => existsSync(join(folder, name)))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInCheckout(parent);
}
