import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { sha256 } from "../../core/sha256.ts";
import { makePrivateDir } from "../../system/make-private-dir.ts";
import { writeDurably } from "../../system/write-durably.ts";
import { toRealPath } from "../paths.ts";
import { isTable } from "../value-at.ts";

/**
 * A file where it was found, and where it was read: never where a link leads when that is asked
 * later, for whoever may write the folder of the link may have turned it since.
 */
interface Place {
  readonly path: string;
  readonly real: string | undefined;
}

/**
 * Whether the owner trusts the file that says this. Trust holds for a file at its path, whatever
 * is written into it later; where others may write it, too, only for what was seen.
 *
 * @param home the daemon's folder
 * @param said what the file says
 */
export function isTrusted(home: string, { path, real }: Place, said: unknown): boolean {
  const record = readRecord(home, path);
  const { file = record?.["path"] } = record ?? {};
  if (record === undefined || real === undefined || file !== real) return false;
  return record["values_sha256"] === digest(said) || !mayOthersWrite(real);
}

/** Whether the owner trusted the file that once was at this path, wherever a link of that name leads now. */
export function wasTrusted(home: string, path: string): boolean {
  return readRecord(home, path) !== undefined;
}

/**
 * Remembers that the owner trusts the file that says this.
 *
 * @throws AppError ERR_IO
 */
export function rememberTrust(home: string, { path, real }: Place, said: unknown): void {
  if (real === undefined) {
    const message = `Cannot trust "${path}": other files take its place just now; try again`;
    throw new AppError("ERR_IO", message);
  }
  const record = { path: toPlace(path), file: real, values_sha256: digest(said) };
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
  return join(home, "trusted", `${sha256(toPlace(path))}.json`);
}

/** Where the file is found, which is not where a link of that name leads: its folder counts, too. */
function toPlace(path: string): string {
  return join(toRealPath(dirname(path)), basename(path));
}

/** What cannot be read, or is of another place, is no trust. */
function readRecord(home: string, path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(trustRecord(home, path), "utf8"));
    return isTable(record) && record["path"] === toPlace(path) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The same for the same values, whatever their order and the comments around them. */
function digest(said: unknown): string {
  return sha256(JSON.stringify(sortKeys(said)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isTable(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name) => [name, sortKeys(value[name])]);
}

/** By version control, by the file's rights, or by those of its folder. */
function mayOthersWrite(file: string): boolean {
  const folder = dirname(file);
  return isInCheckout(folder) || [file, folder].some(isWritableByOthers);
}

/** Who may write what is gone meanwhile nobody can see. */
function isWritableByOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return !found || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0;
}

const VERSION_CONTROL = [".git", ".hg", ".svn", ".jj"];

/** Whether version control may write the files of a folder. */
function isInCheckout(folder: string): boolean {
  if (VERSION_CONTROL.some((name) => existsSync(join(folder, name)))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInCheckout(parent);
}
