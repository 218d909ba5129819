import type { Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorMessage, type Failure, systemErrorCode } from "../core/app-error.ts";
import { decodeUtf8 } from "../core/decode-utf8.ts";
import { sha256 } from "../core/sha256.ts";
import { EXACT_FLAGS, expectExact, isSame } from "../system/open-exact.ts";

/** A file to read, as `resolvePath` gives it, or at a real path that nobody else chose. */
export interface ReadTarget {
  readonly absolute: string;
  /** What messages call it, so that a model does not learn where the folder is. */
  readonly path: string;
  /** As it was when the guard looked: another file in its place is refused. */
  readonly stat?: Stats | undefined;
}

/** The bytes of a file and their hash. */
export interface WholeFile {
  readonly ok: true;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

/** A file's text and identity, byte-order mark included, so that text and sha256 belong together. */
export interface TextFile {
  readonly ok: true;
  readonly text: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Reads a regular file that must be UTF-8 text of at most 64 MiB. */
export async function readTextFile(target: ReadTarget): Promise<TextFile | Failure> {
  const file = await readWholeFile(target, MAX_TEXT_BYTES);
  if (!file.ok) return file;
  const text = decodeUtf8(file.bytes);
  if (text !== undefined) {
    return { ok: true, text, sha256: file.sha256, sizeBytes: file.bytes.byteLength };
  }
  const reason = "it is not UTF-8 text; convert it to UTF-8 or leave it out";
  return refuse("ERR_NON_UTF8_FILE", target, reason);
}

/**
 * Reads a regular file of at most `maxBytes`, of any content: the one that the guard saw or none.
 * It waits for no pipe and follows no link, not even one that was put there since.
 */
export async function readWholeFile(
  target: ReadTarget,
  maxBytes: number,
): Promise<WholeFile | Failure> {
  try {
    await using file = await open(target.absolute, EXACT_FLAGS);
    const stat = expectGuarded(file, target);
    if (!stat.isFile()) return refuse("ERR_IO", target, "it is not a regular file");
    // Looked at again: it may grow while it is read.
    const bytes = stat.size > maxBytes ? undefined : await file.readFile();
    if (!bytes || bytes.length > maxBytes) {
      return refuse("ERR_IO", target, `it is over ${Math.round(maxBytes / 1e6)} MB`);
    }
    return { ok: true, bytes, sha256: sha256(bytes) };
  } catch (error) {
    return toFailure(target, error);
  }
}

/** Why the disk does not give a file or folder, in words for people. */
export function toFailure(target: ReadTarget, error: unknown): Failure {
  const code = systemErrorCode(error);
  if (code === "ELOOP") return refuse("ERR_IO", target, "it is a symbolic link");
  if (code === "ENOENT" || code === "ENOTDIR")
    return refuse("ERR_NOT_FOUND", target, "it does not exist");
  return refuse("ERR_IO", target, errorMessage(error).replaceAll(target.absolute, target.path));
}

function expectGuarded({ fd }: FileHandle, { absolute, stat: seen }: ReadTarget): Stats {
  const stat = expectExact(fd, absolute);
  if (!seen || isSame(stat, seen)) return stat;
  throw new Error("another file took its place just now; try again");
}

function refuse(code: Failure["code"], { path }: ReadTarget, reason: string): Failure {
  return { ok: false, code, message: `Cannot read "${path}": ${reason}` };
}
