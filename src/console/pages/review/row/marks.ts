import { hiddenRanges, toVisibleText } from "../../../../core/visible-text.ts";
import type { LineColors } from "../../../colors/colors.ts";
import type { Range } from "../../../diff/diff.ts";

/** A piece of a line that looks the same from its first to its last letter. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
  readonly isFound: boolean;
  /** Spelled out: it could not be seen as it is. */
  readonly isHidden: boolean;
  /** What the language makes of it; 0: nothing. */
  readonly syntax: number;
}

/** What a language makes of a line: pieces of it by where they end. */
export type Syntax = readonly (readonly [end: number, kind: number])[];

/** A line as pieces: what changed in it, what is searched for, and what is hidden, spelled out. */
export function toPieces(
  text: string,
  changed: readonly Range[],
  query: string,
  syntax: Syntax = [],
): readonly Piece[] {
  const found = query === "" ? [] : rangesOf(text, query);
  const hidden = hiddenRanges(text);
  if (changed.length + found.length + hidden.length + syntax.length === 0) {
    return [{ text, isChanged: false, isFound: false, isHidden: false, syntax: 0 }];
  }
  const marked = [...changed, ...found, ...hidden].flat();
  const all = [...marked, ...syntax.map(([end]) => end)].filter((at) => at < text.length);
  const ends = [...new Set([0, ...all, text.length])].toSorted((one, other) => one - other);
  const isIn = (ranges: readonly Range[]) => {
    let next = 0;
    return (at: number) => {
      while ((ranges[next]?.[1] ?? Number.POSITIVE_INFINITY) <= at) next++;
      return (ranges[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
    };
  };
  const [isChanged, isFound, isHidden] = [isIn(changed), isIn(found), isIn(hidden)];
  let next = 0;
  const syntaxAt = (at: number) => {
    while ((syntax[next]?.[0] ?? Number.POSITIVE_INFINITY) <= at) next++;
    return syntax[next]?.[1] ?? 0;
  };
  return ends.slice(0, -1).map((from, at) => {
    const isSpelled = isHidden(from);
    const piece = text.slice(from, ends[at + 1]);
    return {
      text: isSpelled ? toVisibleText(piece) : piece,
      isChanged: isChanged(from),
      isFound: isFound(from),
      isHidden: isSpelled,
      syntax: syntaxAt(from),
    };
  });
}

/** What the language makes of a line of a file, from 1. */
export function syntaxOf(colors: LineColors | null | undefined, line: number | undefined): Syntax {
  if (!colors || line === undefined) return [];
  const [from, to] = [colors.starts[line - 1] ?? 0, colors.starts[line] ?? 0];
  return Array.from({ length: to - from }, (_, at) => [
    colors.ends[from + at] ?? 0,
    colors.kinds[from + at] ?? 0,
  ]);
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
