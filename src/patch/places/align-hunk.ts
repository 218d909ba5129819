import { createHunk, type Hunk, type HunkLine, hasWords } from "../hunks/hunks.ts";
import { BAND, cheapestPaths, type Path, type Step, WORDS } from "./alignment-paths.ts";
import type { Finder } from "./find-places.ts";
import { findReindent, type Reindent } from "./reindent.ts";

const MOST_LINES = 2000;
/** An alignment that costs more is no longer certain to be of the same lines. */
const MOST_COST = 6;
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
  const paths = cheapestPaths(lines, quoted, start, finder).map((path) => {
    const fits = toFits(lines, quoted, path);
    return { path, fits, laid: asInFile(hunk, fits) };
  });
  const [first] = paths;
  if (first === undefined || first.path.cost > MOST_COST) return undefined;
  const { fits, path, laid } = first;
  const around = lines.slice(Math.max(0, path.start - BAND), path.start + fits.length + 2 * BAND);
  if (!isCertain(fits, path.cost) || isTorn(hunk.lines, fits, around)) return undefined;
  const changed = changedLines(laid, path.start);
  if (paths.some((other) => changedLines(other.laid, other.path.start) !== changed)) {
    return undefined;
  }
  const reindent = reindentBy(hunk, fits);
  return reindent && { hunk: laid, start: path.start, reindent };
}

/** A quoted line, how it was recognised, and the lines of the file above it that it left out. */
interface Fit {
  readonly quoted: HunkLine;
  readonly step: Exclude<Step, "skipped">;
  readonly theirs: string;
  readonly skipped: readonly string[];
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

function isCertain(fits: readonly Fit[], cost: number): boolean {
  const certain = fits.filter(({ step, quoted }) => step === "match" && quoted.text.trim() !== "");
  return certain.length >= 2 && certain.length * WORDS >= cost * CERTAIN;
}

/**
 * Whether a change touches what is in doubt: then its own place is in doubt, too. Removed lines
 * with words in them say where they are, if every line like them nearby is quoted; all other
 * changes need certain neighbours, and lines without words between are not certain enough.
 */
function isTorn(
  lines: readonly HunkLine[],
  fits: readonly Fit[],
  around: readonly string[],
): boolean {
  return findChanges(lines).some(({ from, to }) => {
    const removed = fits.slice(from, to);
    if (removed.some((fit, i) => i > 0 && isGap(fit))) return true;
    return !isPinned(removed, fits, around) && !(isFirm(fits, from - 1, -1) && isFirm(fits, to, 1));
  });
}

/** A run of changed lines: the quoted lines that it removes, of which there may be none. */
interface Change {
  readonly from: number;
  to: number;
}

function findChanges(lines: readonly HunkLine[]): readonly Change[] {
  const changes: Change[] = [];
  let open: Change | undefined;
  let quoted = 0;
  for (const { kind } of lines) {
    if (kind === "keep") open = undefined;
    else if (open === undefined) changes.push((open = { from: quoted, to: quoted }));
    if (kind !== "add") quoted++;
    if (open !== undefined) open.to = quoted;
  }
  return changes;
}

/** Whether removed lines can be no others than these. */
function isPinned(
  removed: readonly Fit[],
  fits: readonly Fit[],
  around: readonly string[],
): boolean {
  const worded = removed.filter(({ quoted }) => hasWords(quoted.text));
  return worded.length > 0 && worded.every((fit) => hasNoDouble(around, fits, fit));
}

/** Whether the lines from `from` on are certain and adjoin, up to one with words. */
function isFirm(fits: readonly Fit[], from: number, step: 1 | -1): boolean {
  for (let i = from; ; i += step) {
    // Above the change a gap lies below the line that was looked at before.
    if (isGap(fits[step > 0 ? i : i + 1])) return false;
    const fit = fits[i];
    if (fit === undefined) return true;
    if (fit.step !== "match") return false;
    if (hasWords(fit.quoted.text)) return true;
  }
}

/** Whether every line around there that is like this one is quoted, and no more of them are. */
function hasNoDouble(around: readonly string[], fits: readonly Fit[], { theirs }: Fit): boolean {
  const wanted = theirs.trim();
  const found = fits.filter((one) => one.step === "match" && one.theirs.trim() === wanted);
  const isMissed = fits.some((one) => one.step !== "match" && one.quoted.text.trim() === wanted);
  return !isMissed && around.filter((line) => line.trim() === wanted).length === found.length;
}

function isGap(fit: Fit | undefined): boolean {
  return fit !== undefined && fit.skipped.length > 0;
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

/** The hunk with the file's own lines in place of the quoted ones. */
function asInFile(hunk: Hunk, fits: readonly Fit[]): Hunk {
  const lines: HunkLine[] = [];
  let next = 0;
  for (const line of hunk.lines) {
    const fit = line.kind === "add" ? undefined : fits[next++];
    if (fit === undefined) lines.push(line);
    else {
      for (const text of fit.skipped) lines.push({ kind: "keep", text });
      if (fit.step !== "invented") lines.push({ kind: fit.quoted.kind, text: fit.theirs });
    }
  }
  return createHunk({ ...hunk, lines });
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
