/** Heights of many rows, some guessed and some measured, and where each row is. */
export interface Heights {
  readonly count: number;
  total(): number;
  get(row: number): number;
  /** By how much it grew. */
  set(row: number, height: number): number;
  /** Where a row begins. */
  offsetOf(row: number): number;
  /** The row at a place; the last one below the end. */
  rowAt(offset: number): number;
}

/** Keeps heights in a tree of sums, so that neither a look nor a change goes over all rows. */
export function createHeights(count: number, guess: (row: number) => number): Heights {
  const heights = Float64Array.from({ length: count }, (_, row) => guess(row));
  const sums = new Float64Array(count + 1);
  for (let at = 1; at <= count; at++) {
    sums[at] = (sums[at] ?? 0) + (heights[at - 1] ?? 0);
    const parent = at + (at & -at);
    if (parent <= count) sums[parent] = (sums[parent] ?? 0) + (sums[at] ?? 0);
  }
  const highest = count === 0 ? 0 : 2 ** Math.floor(Math.log2(count));
  function offsetOf(row: number): number {
    let sum = 0;
    for (let at = Math.min(row, count); at > 0; at -= at & -at) sum += sums[at] ?? 0;
    return sum;
  }
  return {
    count,
    total: () => offsetOf(count),
    get: (row) => heights[row] ?? 0,
    set(row, height) {
      const grown = height - (heights[row] ?? 0);
      if (grown === 0) return 0;
      heights[row] = height;
      for (let at = row + 1; at <= count; at += at & -at) sums[at] = (sums[at] ?? 0) + grown;
      return grown;
    },
    offsetOf,
    rowAt(offset) {
      let [at, left] = [0, offset];
      for (let step = highest; step > 0; step >>= 1) {
        const sum = sums[at + step];
        if (at + step <= count && sum !== undefined && sum <= left) {
          at += step;
          left -= sum;
        }
      }
      return Math.max(0, Math.min(at, count - 1));
    },
  };
}

/** Which rows are drawn, and how high what is not drawn is above and below them. */
export interface Drawn {
  readonly from: number;
  /** The first one that is not drawn. */
  readonly to: number;
  readonly above: number;
  readonly below: number;
}

/** The rows of which something is between `top` and `bottom`; none where they are all elsewhere. */
export function drawnBetween(heights: Heights, top: number, bottom: number): Drawn {
  const total = heights.total();
  if (heights.count === 0 || bottom <= 0 || top >= total || bottom <= top) {
    return { from: 0, to: 0, above: 0, below: total };
  }
  const from = heights.rowAt(Math.max(0, top));
  const to = heights.rowAt(Math.min(bottom, total)) + 1;
  const above = heights.offsetOf(from);
  return { from, to, above, below: total - heights.offsetOf(to) };
}
