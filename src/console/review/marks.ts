import { hiddenRanges, toVisibleText } from "../../core/visible-text.ts";
import type { Range } from "../diff/diff.ts";

/** A piece of a line that looks the same from its first to its last letter. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
  readonly isFound: boolean;
  /** Spelled out: it could not be seen as it is. */
  readonly isHidden: boolean;
}

/** A line as pieces: what changed in it, what is searched for, and what is hidden, spelled out. */
export function toPieces(text: string, changed: readonly Range[], query: string): readonly Piece[] {
  const found = query === "" ? [] : rangesOf(text, query);
  const hidden = hiddenRanges(text);
  if (changed.length + found.length + hidden.length === 0) {
    return [{ text, isChanged: false, isFound: false, isHidden: false }];
  }
  const all = [...changed, ...found, ...hidden].flat().filter((at) => at < text.length);
  const ends = [...new Set([0, ...all, text.length])].toSorted((one, other) => one - other);
  const isIn = (ranges: readonly Range[]) => {
    let next = 0;
    return (at: number) => {
      while ((ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) <= at) next++;
      return (ranges[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
    };
  };
  const [isChanged, isFound, isHidden] = [isIn(changed), isIn(found), isIn(hidden)];
  return ends.slice(0, -1).map((from, at) => {
    const isSpelled = isHidden(from);
    const piece = text.slice(from, ends[at + 1]);
    return {
      text: isSpelled ? toVisibleText(piece) : piece,
      isChanged: isChanged(from),
      isFound: isFound(from),
      isHidden: isSpelled,
    };
  });
}

function rangesOf(text: string, query: string): readonly Range[] {
  const [where, what] = [text.toLowerCase(), query.toLowerCase()];
  const found: Range[] = [];
  // Where lower case has another length, places would be wrong.
  if (where.length !== text.length) return found;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    found.push([at, at + what.length]);
  }
  return found;
}
