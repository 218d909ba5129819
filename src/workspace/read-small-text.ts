import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { decodeUtf8 } from "../core/decode-utf8.ts";

const MAX_BYTES = 32 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The text of a regular file of at most 32 KiB, without a byte-order mark. Waits for no pipe and
 * follows no link in the last part of the path.
 *
 * @throws Error with a reason for people
 */
export function readSmallText(path: string): string {
  const file = openSync(path, FLAGS);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > MAX_BYTES) throw new Error(`it is over ${MAX_BYTES} bytes; shorten it`);
    const text = decodeUtf8(readFileSync(file));
    if (text === undefined) throw new Error("it is not UTF-8 text; save it as UTF-8");
    return text.replace(/^\uFEFF/u, "");
  } finally {
    closeSync(file);
  }
}
