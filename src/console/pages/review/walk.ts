import type { Hunk, Row } from "../../diff/diff.ts";
import type { LinePlace } from "../../route.ts";
import {
  type Cursor,
  hasLines,
  isAt,
  type LineOf,
  linesIn,
  type Review,
  type ReviewFile,
} from "./model/model.ts";

type Files = readonly ReviewFile[];
/** What of a review a person is led through, from change to change. */
type Walked = Pick<Review, "files" | "source" | "position">;

/** Where a person stops who goes from one to the next: where a change begins, or at each line. */
export type Stop = "change" | "line";

/**
 * The next stop behind a place, or before it: a file that is not read yet is read, and one that
 * is closed, or has no lines, is a stop itself. Who is nowhere yet begins at `start`.
 */
export async function findStop(
  review: Walked,
  step: 1 | -1,
  stop: Stop,
  start?: Cursor,
): Promise<Cursor | undefined> {
  const files = review.files();
  const from = review.position.cursor() ??
    start ?? { file: step === 1 ? 0 : files.length, row: -2 };
  for (let at = from.file; at >= 0 && at < files.length; at += step) {
    const file = files[at];
    if (!file) continue;
    const stops = await stopsOf(review, file, at, stop);
    const row = at === from.file ? from.row : step === 1 ? -2 : Number.POSITIVE_INFINITY;
    const next =
      step === 1 ? stops.find((each) => each > row) : stops.findLast((each) => each < row);
    if (next !== undefined) return { file: at, row: next };
  }
  return undefined;
}

async function stopsOf(
  { source }: Walked,
  file: ReviewFile,
  at: number,
  stop: Stop,
): Promise<readonly number[]> {
  if (!file.isOpen || !hasLines(file)) return [-1];
  if (file.content.kind !== "ready") await source.loadFile(at);
  const { rows, starts } = file.laid;
  const stops =
    stop === "change"
      ? starts
      : rows.flatMap((row, number) => (linesIn(row).length > 0 ? [number] : []));
  return stops.length > 0 ? stops : [-1];
}

/** The row of the same line on its other side, or of the line that it was or became. */
export function findOtherSide(review: Walked): { row: number; line: LineOf } | undefined {
  const [cursor, stretch] = [review.position.cursor(), review.position.stretch()];
  const rows = cursor ? (review.files()[cursor.file]?.laid.rows ?? []) : [];
  const row = cursor && rows[cursor.row];
  if (!stretch || !row) return undefined;
  const own = linesIn(row).find(({ side }) => side !== stretch.side);
  if (own) return { row: cursor.row, line: own };
  const [other] =
    row.kind === "line" && row.other ? linesIn({ kind: "line", line: row.other }) : [];
  const at = other ? rows.findIndex((each) => isAt(each, other)) : -1;
  return other && at >= 0 ? { row: at, line: other } : undefined;
}

/** The row of a line; opens what hides it. */
export async function findLine(
  { files, source, opening }: Pick<Review, "files" | "source" | "opening">,
  place: LinePlace,
): Promise<Cursor | undefined> {
  const at = files().findIndex(({ entry }) => isOf(entry, place.file));
  const file = files()[at];
  if (!file) return undefined;
  opening.showPicture(at, false);
  opening.toggle(at, true);
  await source.loadFile(at);
  const row = file.laid.rows.findIndex((each) => isAt(each, place));
  if (row >= 0) return { file: at, row };
  // What somebody is sent to is shown, also where it is as when they looked.
  if (hiddenHunks(file).some((hunk) => isInHunk(hunk, place))) {
    opening.showSince(false);
    opening.toggle(at, true);
    return { file: at, row: file.laid.rows.findIndex((each) => isAt(each, place)) };
  }
  for (const fold of file.laid.rows) {
    if (fold.kind !== "fold" || !fold.isKnown) continue;
    opening.openFold(at, fold.fold, { top: fold.hidden });
    const opened = file.laid.rows.findIndex((each) => isAt(each, place));
    if (opened >= 0) return { file: at, row: opened };
  }
  return { file: at, row: -1 };
}

/** A file that has two numbers is found by both. */
function isOf({ n, old }: ReviewFile["entry"], number: number): boolean {
  return n === number || old?.n === number;
}

/** The address of a row: by the line of it on which somebody is, or by its new one, where it has one. */
export function placeOf(files: Files, { file, row }: Cursor, own?: LineOf): LinePlace | undefined {
  const found = files[file];
  const lines = linesIn(found?.laid.rows[row]);
  const line = lines.find(({ side }) => side === own?.side) ?? lines[0];
  if (!found || !line) return undefined;
  const { n, old } = found.entry;
  return { file: line.side === "L" ? (old?.n ?? n) : n, ...line };
}

/** The rows in which a text is, over all files that are read; upper and lower case are the same. */
type FindText = (
  files: readonly { readonly laid: Pick<ReviewFile["laid"], "rows"> }[],
  query: string,
) => readonly Cursor[];

/**
 * Finds texts, and looks into rows once for each: while a thousand files are read one by one it is asked
 * a thousand times.
 */
export function createFinder(): FindText {
  let last = "";
  let known = new WeakMap<readonly Row[], readonly number[]>();
  return (files, query) => {
    const wanted = query.toLowerCase();
    if (wanted !== last) known = new WeakMap();
    last = wanted;
    if (wanted === "") return [];
    return files.flatMap(({ laid: { rows } }, file) => {
      const found = known.get(rows) ?? rowsWith(rows, wanted);
      known.set(rows, found);
      return found.map((row) => ({ file, row }));
    });
  };
}

function rowsWith(rows: readonly Row[], wanted: string): readonly number[] {
  return rows.flatMap((row, number) =>
    textsOf(row).some((text) => text.toLowerCase().includes(wanted)) ? [number] : [],
  );
}

/** Whether a text is in what is not shown, since it is as before. */
export function isTextHidden(files: Files, query: string): boolean {
  const wanted = query.toLowerCase();
  return files.some((file) =>
    hiddenHunks(file).some((hunk) =>
      linesOf(file, hunk).some((text) => text.toLowerCase().includes(wanted)),
    ),
  );
}

function hiddenHunks({ content, laid }: ReviewFile): readonly Hunk[] {
  const hunks = content.kind === "ready" ? content.texts.hunks : [];
  return laid.rows.flatMap((row) => {
    const hunk = row.kind === "hunk" && row.isHidden ? hunks[row.hunk] : undefined;
    return hunk ? [hunk] : [];
  });
}

function isInHunk(hunk: Hunk, { side, line }: LinePlace): boolean {
  const [start, count] =
    side === "L" ? [hunk.old_start, hunk.old_lines] : [hunk.new_start, hunk.new_lines];
  return line >= start && line < start + count;
}

function linesOf({ content }: ReviewFile, hunk: Hunk): readonly string[] {
  if (hunk.lines) return hunk.lines.map((line) => line.slice(1));
  const { before, after } =
    content.kind === "ready" ? content.texts : { before: null, after: null };
  const cut = (text: string | null, start: number, count: number) =>
    text === null ? [] : text.split("\n").slice(start - 1, start - 1 + count);
  return [
    ...cut(before, hunk.old_start, hunk.old_lines),
    ...cut(after, hunk.new_start, hunk.new_lines),
  ];
}

function textsOf(row: Row): readonly string[] {
  if (row.kind === "line") return [row.line.text];
  if (row.kind !== "pair") return [];
  return [row.pair.left?.text ?? "", row.pair.right?.text ?? ""];
}

/** Reads what is not read yet, a few at a time, until the signal aborts. */
export async function readAll(
  { files, source }: Pick<Review, "files" | "source">,
  signal: AbortSignal,
  onLeft: (left: number) => void,
): Promise<void> {
  const waiting = files().flatMap((file, at) => {
    return hasLines(file) && file.content.kind === "none" ? [at] : [];
  });
  let left = waiting.length;
  onLeft(left);
  const work = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (signal.aborted) return;
      await source.loadFile(at);
      onLeft(--left);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** Where two places are to each other. */
export function isBefore(one: Cursor, other: Cursor): boolean {
  return one.file < other.file || (one.file === other.file && one.row < other.row);
}
