import { countLines } from "../../../diff/diff.ts";
import { type Cursor, isAt, linesIn, type Review } from "../model/model.ts";
import { movingEnd, nameOf, type Place, placeKey, rangeOf } from "../person/person.ts";

type Extended = Pick<Review, "files" | "position" | "person" | "opening">;

/** What somebody who is at a place would say something of: its line or lines, or the file. */
export function placeHere({
  files,
  position,
}: Pick<Review, "files" | "position">): Place | undefined {
  const cursor = position.cursor();
  const entry = cursor && files()[cursor.file]?.entry;
  if (!entry) return undefined;
  const stretch = position.stretch();
  if (!stretch) return { path: entry.path };
  const side = stretch.side === "L" ? "before" : "after";
  return { path: nameOf(entry, side), side, ...rangeOf(stretch.line, stretch.end) };
}

/**
 * Goes on by a line that is shown, and so does the box that is open there; to which lines. Where
 * another one begins it is passed over: who goes by lines does not end at each of them.
 */
export function extendBy(review: Extended, step: 1 | -1): Place | undefined {
  const { files, position, person } = review;
  const [cursor, stretch] = [position.cursor(), position.stretch()];
  if (!cursor || !stretch) return undefined;
  const { side } = stretch;
  const box = boxHere(review);
  const isOther = (line: number) => {
    if (!box) return false;
    const key = placeKey({ ...box, ...rangeOf(stretch.line, line) });
    return key !== placeKey(box) && person.comments.open.value.has(key);
  };
  const shown = new Set(
    (files()[cursor.file]?.laid.rows ?? [])
      .flatMap(linesIn)
      .flatMap((each) => (each.side === side ? [each.line] : [])),
  );
  let line = (box ? movingEnd(box, stretch.line) : stretch.end) + step;
  while (shown.has(line) && isOther(line)) line += step;
  return shown.has(line) ? extend(review, line) : undefined;
}

/**
 * Goes on to a row of the same file, on the side on which somebody is, and so does the box that is open
 * there. Undefined: the row has nothing of that side, they are nowhere in this file, what was
 * pressed is for another side alone, or what is said of its lines cannot be one with what is in the box.
 */
export function extendToRow(
  review: Extended,
  { file, row }: Cursor,
  only?: "L" | "R",
): Place | undefined {
  const { files, position } = review;
  const [cursor, stretch] = [position.cursor(), position.stretch()];
  const lines = linesIn(files()[file]?.laid.rows[row]);
  const line = lines.find(({ side }) => side === stretch?.side)?.line;
  if (cursor?.file !== file || line === undefined) return undefined;
  return only === undefined || only === stretch?.side ? extend(review, line, true) : undefined;
}

/** Whoever writes in a box is at its lines, and goes on from where they were if that is one end of them. */
export function goToBox({ files, position }: Extended, { path, side, line, to }: Place): void {
  if (!side || line === undefined) return;
  const file = files().findIndex(({ entry }) => nameOf(entry, side) === path);
  const at = { side: side === "before" ? "L" : "R", line } as const;
  const stretch = position.cursor()?.file === file ? position.stretch() : undefined;
  const isEnd = stretch?.line === line || stretch?.line === to;
  if (stretch?.side === at.side && isEnd) return;
  const row = files()[file]?.laid.rows.findIndex((each) => isAt(each, at)) ?? -1;
  if (row < 0) return;
  position.goTo({ file, row }, at);
  position.reach(to);
}

/** The last line that a comment on a side of a file may have. */
export function lastLine({ files }: Pick<Review, "files">, { path, side }: Place): number {
  const file = files().find(({ entry }) => side && nameOf(entry, side) === path);
  return side && file?.content.kind === "ready" ? countLines(file.content.texts, side) : 1;
}

function extend(review: Extended, end: number, isMoved = false): Place | undefined {
  const { position, opening } = review;
  const [here, stretch] = [placeHere(review), position.stretch()];
  if (here?.path === undefined || !here.side || !stretch) return undefined;
  const box = boxHere(review);
  const { path, side } = here;
  const next = { path, side, ...rangeOf(stretch.line, end) };
  if (box && !opening.extend(box, next, isMoved)) return undefined;
  position.reach(end);
  return next;
}

/**
 * The lines of the box that is open for those on which somebody is; its end that moves may be
 * another by what was typed in it. One that merely begins at the same line is another one.
 */
function boxHere(review: Extended): Place | undefined {
  const [here, from] = [placeHere(review), review.position.stretch()?.line];
  const box = here && review.person.comments.open.value.get(placeKey(here))?.place;
  return box && (from === box.line || from === box.to) ? box : undefined;
}
