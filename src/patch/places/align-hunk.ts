import { createHunk, type Hunk, type HunkLine, hasWords } from "../hunks/hunks.ts";
import type { Finder } from "./find-places.ts";
import { findReindent, type Reindent } from "./reindent.ts";

/** So many lines may the sides of a hunk come apart. */
const BAND = 3;
const MOST_LINES = 2000;
/** Costs: a doubtful blank line, a doubtful line with words, and what is still one place. */
const BLANK = 1;
const WORDS = 2;
const MOST_COST = 6;
/** For each doubtful line so many certain ones. */
const CERTAIN = 3;

/** The hunk as the file has it, and where. */
export interface Alignment {
  readonly hunk: Hunk;
  readonly start: number;
  readonly reindent: Reindent;
}

type Step = "match" | "misquoted" | "skipped" | "invented";

/** Least costs, and the steps that lead to them, by diagonal. */
interface Row {
  readonly costs: Float64Array;
  readonly steps: (readonly Step[])[];
}

/** How the quoted lines lie on the file, from its line `start` on. */
interface Path {
  readonly steps: readonly Step[];
  readonly start: number;
  readonly cost: number;
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
  const paths = cheapestPaths(fillRows(lines, quoted, start, finder), start).map((path) => {
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

/** Row i: what it costs least to lay the first i quoted lines on lines up to each diagonal. */
function fillRows(
  lines: readonly string[],
  quoted: readonly HunkLine[],
  start: number,
  { fold, foldRemoved }: Finder,
): readonly Row[] {
  const width = 2 * BAND + 1;
  const from = Math.max(0, start - BAND);
  const forms = lines.slice(from, Math.max(0, start + quoted.length + BAND)).map(fold);
  let above: Row = { costs: new Float64Array(width), steps: [] };
  const rows = [above];
  for (const [i, line] of quoted.entries()) {
    const row: Row = { costs: new Float64Array(width).fill(Infinity), steps: [] };
    const offer = (d: number, cost: number, step: Step) => {
      const least = row.costs[d] ?? 0;
      if (cost > least || cost === Infinity) return;
      row.steps[d] = cost < least ? [step] : [...(row.steps[d] ?? []), step];
      row.costs[d] = cost;
    };
    const kept = line.kind === "keep";
    const ours = fold(line.text);
    for (let d = 0; d < width; d++) {
      const at = start + i + d - BAND;
      const theirs = forms[at - from];
      const straight = above.costs[d] ?? Infinity;
      if (theirs !== undefined) {
        const isSame =
          theirs === ours && (kept || foldRemoved(lines[at] ?? "") === foldRemoved(line.text));
        if (isSame) offer(d, straight, "match");
        else if (kept) offer(d, straight + WORDS, "misquoted");
        offer(d, (row.costs[d - 1] ?? Infinity) + costOf(theirs), "skipped");
      }
      if (kept) offer(d, (above.costs[d + 1] ?? Infinity) + costOf(ours), "invented");
    }
    rows.push((above = row));
  }
  return rows;
}

/** What it costs to be without a line, by its folded form. */
function costOf(form: string): number {
  return form === "" ? BLANK : WORDS;
}

/**
 * The outermost of the paths that cost least, two for each end: what these have in common all
 * paths between them have.
 */
function cheapestPaths(rows: readonly Row[], start: number): readonly Path[] {
  const costs = rows.at(-1)?.costs ?? new Float64Array();
  const cost = Math.min(...costs);
  return Array.from(costs).flatMap((other, d) =>
    other === cost && Number.isFinite(cost)
      ? [walkBack(rows, d, start, LOW), walkBack(rows, d, start, HIGH)]
      : [],
  );
}

/** Back to front, the first of these that leads on keeps to the low or to the high diagonals. */
const LOW: readonly Step[] = ["skipped", "match", "misquoted", "invented"];
const HIGH: readonly Step[] = ["invented", "match", "misquoted", "skipped"];

function walkBack(rows: readonly Row[], end: number, start: number, order: readonly Step[]): Path {
  const steps: Step[] = [];
  let d = end;
  for (let i = rows.length - 1; i > 0; ) {
    const possible = rows[i]?.steps[d] ?? [];
    const step = order.find((one) => possible.includes(one)) ?? "match";
    steps.push(step);
    if (step === "skipped") d--;
    else i--;
    if (step === "invented") d++;
  }
  const cost = rows.at(-1)?.costs[end] ?? Infinity;
  return { steps: steps.toReversed(), start: start + d - BAND, cost };
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
 * Whether a change touches what is in doubt: then its own place is. Removed lines with words in
 * them say themselves where, if each like them around there is quoted; all other changes need certain
 * neighbours, and lines without words between are not certain enough.
 */
function isTorn(
  lines: readonly HunkLine[],
  fits: readonly Fit[],
  around: readonly string[],
): boolean {
  let next = 0;
  for (let k = 0; k < lines.length; ) {
    if (lines[k]?.kind === "keep") {
      next++;
      k++;
      continue;
    }
    const first = next;
    const worded: Fit[] = [];
    for (; k < lines.length && lines[k]?.kind !== "keep"; k++) {
      const { kind, text } = lines[k] ?? { kind: "add", text: "" };
      if (kind !== "remove") continue;
      if (next > first && isGap(fits[next])) return true;
      const fit = fits[next++];
      if (fit !== undefined && hasWords(text)) worded.push(fit);
    }
    const isPinned = worded.length > 0 && worded.every((fit) => hasNoDouble(around, fits, fit));
    if (!isPinned && !(isFirm(fits, first - 1, -1) && isFirm(fits, next, 1))) return true;
  }
  return false;
}

/** Whether the lines from `at` on are certain and adjoin, up to one with words. */
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

/** Which lines of the file a hunk that stands at `start` changes. */
function changedLines({ lines }: Hunk, start: number): string {
  const changed: number[] = [];
  let at = start;
  for (const { kind } of lines) {
    if (kind !== "keep") changed.push(at);
    if (kind !== "add") at++;
  }
  return changed.join();
}
