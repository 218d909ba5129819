/** No more of a line is cut into words. */
const MOST_CHARS = 640;
const WORDS = /[\p{L}\p{N}_$]+/gu;

/** The words, names and numbers of lines; of a very long one the first. */
export function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.slice(0, MOST_CHARS).match(WORDS) ?? []));
}

/** How much of the words of two lines they have in common, from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  const most = Math.max(mine.size, theirs.size);
  return most === 0 ? 0 : mine.intersection(theirs).size / most;
}

/** Less of its words in common, and a line is hardly another one misquoted. */
const LEAST_WORDS = 0.3;
/** So much of a line at both of its ends, and it is the other one with a slip in it. */
const LEAST_ENDS = 0.5;

/** Whether a line may be the other one misquoted. */
export function isAlike(a: string, b: string): boolean {
  return likeness(a, b) >= LEAST_WORDS || endsInCommon(a, b) >= LEAST_ENDS;
}

/** How much of the longer line both have at their beginning and end, from 0 to 1. */
export function endsInCommon(mine: string, theirs: string): number {
  const [a, b] = [mine.trim(), theirs.trim()];
  const [least, most] = [Math.min(a.length, b.length), Math.max(a.length, b.length, 1)];
  let from = 0;
  while (from < least && a[from] === b[from]) from++;
  let behind = 0;
  while (behind < least - from && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return (from + behind) / most;
}
