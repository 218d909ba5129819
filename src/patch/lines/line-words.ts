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
