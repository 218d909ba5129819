import { linesOfHunk, readHunkLines, type Stretch, sameLines } from "./hunk-lines.ts";
import { type Line, type TextLines, toLines } from "./lines.ts";
import { type Pair, pairLines, revisionsIn } from "./pairs.ts";
import { changedWords, type Range } from "./words.ts";

export type { Line } from "./lines.ts";
export type { Pair } from "./pairs.ts";
export type { Range } from "./words.ts";

/** A hunk of the diff that was shown; with its lines where the texts are too large to be sent. */
export interface Hunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  readonly lines?: readonly string[] | undefined;
  /** The version before had the same. */
  readonly same?: boolean | undefined;
}

/** What a file was and becomes; null: there is none. */
export interface FileTexts {
  readonly before: string | null;
  readonly after: string | null;
  readonly hunks: readonly Hunk[];
}

/** How many lines of a fold are open at its upper and at its lower end. */
export interface Opened {
  readonly top: number;
  readonly bottom: number;
}

/** What a person chose to see of a file. */
export interface Layout {
  readonly isSplit: boolean;
  readonly ignoresBlanks: boolean;
  /** By the number of the fold. */
  readonly opened: ReadonlyMap<number, Opened>;
  /** Each hunk has a head, by which it can be left out. */
  readonly hasHunkHeads?: boolean;
  /** Of what the version before had as well nothing is shown but that it is there. */
  readonly isSince?: boolean;
}

/** A row of a review. */
export type Row =
  | { readonly kind: "line"; readonly line: Line; readonly other?: Line }
  | { readonly kind: "pair"; readonly pair: Pair }
  | FoldRow
  /** Before the lines of a hunk; `isHidden`: in place of them. */
  | { readonly kind: "hunk"; readonly hunk: number; readonly isHidden: boolean }
  /** What is said below a line, or at the head of a file: `of` names each piece of it. */
  | { readonly kind: "comment"; readonly key: string; readonly of: readonly string[] };

/** Lines that did not change and are not shown; `isKnown`: they can be. */
export interface FoldRow {
  readonly kind: "fold";
  readonly fold: number;
  readonly hidden: number;
  readonly isKnown: boolean;
  /** Which ends can be opened: there is something above, or below. */
  readonly hasAbove: boolean;
  readonly hasBelow: boolean;
}

/** A fold is a row itself: so few lines are shown at once. */
const LEAST_HIDDEN = 2;

/** The rows of a file: its hunks, and folds for every line between, before and behind them. */
export function rowsOf(texts: FileTexts, layout: Layout): readonly Row[] {
  const [before, after] = withoutReturns(toLines(texts.before), toLines(texts.after));
  const isKnown = texts.hunks.every(({ lines }) => lines === undefined);
  const rows: Row[] = [];
  let [old, now] = [0, 0];
  const gap = (length: number, number: number, isLast: boolean) => {
    if (length <= 0) return;
    const hasAbove = number > 0;
    const opened = layout.opened.get(number) ?? { top: 0, bottom: 0 };
    const top = isKnown ? Math.min(opened.top, length) : 0;
    const bottom = isKnown ? Math.min(opened.bottom, length - top) : 0;
    const hidden = length - top - bottom;
    const show = (from: number, count: number) => {
      const lines = sameLines(before, after, old + from, now + from, count);
      for (const row of toRows(lines, layout)) rows.push(row);
    };
    if (isKnown && hidden <= LEAST_HIDDEN) show(0, length);
    else {
      show(0, top);
      rows.push({ kind: "fold", fold: number, hidden, isKnown, hasAbove, hasBelow: !isLast });
      show(length - bottom, bottom);
    }
  };
  for (const [number, hunk] of texts.hunks.entries()) {
    const length = gapBefore(hunk, old, now);
    gap(length, number, false);
    const at: Stretch = {
      oldFrom: old + length,
      oldTo: old + length + hunk.old_lines,
      newFrom: now + length,
      newTo: now + length + hunk.new_lines,
    };
    const isHidden = layout.isSince === true && hunk.same === true;
    if (isHidden || layout.hasHunkHeads) rows.push({ kind: "hunk", hunk: number, isHidden });
    const lines = hunk.lines
      ? readHunkLines(hunk.lines, at)
      : linesOfHunk(before, after, at, layout.ignoresBlanks);
    if (!isHidden) for (const row of toRows(lines, layout)) rows.push(row);
    [old, now] = [at.oldTo, at.newTo];
  }
  if (isKnown) gap(after.lines.length - now, texts.hunks.length, true);
  return rows;
}

/** How many lines a side has; of texts that are not sent, as far as their hunks go. */
export function countLines(texts: FileTexts, side: "before" | "after"): number {
  const ends = texts.hunks.map((hunk) =>
    side === "before" ? hunk.old_start + hunk.old_lines : hunk.new_start + hunk.new_lines,
  );
  return toLines(texts[side]).lines.length || Math.max(1, ...ends) - 1;
}

/** The numbers of the rows with which changes begin, for whoever goes from one to the next. */
export function changeStarts(rows: readonly Row[]): readonly number[] {
  const isChange = (row: Row | undefined) =>
    row?.kind === "line"
      ? row.line.kind !== "same"
      : row?.kind === "pair" && row.pair.left?.kind !== "same";
  return rows.flatMap((row, at) => (isChange(row) && !isChange(rows[at - 1]) ? [at] : []));
}

/** What of a line is another word than in the line that it was or became. */
export function wordRanges(line: Line, other: Line | undefined): readonly Range[] {
  if (!other || line.kind === "same") return [];
  const isOld = line.kind === "del";
  const [old, now] = isOld ? [line.text, other.text] : [other.text, line.text];
  return changedWords(old, now)?.[isOld ? "old" : "new"] ?? [];
}

/**
 * Where every line of both ends in a carriage return as well, nobody has to be shown any of them.
 * One behind which the text ends belongs to no end of a line: it stays.
 */
function withoutReturns(before: TextLines, after: TextLines): readonly [TextLines, TextLines] {
  const sides = [before, after] as const;
  const isEnded = ({ lines, endsOpen }: TextLines, at: number) =>
    !endsOpen || at < lines.length - 1;
  const hasAll = sides.every((side) =>
    side.lines.every((line, at) => line.endsWith("\r") || !isEnded(side, at)),
  );
  if (!hasAll) return sides;
  const cut = (side: TextLines) => ({
    ...side,
    lines: side.lines.map((line, at) => (isEnded(side, at) ? line.slice(0, -1) : line)),
  });
  return [cut(before), cut(after)];
}

/** A side without lines may say the line before it, or the one behind: only the other side counts. */
function gapBefore(hunk: Hunk, old: number, now: number): number {
  const [start, at] = hunk.new_lines > 0 ? [hunk.new_start, now] : [hunk.old_start, old];
  return Math.max(0, start - 1 - at);
}

function toRows(lines: readonly Line[], { isSplit }: Layout): readonly Row[] {
  if (isSplit) return pairLines(lines).map((pair) => ({ kind: "pair", pair }));
  const revisions = revisionsIn(lines);
  return lines.map((line) => {
    const other = revisions.get(line);
    return { kind: "line", line, ...(other && { other }) };
  });
}
