import { createHunk, type Hunk, type HunkLine, hasWords } from "../hunks/hunks.ts";
import { fillGap } from "./fill-gaps.ts";
import { type Finder, mayRemove, type Place } from "./find-places.ts";
import { findReindent } from "./indent/indent.ts";

/** A hunk with the file's own blank lines, and its places. */
export interface Spaced {
  readonly hunk: Hunk;
  readonly places: readonly Place[];
}

/** What is in more places would be narrowed down by line numbers only. */
const MOST_PLACES = 10;

/**
 * Where the old side of a hunk is but for blank lines that are quoted too many or too few; those
 * prove nothing. Undefined where that is nowhere, or where lines would go next to a blank line of
 * which it is not known on which side; without places where it is in doubt how far it reaches.
 */
export function findSpaced(
  lines: readonly string[],
  hunk: Hunk,
  finder: Finder,
): Spaced | undefined {
  const worded = hunk.before.filter((line) => line.trim() !== "");
  // Where blank lines are what is changed, those of the file are not what was thought.
  const isLayout = hunk.lines.every(({ kind, text }) => kind === "keep" || text.trim() === "");
  if (isLayout || !worded.some(hasWords)) return undefined;
  const { at, index } = finder.worded();
  const starts = index.find(worded, MOST_PLACES + 1);
  if (starts.length > MOST_PLACES) return undefined;
  const found: { hunk: Hunk; place: Place }[] = [];
  for (const start of starts) {
    const laid = layBlanks(lines, hunk, at.subarray(start, start + worded.length));
    const place = laid && toPlace(lines, laid.hunk, laid.start, finder);
    if (laid === undefined || place === "unsure") return undefined;
    if (place !== undefined) found.push({ hunk: laid.hunk, place });
  }
  const [first, ...others] = found;
  if (first !== undefined && found.some((one) => endsInTheMiddle(lines, hunk, one, finder))) {
    return { hunk, places: [] };
  }
  if (first === undefined || others.some((other) => !isSame(other.hunk, first.hunk))) {
    return undefined;
  }
  return { hunk: first.hunk, places: found.map(({ place }) => place) };
}

/**
 * Whether a blank line is quoted beside a change at the edge of a hunk, and the file has words there
 * that may be meant to change: more lines are added than go, or some hunk adds that very line.
 */
function endsInTheMiddle(
  lines: readonly string[],
  quoted: Hunk,
  { hunk, place }: { readonly hunk: Hunk; readonly place: Place },
  { goal }: Finder,
): boolean {
  return [
    { own: quoted.lines, laid: hunk.lines, next: place.start + hunk.before.length },
    {
      own: quoted.lines.toReversed(),
      laid: hunk.lines.toReversed(),
      next: place.start - 1,
    },
  ].some(({ own, laid, next }) => {
    const theirs = lines[next] ?? "";
    const run = laid.slice(laid.findLastIndex(({ kind }) => kind === "keep") + 1);
    if (own.at(-1)?.kind !== "keep" || run.length === 0 || !hasWords(theirs)) return false;
    const added = run.filter(({ kind, text }) => kind === "add" && text.trim() !== "");
    return goal.adds(theirs) || added.length > run.length - added.length;
  });
}

function toPlace(
  lines: readonly string[],
  hunk: Hunk,
  start: number,
  finder: Finder,
): Place | "unsure" | undefined {
  if (!mayRemove(lines, hunk, start, finder.foldRemoved)) return undefined;
  const reindent = findReindent(lines, start, hunk);
  if (reindent === undefined || reindent === "unsure") return reindent;
  return { start, match: "spaced", reindent };
}

function isSame(a: Hunk, b: Hunk): boolean {
  return (
    a.lines.length === b.lines.length && a.lines.every(({ kind }, i) => kind === b.lines[i]?.kind)
  );
}

/** The hunk with the blank lines that the file has around its old lines with text, which are at `at`. */
function layBlanks(
  lines: readonly string[],
  hunk: Hunk,
  at: Int32Array,
): { readonly hunk: Hunk; readonly start: number } | undefined {
  const laid: HunkLine[] = [];
  let gap: HunkLine[] = [];
  let above: HunkLine | undefined;
  let next = 0;
  let start = at[0] ?? 0;
  for (const line of [...hunk.lines, undefined]) {
    const isInGap = line !== undefined && (line.kind === "add" || line.text.trim() === "");
    if (isInGap) gap.push(line);
    else {
      const blanks = countBlanks(lines, gap, at[next - 1], at[next]);
      const filled = fillGap({ lines: gap, above, below: line }, blanks);
      if (filled === undefined) return undefined;
      if (next === 0) start -= blanks;
      for (const each of filled) laid.push(each);
      if (line !== undefined) laid.push(line);
      [gap, above] = [[], line];
      next++;
    }
  }
  return { hunk: createHunk({ ...hunk, lines: laid }), start };
}

/** All blank lines between two lines; beyond the first or last one no more than are quoted. */
function countBlanks(
  lines: readonly string[],
  gap: readonly HunkLine[],
  above: number | undefined,
  below: number | undefined,
): number {
  if (above !== undefined && below !== undefined) return below - above - 1;
  const quoted = gap.filter(({ kind }) => kind !== "add").length;
  const step = above === undefined ? -1 : 1;
  const from = above ?? below ?? 0;
  let count = 0;
  while (count < quoted && lines[from + step * (count + 1)]?.trim() === "") count++;
  return count;
}
