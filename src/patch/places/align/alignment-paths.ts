import type { HunkLine } from "../../hunks/hunks.ts";
import type { Finder } from "../find-places.ts";

/** The quoted lines and those of the file may get this many lines out of step. */
export const BAND = 3;
const WIDTH = 2 * BAND + 1;
/** What a doubtful line costs: a blank one, and one with words. */
const BLANK = 1;
export const WORDS = 2;
/** That a line is misquoted is likelier than that it is nowhere. */
const INVENTED = 0.125;

/** What is done with one line: `skipped` is the file's, `invented` is only quoted. */
export type Step = "match" | "misquoted" | "skipped" | "invented";

/** How the quoted lines lie on the file, from its line `start` on. */
export interface Path {
  readonly steps: readonly Step[];
  readonly start: number;
  readonly cost: number;
}

/** Least costs, and the steps that lead to them, by diagonal. */
interface Row {
  readonly costs: Float64Array;
  readonly steps: (readonly Step[])[];
}

/** The lines of the file that the quoted ones may lie on, from line `from` on. */
interface Nearby {
  readonly lines: readonly string[];
  readonly forms: readonly string[];
  readonly from: number;
}

/**
 * The outermost of the paths that cost least, two for each end: what these have in common all
 * paths between them have. One pass over a narrow band around `start`.
 */
export function cheapestPaths(
  lines: readonly string[],
  quoted: readonly HunkLine[],
  start: number,
  finder: Finder,
): readonly Path[] {
  const rows = fillRows(lines, quoted, start, finder);
  const costs = rows.at(-1)?.costs ?? new Float64Array();
  const cost = Math.min(...costs);
  return Array.from(costs).flatMap((other, d) =>
    other === cost && Number.isFinite(cost)
      ? [walkBack(rows, d, start, LOW), walkBack(rows, d, start, HIGH)]
      : [],
  );
}

/** Row i: the least costs of laying the first i quoted lines on lines up to each diagonal. */
function fillRows(
  lines: readonly string[],
  quoted: readonly HunkLine[],
  start: number,
  finder: Finder,
): readonly Row[] {
  const nearby = linesAround(lines, start, quoted.length, finder);
  let row: Row = { costs: new Float64Array(WIDTH), steps: [] };
  const rows = [row];
  for (const [i, line] of quoted.entries()) {
    rows.push((row = nextRow(row, line, nearby, start + i - BAND, finder)));
  }
  return rows;
}

function linesAround(
  lines: readonly string[],
  start: number,
  count: number,
  { fold }: Finder,
): Nearby {
  const from = Math.max(0, start - BAND);
  const near = lines.slice(from, Math.max(0, start + count + BAND));
  return { lines: near, forms: near.map(fold), from };
}

/** The row of one more quoted line, whose lowest diagonal is at line `lowest` of the file. */
function nextRow(
  above: Row,
  line: HunkLine,
  { lines, forms, from }: Nearby,
  lowest: number,
  finder: Finder,
): Row {
  const row: Row = { costs: new Float64Array(WIDTH).fill(Infinity), steps: [] };
  const ours = finder.fold(line.text);
  for (let d = 0; d < WIDTH; d++) {
    const at = lowest + d - from;
    const theirs = forms[at];
    if (theirs !== undefined) {
      const isSame = theirs === ours && mayStandFor(line, lines[at] ?? "", finder);
      if (isSame) offer(row, d, costAt(above, d), "match");
      else if (line.kind === "keep") offer(row, d, costAt(above, d) + WORDS, "misquoted");
      offer(row, d, costAt(row, d - 1) + costOf(theirs), "skipped");
    }
    if (line.kind === "keep")
      offer(row, d, costAt(above, d + 1) + costOf(ours) + INVENTED, "invented");
  }
  return row;
}

/** Whether a line of the same form is close enough: a removed one has to be closer. */
function mayStandFor({ kind, text }: HunkLine, theirs: string, { foldRemoved }: Finder): boolean {
  return kind === "keep" || foldRemoved(theirs) === foldRemoved(text);
}

/** Keeps a step if no other is cheaper, next to those that cost the same. */
function offer({ costs, steps }: Row, d: number, cost: number, step: Step): void {
  const least = costAt({ costs }, d);
  if (cost > least || cost === Infinity) return;
  steps[d] = cost < least ? [step] : [...(steps[d] ?? []), step];
  costs[d] = cost;
}

/** Nothing leads beyond the band. */
function costAt({ costs }: Pick<Row, "costs">, d: number): number {
  return costs[d] ?? Infinity;
}

/** What it costs to be without a line, by its folded form. */
function costOf(form: string): number {
  return form === "" ? BLANK : WORDS;
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
