import type { Comment } from "../../../client/client.ts";
import type { FileTexts, Hunk, Row } from "../../../diff/diff.ts";
import type { Comments } from "./comments.ts";
import { type Place, placeKey } from "./ranges.ts";

/** What stands at a place of a change set: a box, or what was said of the version before. */
export interface Standing {
  /** Of a box its key. */
  readonly id: string;
  readonly place: Place;
  /** The line below which it stands, where that is another than the last of its lines. */
  readonly below?: number | undefined;
  /** What was said. */
  readonly said?: Comment;
}

/** All that stands anywhere: what was said, and the boxes for what is about to be. */
export function standingOf(said: readonly Comment[], { open }: Comments): readonly Standing[] {
  return [
    ...said.map((comment, at) => ({ id: `said ${at}`, place: comment, said: comment })),
    ...[...open.value].map(([id, { place, below }]) => ({ id, place, below })),
  ];
}

/**
 * Puts a row below each line of which something is said, below the last of several; where that is not
 * shown, below the last one that is. What is about the file comes first.
 */
export function withCommentRows(
  rows: readonly Row[],
  names: readonly string[],
  all: readonly Standing[],
): readonly Row[] {
  const own = all.filter(({ place: { path = "" } }) => names.includes(path));
  if (own.length === 0) return rows;
  const shown = Map.groupBy(rows.flatMap(linesOf), ({ side }) => side);
  const spots = Map.groupBy(own, ({ place, below }) => {
    const { path, side, line, to = line } = place;
    const last = Math.max(line ?? 0, below ?? to ?? 0);
    const isOwn = (each: Line) => each.line >= (line ?? 0) && each.line <= last;
    const found = side && line !== undefined ? shown.get(side)?.findLast(isOwn)?.line : undefined;
    return line === undefined
      ? placeKey({ ...(path !== undefined && { path }) })
      : keyOf(side, found);
  });
  const toRow = (key: string): readonly Row[] => {
    const of = spots.get(key)?.map(({ id }) => id);
    return of ? [{ kind: "comment", key, of }] : [];
  };
  return [
    ...names.flatMap((path) => toRow(placeKey({ path }))),
    ...rows.flatMap((row) => [
      row,
      ...linesOf(row).flatMap(({ side, line }) => toRow(keyOf(side, line))),
    ]),
  ];
}

/** What the version before had as well is not as before to whoever said something of it: it is shown. */
export function showSpoken(
  texts: FileTexts,
  names: readonly string[],
  all: readonly Standing[],
): FileTexts {
  const own = all.filter(({ place: { path = "" } }) => names.includes(path));
  if (own.length === 0) return texts;
  const isSpoken = ({ old_start, old_lines, new_start, new_lines }: Hunk) =>
    own.some(({ place: { side, line = 0, to = line } }) => {
      const [start, count] = side === "before" ? [old_start, old_lines] : [new_start, new_lines];
      return side !== undefined && line < start + count && to >= start;
    });
  const hunks = texts.hunks.map((hunk) =>
    hunk.same && isSpoken(hunk) ? Object.assign({}, hunk, { same: false }) : hunk,
  );
  return { ...texts, hunks };
}

interface Line {
  readonly side: "before" | "after";
  readonly line: number;
}

function keyOf(side: Place["side"], line: number | undefined): string {
  return `${side ?? ""} ${line ?? "nowhere"}`;
}

/** The sides and numbers under which something may be said of a row. */
function linesOf(row: Row): readonly Line[] {
  const [old, now] =
    row.kind === "line"
      ? [row.line.old, row.line.new]
      : row.kind === "pair"
        ? [row.pair.left?.old, row.pair.right?.new]
        : [];
  return [
    ...(old === undefined ? [] : [{ side: "before", line: old } as const]),
    ...(now === undefined ? [] : [{ side: "after", line: now } as const]),
  ];
}
