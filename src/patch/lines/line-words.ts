import { foldQuotes } from "./fold-line.ts";

/** No more of a line is cut into words. */
const MOST_CHARS = 640;
const WORDS = /[\p{L}\p{N}_]+/gu;
const SIGNS = /[^\p{L}\p{N}_\s]/gu;

/** The words, names and numbers of lines, in their order; of a very long one the first. */
export function wordsOf(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.slice(0, MOST_CHARS).match(WORDS) ?? []);
}

/** The other signs of a line but blanks, in their order, with one kind of quotes. */
export function signsOf(line: string): readonly string[] {
  return foldQuotes(line.slice(0, MOST_CHARS)).match(SIGNS) ?? [];
}

/** How often each token is among some. */
export function bagOf(tokens: readonly string[]): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const token of tokens) bag.set(token, (bag.get(token) ?? 0) + 1);
  return bag;
}

/** How much of the words of two lines they have in common, from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [mine, theirs] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const most = Math.max(mine.size, theirs.size);
  return most === 0 ? 0 : [...mine].filter((word) => theirs.has(word)).length / most;
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

/** Two lines that have more of their words in common may be one line and its new form. */
const ALIKE = 0.6;
/** So may two that begin and end the same. */
const SAME_ENDS = 0.6;

/** Whether a line is a new form of another, rather than of any of those that are removed. */
export function isNewForm(line: string, of: string, removed: readonly string[]): boolean {
  const [words, ends] = [likeness(line, of), endsInCommon(line, of)];
  if (words < ALIKE && ends < SAME_ENDS) return false;
  return removed.every(
    (other) => likeness(line, other) < words || endsInCommon(line, other) < ends,
  );
}

/** Whether a line is more like another, in words and at its ends, than like any that are around. */
export function isLikest(line: string, of: string, others: readonly string[]): boolean {
  const [words, ends] = [likeness(line, of), endsInCommon(line, of)];
  if (words < LEAST_WORDS && ends < LEAST_ENDS) return false;
  return others.every((other) => likeness(line, other) < words && endsInCommon(line, other) < ends);
}

/** Whether two lines have the same indentation and signs, as a line and one with other names have. */
export function isSameShape(a: string, b: string): boolean {
  return shapeOf(a.trimEnd()) === shapeOf(b.trimEnd());
}

function shapeOf(line: string): string {
  return foldQuotes(line.slice(0, MOST_CHARS)).replace(WORDS, "w");
}

/** Whether one of two lines has all words of the other and at most as many more, as no other line has. */
export function isCompletion(line: string, of: string, others: readonly string[]): boolean {
  return completes(line, of) && !others.some((other) => completes(line, other));
}

function completes(a: string, b: string): boolean {
  const [mine, theirs] = [wordsOf(a), wordsOf(b)];
  const [few, many] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine];
  if (few.length === 0 || 2 * few.length < many.length) return false;
  const [least, most] = [bagOf(few), bagOf(many)];
  return [...least].every(([word, count]) => count <= (most.get(word) ?? 0));
}
