import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { errorMessage, type Failure } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a file and their hash. */
export interface WholeFile {
  readonly ok: true;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

/**
 * Reads a regular file of at most `maxBytes`, whatever is in it; waits for no pipe and follows no
 * link in its last part. Failures speak of `shownPath`.
 */
export async function readWholeFile(
  absolutePath: string,
  maxBytes: number,
  shownPath: string = absolutePath,
): Promise<WholeFile | Failure> {
  const refuse = (reason: string) =>
    ({ ok: false, code: "ERR_IO", message: `Cannot read "${shownPath}": ${reason}` }) as const;
  try {
    await using file = await open(absolutePath, FLAGS);
    const stat = await file.stat();
    if (!stat.isFile()) return refuse("it is not a regular file");
    // Looked at again: it may grow while it is read.
    const bytes = stat.size > maxBytes ? undefined : await file.readFile();
    if (!bytes || bytes.length > maxBytes) return refuse(`it is over ${maxBytes / 1e6} MB`);
    return { ok: true, bytes, sha256: sha256(bytes) };
  } catch (error) {
    return refuse(errorMessage(error).replaceAll(absolutePath, shownPath));
  }
}
