import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, describeDiskError, systemErrorCode } from "../core/app-error.ts";
import { readPlainFile } from "./plain-file.ts";
import { syncDirectory } from "./write-durably.ts";

const KEY_BYTES = 32;

/** A key as it is in its file: hexadecimal digits and a line end. */
const KEY_TEXT = /^([0-9a-f]{64})\n$/;

/**
 * The random key in a file, which is made when it is not there, durably and readable by its owner
 * alone. Of several processes that make it at once all get the same one.
 *
 * @throws AppError ERR_IO when the disk refuses, or what is there is no key
 */
export function openKeyFile(path: string): Buffer {
  const found = findKeyFile(path);
  if (found) return found;
  try {
    makeKeyFile(path);
  } catch (error) {
    throw unusable(path, describeDiskError(error), error);
  }
  const made = findKeyFile(path);
  if (made) return made;
  throw unusable(path, "it was removed just now");
}

/**
 * The key in a file; undefined when there is none.
 *
 * @throws AppError ERR_IO when what is there is no key
 */
export function findKeyFile(path: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readPlainFile(path, 2 * KEY_BYTES + 1);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw unusable(path, describeDiskError(error), error);
  }
  const [, digits] = KEY_TEXT.exec(bytes.toString("latin1")) ?? [];
  if (digits === undefined) throw unusable(path, "it holds no key");
  return Buffer.from(digits, "hex");
}

/** It appears under its name whole or not at all, and never takes the place of another. */
function makeKeyFile(path: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const fd = openSync(temporary, "wx", 0o600);
  try {
    writeFileSync(fd, `${randomBytes(KEY_BYTES).toString("hex")}\n`);
    fsyncSync(fd);
    linkSync(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  } finally {
    closeSync(fd);
    unlinkSync(temporary);
  }
  syncDirectory(dirname(path));
}

function unusable(path: string, reason: string, cause?: unknown): AppError {
  const message = `Cannot use the key "${path}": ${reason}; restore it from a backup, or move it away: then transactions of before have to be adopted (docs/recovery.md)`;
  return new AppError("ERR_IO", message, { cause });
}
