import { findDoubt } from "./doubtful-end.ts";
import type { Hunk, HunkLine, StatedRange } from "./hunk.ts";
import { isBodyLine, isEdge, markOf, type PatchLines } from "./marked-lines.ts";
import { isElision } from "./placeholder.ts";

/** `@@ -1,2 +3,4 @@ heading` with any part missing. */
const HEADER = /^@@\s*(?:-\s*(\d+)(?:\s*,\s*(\d+))?\s+\+\s*(\d+)(?:\s*,\s*(\d+))?)?\s*(?:@@)?(.*)$/;
const CUT_OFF = "the patch ends in the middle of it; send it whole";
/** What models write in place of numbers: `...`, `-XX,XX`, `+?`. */
const NO_RANGE = /(?:^|\s)(?:[-+][\d.?,X…]+|\.{2,}|…|@@)(?=\s|$)/g;

interface Header {
  readonly stated: StatedRange | undefined;
  readonly heading: string;
}

/** The body ends before `end`; the patch goes on at `next`. */
interface Extent {
  readonly end: number;
  readonly next: number;
}

type Body = Omit<Hunk, "number" | "stated" | "heading" | "fault">;

/**
 * Reads one hunk from its `@@` line, or from its first body line where there is none.
 *
 * Counts decide only where they agree with the lines to the end: then even a removed `-- x` next to
 * an added `++ x` is no file header. Otherwise the hunk goes as far as its lines do.
 */
export function readHunk(
  patch: PatchLines,
  from: number,
  number: number,
): { readonly hunk: Hunk; readonly next: number } {
  const { lines } = patch;
  const headed = lines[from]?.startsWith("@@") ?? false;
  const { stated, heading } = readHunkHeader(headed ? (lines[from] ?? "") : "");
  const start = headed ? from + 1 : from;
  const { end, next } = findCounted(patch, start, stated) ?? findWritten(patch, start);
  const body = readBody(lines, start, end);
  const isLast = patch.cut && next === lines.length;
  const isCut = isLast && stated !== undefined && isCutOff(body, stated);
  const fault = isCut ? CUT_OFF : findDoubt(patch, { body, stated, end, next });
  return { hunk: { ...body, number, stated, heading, fault }, next };
}

function readHunkHeader(line: string): Header {
  const [, oldStart, oldCount, newStart, newCount, rest = ""] = HEADER.exec(line) ?? [];
  const heading = rest === "" ? "" : rest.replace(NO_RANGE, " ").replace(/@@$/, "").trim();
  if (oldStart === undefined) return { stated: undefined, heading };
  const stated = {
    oldStart: Number(oldStart),
    oldCount: oldCount === undefined ? undefined : Number(oldCount),
    newStart: Number(newStart),
    newCount: newCount === undefined ? undefined : Number(newCount),
  };
  return { stated, heading };
}

/** The body as its counts have it, or undefined where they do not fit the lines. */
function findCounted(patch: PatchLines, start: number, stated?: StatedRange): Extent | undefined {
  if (stated === undefined) return undefined;
  const { lines } = patch;
  let oldLeft = stated.oldCount ?? 1;
  let newLeft = stated.newCount ?? 1;
  let next = start;
  for (; oldLeft > 0 || newLeft > 0; next++) {
    const line = lines[next];
    const mark = line === undefined ? undefined : markOf(line);
    if (mark === undefined) return undefined;
    if (mark === "keep" || mark === "remove") oldLeft--;
    if (mark === "keep" || mark === "add") newLeft--;
    if (oldLeft < 0 || newLeft < 0) return undefined;
  }
  if (lines[next]?.startsWith("\\ ")) next++;
  return isBoundary(patch, next) ? { end: next, next } : undefined;
}

/** A hunk that its counts end here really ends here. */
function isBoundary(patch: PatchLines, at: number): boolean {
  const line = patch.lines[at];
  if (line === undefined || isEdge(patch.lines, at)) return true;
  return (line === "" || !isBodyLine(line)) && lastChange(patch, at) < at;
}

/**
 * The body without counts: up to the next header or fence, and within that as far as lines have
 * markers. A line without one has lost it where changes follow or where the file has it. Blank
 * lines at the end only separate.
 */
function findWritten(patch: PatchLines, start: number): Extent {
  const { lines, hasLine } = patch;
  const last = lastChange(patch, start);
  let end = start;
  let next = start;
  let lost = false;
  for (; next < lines.length && !isEdge(lines, next); next++) {
    const line = lines[next] ?? "";
    if (line === "") continue;
    const marked = isBodyLine(line);
    if (!marked && !isElision(line)) {
      // Where other lines have lost their markers, one that adjoins is rather context than prose.
      const adjoins = lost && end === next;
      if (next > last && !adjoins && !hasLine(line)) break;
      lost = true;
    }
    end = next + 1;
  }
  return { end, next };
}

/** The last changed line from `from` on that belongs to the hunk, or -1; items of a list do not. */
function lastChange({ lines, hasLine }: PatchLines, from: number): number {
  let last = -1;
  for (let i = from; i < lines.length && !isEdge(lines, i); i++) {
    const line = lines[i] ?? "";
    const removes = line.startsWith("-") && (!/^-+(?: \S|$)/.test(line) || hasLine(line.slice(1)));
    if (removes || line.startsWith("+")) last = i;
  }
  return last;
}

function readBody(source: readonly string[], start: number, end: number): Body {
  const lines: HunkLine[] = [];
  const before: string[] = [];
  const after: string[] = [];
  let oldUnterminated = false;
  let newUnterminated = false;
  let lostMarkers = false;
  for (let i = start; i < end; i++) {
    const line = source[i] ?? "";
    const mark = markOf(line);
    if (mark === "end") {
      const marked = lines.at(-1)?.kind;
      oldUnterminated ||= marked === "remove";
      newUnterminated ||= marked === "add";
      continue;
    }
    lostMarkers ||= mark === undefined && !isElision(line);
    const kind = mark ?? "keep";
    const from = mark === undefined ? 0 : 1;
    // A byte order mark belongs to the file, not to its first line.
    const text = line.slice(line[from] === "\uFEFF" ? from + 1 : from);
    lines.push({ kind, text });
    if (kind !== "add") before.push(text);
    if (kind !== "remove") after.push(text);
  }
  const body = { lines, before, after, oldUnterminated, newUnterminated };
  return lostMarkers ? { ...body, lostMarkers, repairs: ["markers"] } : body;
}

/** Lines are missing behind a changed line that ends in mid-line. */
function isCutOff({ lines, before, after }: Body, { oldCount, newCount }: StatedRange): boolean {
  if (lines.at(-1)?.kind === "keep") return false;
  return before.length < (oldCount ?? 1) || after.length < (newCount ?? 1);
}
