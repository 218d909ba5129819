import type { Hunk, HunkLine, StatedRange } from "./hunk.ts";

/** `@@ -1,2 +3,4 @@ heading` with any part missing. */
const HEADER = /^@@\s*(?:-\s*(\d+)(?:\s*,\s*(\d+))?\s+\+\s*(\d+)(?:\s*,\s*(\d+))?)?\s*(?:@@)?(.*)$/;
/** What models write in place of numbers: `...`, `-XX,XX`, `+?`. */
const NO_RANGE = /(?:^|\s)(?:[-+][\d.?,X…]+|\.{2,}|…|@@)(?=\s|$)/g;

/** Lines of a patch without their ends; `cut`: the last one has none. */
export interface PatchLines {
  readonly lines: readonly string[];
  readonly cut: boolean;
}

interface Header {
  readonly stated?: StatedRange;
  readonly heading: string;
}

/** Where a body ends and goes on being read, and why it may not be all of it. */
interface Extent {
  readonly end: number;
  readonly next: number;
  readonly fault?: string;
}

type Body = Pick<Hunk, "lines" | "before" | "after" | "oldUnterminated" | "newUnterminated">;

/**
 * Reads one hunk from its `@@` line, or from its first body line where there is none.
 *
 * Counts decide only where they agree with the lines to the end: then even a removed `-- x`
 * beside an added `++ x` is no file header. Otherwise the hunk goes as far as its markers do.
 */
export function readHunk(
  patch: PatchLines,
  from: number,
  number: number,
): { readonly hunk: Hunk; readonly next: number } {
  const { lines } = patch;
  const headed = lines[from]?.startsWith("@@") ?? false;
  const { stated, heading } = headed ? readHunkHeader(lines[from] ?? "") : { heading: "" };
  const start = headed ? from + 1 : from;
  const { end, next, fault } = findCounted(lines, start, stated) ?? findMarked(lines, start);
  const body = readBody(lines, start, end);
  const cutOff = patch.cut && next === lines.length && stated && isCutOff(body, stated);
  const reason = cutOff ? "the patch ends in the middle of it; send it whole" : fault;
  return {
    hunk: { number, ...(stated && { stated }), heading, ...body, ...(reason && { fault: reason }) },
    next,
  };
}

/** Whether a line can stand in a hunk: it has a marker, or is a context line stripped bare. */
export function isBodyLine(line: string): boolean {
  const marker = line.charAt(0);
  return marker === " " || marker === "+" || marker === "-" || marker === "" || marker === "\\";
}

/** Whether the lines at `at` begin another file's part: `--- old` directly above `+++ new`. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return (lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) ?? false;
}

function readHunkHeader(line: string): Header {
  const [, oldStart, oldCount, newStart, newCount, rest = ""] = HEADER.exec(line) ?? [];
  const heading = rest === "" ? "" : rest.replace(NO_RANGE, " ").replace(/@@$/, "").trim();
  if (oldStart === undefined) return { heading };
  const stated = {
    oldStart: Number(oldStart),
    ...(oldCount !== undefined && { oldCount: Number(oldCount) }),
    newStart: Number(newStart),
    ...(newCount !== undefined && { newCount: Number(newCount) }),
  };
  return { stated, heading };
}

/** The body as its counts have it, or undefined where they do not fit the lines. */
function findCounted(
  lines: readonly string[],
  start: number,
  stated?: StatedRange,
): Extent | undefined {
  if (stated === undefined) return undefined;
  let oldLeft = stated.oldCount ?? 1;
  let newLeft = stated.newCount ?? 1;
  let next = start;
  for (; oldLeft > 0 || newLeft > 0; next++) {
    const line = lines[next];
    if (line === undefined || !isBodyLine(line)) return undefined;
    if (line.startsWith("\\")) continue;
    if (!line.startsWith("+")) oldLeft--;
    if (!line.startsWith("-")) newLeft--;
    if (oldLeft < 0 || newLeft < 0) return undefined;
  }
  if (lines[next]?.startsWith("\\")) next++;
  return isBoundary(lines, next) ? { end: next, next } : undefined;
}

/** A hunk that its counts end here really ends here. */
function isBoundary(lines: readonly string[], at: number): boolean {
  const line = lines[at];
  if (line === undefined || line === "" || !isBodyLine(line)) return true;
  return line === "-- " || isFileHeader(lines, at);
}

/** The body as far as markers go; blank lines behind it separate, they are no context. */
function findMarked(lines: readonly string[], start: number): Extent {
  let next = start;
  while (next < lines.length && isBodyLine(lines[next] ?? "") && !isFileHeader(lines, next)) next++;
  let end = next;
  while (end > start && lines[end - 1] === "") end--;
  if (!losesChanges(lines, next)) return { end, next };
  const shown = lines[next]?.slice(0, 60) ?? "";
  const fault = `its line "${shown}" has no marker; begin every line with " ", "-" or "+"`;
  return { end, next, fault };
}

/** Whether changed lines follow that belong to the hunk but for a line without a marker. */
function losesChanges(lines: readonly string[], next: number): boolean {
  for (let i = next; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (/^(@@|```|~~~|--- |\+\+\+ |diff |Index: )/.test(line)) return false;
    if (line.startsWith("+") || line.startsWith("-")) return true;
  }
  return false;
}

function readBody(source: readonly string[], start: number, end: number): Body {
  const lines: HunkLine[] = [];
  const before: string[] = [];
  const after: string[] = [];
  let oldUnterminated = false;
  let newUnterminated = false;
  for (let i = start; i < end; i++) {
    const line = source[i] ?? "";
    if (line.startsWith("\\")) {
      const marked = lines.at(-1)?.kind;
      oldUnterminated ||= marked === "remove";
      newUnterminated ||= marked === "add";
      continue;
    }
    const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "keep";
    // A byte order mark belongs to the file, not to its first line.
    const text = line.slice(line.startsWith("\uFEFF", 1) ? 2 : 1);
    lines.push({ kind, text });
    if (kind !== "add") before.push(text);
    if (kind !== "remove") after.push(text);
  }
  return { lines, before, after, oldUnterminated, newUnterminated };
}

/** Lines are missing behind a changed line that ends in mid-line. */
function isCutOff({ lines, before, after }: Body, { oldCount, newCount }: StatedRange): boolean {
  if (lines.at(-1)?.kind === "keep") return false;
  return before.length < (oldCount ?? 1) || after.length < (newCount ?? 1);
}
