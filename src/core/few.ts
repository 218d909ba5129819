/**
 * A few of many. Who takes them has to say what is done where they are not all: a list that is cut
 * without a word does not compile. `tests/repository/parts.test.ts` finds who cuts one otherwise.
 */
export interface Few<T> {
  /** How many there are in all. */
  readonly total: number;
  /** Those that are shown; `more` is called where others are left out, with how many. */
  take(more: (left: number, total: number) => void): readonly T[];
  /** A line each, and behind them what `more` says of those that are left out. */
  lines(
    render: (item: T) => string,
    more: (left: number, total: number) => string,
  ): readonly string[];
}

/** The first `most` of a list. */
export function firstOf<T>(all: readonly T[], most: number): Few<T> {
  return fewOf(all.slice(0, Math.max(0, most)), all.length);
}

/** The last `most` of a list. */
export function lastOf<T>(all: readonly T[], most: number): Few<T> {
  return fewOf(most > 0 ? all.slice(-most) : [], all.length);
}

/** Some that were picked elsewhere, of `total`. */
export function fewOf<T>(items: readonly T[], total: number): Few<T> {
  const left = total - items.length;
  return {
    total,
    take(more) {
      if (left > 0) more(left, total);
      return items;
    },
    lines: (render, more) => [...items.map(render), ...(left > 0 ? [more(left, total)] : [])],
  };
}
/** How far something is of which it is known how much there is. */
export interface Counted {
  readonly counted: number;
  readonly of: number;
}

/** Is told now and then, and never once for each thing that is counted. */
export type TellCounted = (counted: Counted) => void;
