import { flattenSource, toFlat } from "./flat-text.ts";

/** Some whole lines of a text, with their ends. A changed text has others in their place. */
export interface Piece {
  readonly source: string;
  /** How long they are as models see them. */
  readonly flatLength: number;
  readonly lineCount: number;
}

/** Pieces are at least so long: what is looked up for one edit reads a few of them. */
const PIECE_UNITS = 4096;
/** What is looked for in pieces is no longer, so that it is in one piece and the one below. */
export const MOST_REACH = PIECE_UNITS / 4;

/** A text cut into pieces of whole lines. */
export function cutIntoPieces(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from < source.length; ) {
    const cut = source.indexOf("\n", from + PIECE_UNITS - 1) + 1;
    const end = cut === 0 || source.length - cut < PIECE_UNITS ? source.length : cut;
    pieces.push(toPiece(source.slice(from, end)));
    from = end;
  }
  return pieces;
}

/** Whether a text keeps its signs where it is cut: a byte order mark is one at the beginning only. */
export function mayBeCut(source: string): boolean {
  return !source.includes("\uFEFF", 1);
}

/**
 * The pieces with another source for those from `from` up to `to`; those that it has in common with
 * them at both ends stay the same.
 */
export function replacePieces(
  pieces: readonly Piece[],
  [from, to]: readonly [from: number, to: number],
  source: string,
): readonly Piece[] {
  let [first, head] = [from, 0];
  for (; first < to; first++) {
    const own = pieces[first]?.source ?? "";
    if (!source.startsWith(own, head)) break;
    head += own.length;
  }
  let [last, tail] = [to, source.length];
  for (; last > first; last--) {
    const own = pieces[last - 1]?.source ?? "";
    if (tail - own.length < head || !source.startsWith(own, tail - own.length)) break;
    tail -= own.length;
  }
  // A short piece would let what is looked for reach beyond the one below.
  let middle = source.slice(head, tail);
  if (middle.length < MOST_REACH && last < pieces.length) middle += pieces[last++]?.source ?? "";
  if (middle.length < MOST_REACH && first > 0) middle = (pieces[--first]?.source ?? "") + middle;
  return [...pieces.slice(0, first), ...cutIntoPieces(middle), ...pieces.slice(last)];
}

function toPiece(source: string): Piece {
  const { origin } = flattenSource(source);
  return { source, flatLength: toFlat(source).length, lineCount: origin.lines.length };
}
