import { diffArrays } from "diff";
import {
  areAllOrNone,
  createHunk,
  findNumbering,
  type Hunk,
  type HunkLine,
  withoutNumber,
} from "../hunks/hunks.ts";
import { foldQuotes, splitSource } from "../lines/lines.ts";
import type { Edit } from "./edit.ts";

/** A changed line and its new form are no further apart in a diff. */
const MOST_APART = 40;
/** Past this many changed lines the diff need not be the shortest. */
const MOST_CHANGES = 400;

/**
 * An edit as a hunk without a line number: what `before` and `after` have in common is context,
 * and so need not be quoted as strictly as what goes.
 */
export function toHunk({ before, after }: Pick<Edit, "before" | "after">, number: number): Hunk {
  const old = splitSource(before).lines;
  const renewed = splitSource(after).lines;
  const strip = findNumbering(old);
  const numbered = strip !== undefined && areAllOrNone(renewed, strip);
  const lines = numbered ? compare(old.map(strip), renewed.map(strip)) : compare(old, renewed);
  const hunk = hunkOf(number, restyles(lines) ? lines.flatMap(withQuotes) : lines);
  return numbered ? { ...hunk, repairs: ["numbers"] } : hunk;
}

/** A quotation that is only to be found. */
export function quoteHunk(text: string, number: number): Hunk {
  const lines = splitSource(text).lines.map(withoutNumber);
  return hunkOf(number, compare(lines, lines));
}

/** The hunk without the blank context lines at its edges; undefined where it has none. */
export function trimEdges(hunk: Hunk): Hunk | undefined {
  const isBlank = ({ kind, text }: HunkLine) => kind === "keep" && text.trim() === "";
  const first = hunk.lines.findIndex((line) => !isBlank(line));
  const last = hunk.lines.findLastIndex((line) => !isBlank(line));
  if (first < 0 || last - first + 1 === hunk.lines.length) return undefined;
  const repairs = [...(hunk.repairs ?? []), "edges" as const];
  return createHunk({ ...hunk, lines: hunk.lines.slice(first, last + 1), repairs });
}

function hunkOf(number: number, lines: readonly HunkLine[]): Hunk {
  const frame = { heading: "", oldUnterminated: false, newUnterminated: false, unmarked: true };
  return createHunk({ ...frame, number, lines });
}

/** Whether some line is changed in its quotes only: then quotes are what the edit is about. */
function restyles(lines: readonly HunkLine[]): boolean {
  return lines.some(({ kind, text }, i) => {
    const isTwin = (other: HunkLine) =>
      other.kind === "add" && other.text !== text && foldQuotes(other.text) === foldQuotes(text);
    return kind === "remove" && lines.slice(i, i + MOST_APART).some(isTwin);
  });
}

/**
 * A shared line as a change to the quotes that it has here, so that the file's own do not count.
 */
function withQuotes(line: HunkLine): readonly HunkLine[] {
  const { kind, text } = line;
  if (kind !== "keep" || !/["']/.test(text)) return [line];
  return [
    { kind: "remove", text },
    { kind: "add", text },
  ];
}

function compare(old: readonly string[], renewed: readonly string[]): readonly HunkLine[] {
  const options = { maxEditLength: MOST_CHANGES };
  const changes = diffArrays([...old], [...renewed], options) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: renewed },
  ];
  return changes.flatMap(({ removed, added, value }) => {
    const kind = removed ? "remove" : added ? "add" : "keep";
    return value.map((text): HunkLine => ({ kind, text }));
  });
}
