import type { HunkNote } from "../../texts/notes/notes.ts";
import { withoutColours, withoutCounting } from "./shown-patch.ts";

/** A patch as it was before what happened to all of it on its way, and what that was. */
export interface Unwrapped {
  readonly patch: string;
  readonly repairs: readonly HunkNote[];
}

/**
 * Undoes what happened to a patch as a whole: line ends that were escaped twice, the colours of a
 * terminal, a number, quote mark, bullet or indentation before every line. A patch with a header at
 * the beginning of a line is as it was.
 */
export function unwrapPatch(patch: string): Unwrapped {
  const bare = withoutColours(patch);
  const { patch: text, repairs } = unwrapPlain(bare ?? patch);
  return { patch: text, repairs: bare === undefined ? repairs : ["colours", ...repairs] };
}

function unwrapPlain(patch: string): Unwrapped {
  const unescaped = unescapePatch(patch);
  if (unescaped !== undefined) return { patch: unescaped, repairs: ["escaped"] };
  if (patch.split("\n").some((line) => HEAD.test(line))) return { patch, repairs: [] };
  const bare = withoutCounting(patch) ?? withoutPrefix(patch);
  if (bare !== undefined) return { patch: bare, repairs: ["prefixed"] };
  return { patch, repairs: [] };
}

const ESCAPED_BODY = /^["']?(?:.*\\n)?@@.*?\\n[-+ ]/;
const ESCAPE = /\\(?:([nrt"'/\\])|u([0-9a-fA-F]{4}))/g;
const OTHER_ESCAPE = /^(?:[^\\]|\\[nrt"'/\\]|\\u[0-9a-fA-F]{4})*\\(?![nrt"'/\\]|u[0-9a-fA-F]{4})/;
const UNESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Text of a JSON string that was escaped once too often; undefined where it does not look so. */
export function unescapeText(text: string): string | undefined {
  if (!text.includes("\\n")) return undefined;
  // Another escape than JSON has: only the line ends were escaped.
  if (OTHER_ESCAPE.test(text)) return text.replaceAll("\\n", "\n");
  return text.replace(ESCAPE, (_, sign: string | undefined, code: string | undefined) =>
    code === undefined
      ? (UNESCAPED[sign ?? ""] ?? sign ?? "")
      : String.fromCharCode(parseInt(code, 16)),
  );
}

function unescapePatch(patch: string): string | undefined {
  const headers = patch
    .trim()
    .split("\n")
    .filter((line) => line.includes("@@"));
  if (headers.length === 0 || !headers.every((line) => ESCAPED_BODY.test(line))) return undefined;
  const text = unescapeText(patch.trim().replace(/^(["'])([^]*)\1$/, "$2"));
  // An escaped line end of the code itself would have become one of the patch.
  return text !== undefined && text.split("\n").every(mayBeLine) ? withEnd(text) : undefined;
}

function mayBeLine(line: string): boolean {
  return /^(?:[-+ @\\]|diff |index |Index: |```|=|$)/.test(line);
}

function withEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

const HEAD = /^(?:@@|diff --git |--- \S|\+\+\+ \S)/;
/** What is put before a line: blanks, quote marks, bullets, numbers. */
const PREFIX =
  /^((?:[ \t\u00A0]|[>|*\u2022\u00B7#]|- |\/\/|\d{1,3}[.)] )+)(?:@@|diff --git |--- \S)/;

function withoutPrefix(patch: string): string | undefined {
  const lines = patch.split("\n");
  const first = lines.findIndex((line) => PREFIX.test(line));
  const prefix = PREFIX.exec(lines[first] ?? "")?.[1];
  if (prefix === undefined) return undefined;
  const isBullet = /[-*\u2022\d]/.test(prefix);
  const strip = (line: string): string | undefined => {
    if (line.startsWith(prefix)) return line.slice(prefix.length);
    if (line.trim() === "" || line.trimEnd() === prefix.trimEnd()) return "";
    const isBelow = isBullet && line.slice(0, prefix.length).trim() === "";
    return isBelow ? line.slice(prefix.length) : undefined;
  };
  // What is said below the patch has nothing before it.
  const end = lines.findLastIndex((line) => line.startsWith(prefix) && line.trim() !== "") + 1;
  const stripped = lines
    .slice(first)
    .map((line, i) => strip(line) ?? (first + i < end ? undefined : line));
  if (stripped.includes(undefined) || !stripped.some((line) => line?.startsWith("@@"))) {
    return undefined;
  }
  return [...lines.slice(0, first), ...stripped].join("\n");
}
