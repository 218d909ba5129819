import { readFileSync } from "node:fs";
import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { openExact } from "../../system/open-exact.ts";

/** What a person writes by hand is shorter. */
const MAX_BYTES = 32 * 1024;

/**
 * The text of a regular file of at most 32 KiB at a real path, without a byte-order mark. Waits
 * for no pipe and follows no link.
 *
 * @throws Error with a reason for people
 */
export function readSmallText(realPath: string, maxBytes = MAX_BYTES): string {
  using file = openExact(realPath);
  if (file.stat.size > maxBytes) throw new Error(`it is over ${maxBytes} bytes; shorten it`);
  const text = decodeUtf8(readFileSync(file.fd));
  if (text === undefined) throw new Error("it is not UTF-8 text; save it as UTF-8");
  return text.replace(/^\uFEFF/u, "");
}
