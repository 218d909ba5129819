import type { Failure } from "./app-error.ts";
import { shorten } from "./cut-text.ts";
import { utf8Length } from "./decode-utf8.ts";

/** Longest path in use, in UTF-8 bytes. */
const MAX_PATH_BYTES = 240;

/** Control and format characters (zero-width, bidi), line separators, replaced surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/u;

/** Names that mean a device on Windows, regardless of what follows the first dot. */
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Brings a relative path into its one spelling: "/" between segments, NFC, without a leading "./"
 * or a trailing "/". Refuses all that could name something outside the folder it is relative to, on
 * any system. Looks at the text only; the disk is the path guard's.
 */
export function normalisePath(
  path: string,
): { readonly ok: true; readonly path: string } | Failure {
  if (utf8Length(path) > MAX_PATH_BYTES) {
    return {
      ok: false,
      code: "ERR_PATH_TOO_LONG",
      message: `Cannot use "${shorten(path, 60)}": the path is over ${MAX_PATH_BYTES} bytes; shorten it`,
    };
  }
  const segments = path
    .normalize("NFC")
    .replace(/^\.\//, "")
    .split("/")
    .filter((segment, index) => segment !== "" || index === 0);
  const fault = pathFault(path, segments);
  return fault === undefined ? { ok: true, path: segments.join("/") } : invalid(path, fault);
}

function pathFault(path: string, segments: readonly string[]): string | undefined {
  if (path === "" || path === "." || path === "./") return "it names no file";
  if (UNSEEN.test(path)) return "it holds control or invisible characters";
  if (path.startsWith("/")) return "it is absolute";
  if (segments[0]?.startsWith("~")) return 'it starts with "~"';
  if (path.includes("\\")) return 'it holds "\\"; separate folders with "/"';
  if (/^[a-z]:/i.test(segments[0] ?? "")) return "it starts with a drive letter";
  for (const segment of segments) {
    const fault = segmentFault(segment);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  const folded = segment.normalize("NFKC");
  if (folded === "..") return 'a ".." segment leaves the folder it is in';
  if (folded === "." || segment === "") return 'it holds a "." segment';
  if (folded.includes("/") || folded.includes("\\")) return "a look-alike slash is in it";
  if (/[. ]$/.test(segment)) return "a segment ends with a dot or a blank";
  if (DEVICE.test(segment)) return `"${segment}" is a device on Windows`;
  if (folded.includes(":")) return 'a ":" names a hidden stream of a file on Windows';
  return undefined;
}

function invalid(path: string, reason: string): Failure {
  const shown = path.replace(new RegExp(UNSEEN, "gu"), "\uFFFD");
  return {
    ok: false,
    code: "ERR_INVALID_PATH",
    message: `Cannot use "${shown}": ${reason}; give a path inside the workspace such as "src/app.ts"`,
  };
}
