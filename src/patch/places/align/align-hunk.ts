import { createHunk, type Hunk, type HunkLine } from "../../hunks/hunks.ts";
import { isAlike } from "../../lines/lines.ts";
import type { Finder } from "../find-places.ts";
import { findReindent, type Reindent } from "../indent/indent.ts";
import { BAND, cheapestPaths, type Path, WORDS } from "./alignment-paths.ts";
import { type Fit, layHunk } from "./lay-hunk.ts";
import { isTorn } from "./torn-changes.ts";

const MOST_LINES = 2000;
/** An alignment that costs more is no longer certain to be of the same lines. */
const MOST_COST = 6.5;
/** For each doubtful line so many certain ones. */
const CERTAIN = 3;

/** The hunk as the file has it, and where. */
export interface Alignment {
  readonly hunk: Hunk;
  readonly start: number;
  readonly reindent: Reindent;
}

/**
 * Lays a hunk on the file at about `start` although a few of its kept lines are misquoted, left
 * out or invented; the result has the file's lines in their place. Undefined where a removed line
 * differs, where an insertion touches a doubtful line, or where too much is in doubt.
 *
 * One pass over a narrow band: the work grows with the hunk, not with what is wrong in it.
 */
export function alignHunk(
  lines: readonly string[],
  hunk: Hunk,
  start: number,
  finder: Finder,
): Alignment | undefined {
  const quoted = hunk.lines.filter((line) => line.kind !== "add");
  if (quoted.length > MOST_LINES) return undefined;
  const [first, ...others] = likeliest(
    cheapestPaths(lines, quoted, start, finder).map((path) => {
      return { path, fits: toFits(lines, quoted, path) };
    }),
  );
  if (first === undefined) return undefined;
  const { path, fits } = first;
  const cost = path.cost - costOfAgain(hunk, fits);
  if (cost > MOST_COST) return undefined;
  const around = lines.slice(Math.max(0, path.start - BAND), path.start + fits.length + 2 * BAND);
  if (!isCertain(fits, cost) || isTorn(hunk.lines, fits, around)) return undefined;
  const among = { around, patch: finder.goal };
  const laid = layHunk(hunk, fits, path.start, among);
  if (laid === undefined) return undefined;
  const changed = changedLines(laid, path.start);
  const isOther = (other: Laid) => {
    const way = layHunk(hunk, other.fits, other.path.start, among);
    return way === undefined || changedLines(way, other.path.start) !== changed;
  };
  if (others.some(isOther)) return undefined;
  const reindent = reindentBy(hunk, fits);
  return reindent && { hunk: laid, start: path.start, reindent };
}

interface Laid {
  readonly path: Path;
  readonly fits: readonly Fit[];
}

/** Of ways that are as cheap those in which no line is taken for one that is nothing like it. */
function likeliest(ways: readonly Laid[]): readonly Laid[] {
  const isOther = ({ step, quoted, theirs }: Fit) =>
    step === "misquoted" && !isAlike(quoted.text, theirs);
  const likely = ways.filter(({ fits }) => !fits.some(isOther));
  return likely.length > 0 ? likely : ways;
}

function toFits(lines: readonly string[], quoted: readonly HunkLine[], path: Path): readonly Fit[] {
  const fits: Fit[] = [];
  let skipped: string[] = [];
  let at = path.start;
  for (const step of path.steps) {
    const theirs = lines[at] ?? "";
    if (step !== "invented") at++;
    const line = quoted[fits.length];
    if (step === "skipped" || line === undefined) skipped.push(theirs);
    else {
      fits.push({ quoted: line, step, theirs, skipped });
      skipped = [];
    }
  }
  return fits;
}

/** What is left out and added again is no line in doubt: the hunk has it. */
function costOfAgain({ lines }: Hunk, fits: readonly Fit[]): number {
  const added = new Set(lines.flatMap(({ kind, text }) => (kind === "add" ? [text.trim()] : [])));
  const again = fits.flatMap(({ skipped }) => skipped).filter((line) => added.has(line.trim()));
  return again.filter((line) => line.trim() !== "").length * WORDS;
}

function isCertain(fits: readonly Fit[], cost: number): boolean {
  const certain = fits.filter(({ step, quoted }) => step === "match" && quoted.text.trim() !== "");
  return certain.length >= 2 && certain.length * WORDS >= cost * CERTAIN;
}

/** What is certain tells how the added lines are indented. */
function reindentBy(hunk: Hunk, fits: readonly Fit[]): Reindent | undefined {
  const certain = fits.filter(({ step }) => step === "match");
  const added = hunk.lines.filter(({ kind }) => kind === "add");
  const lines = [...certain.map(({ quoted }) => quoted), ...added];
  const reindent = findReindent(
    certain.map(({ theirs }) => theirs),
    0,
    createHunk({ ...hunk, lines }),
  );
  return reindent === "unsure" ? undefined : reindent;
}

/** Which lines of the file a hunk at `start` changes. */
function changedLines({ lines }: Hunk, start: number): string {
  const changed: number[] = [];
  let at = start;
  for (const { kind } of lines) {
    if (kind !== "keep") changed.push(at);
    if (kind !== "add") at++;
  }
  return changed.join();
}
