import type { HunkLine } from "../../hunks/hunks.ts";
import { wordsOf } from "../../lines/lines.ts";

/** What a change does to the words of its lines. */
interface WordChange {
  readonly brought: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

/**
 * What a line is that is not quoted as the file has it. "slip": it has nothing to do with the change;
 * "part": it differs by words that the change brings or takes away and by nothing else, so that it
 * is quoted as it is to be; "doubt": it may be part of the change.
 */
export type Difference = "slip" | "part" | "doubt";

/** Says of the lines of a hunk that are misquoted, invented or left out what they are. */
export interface Leaks {
  misquoted(quoted: string, theirs: string): Difference;
  /** A line that only the hunk has: a new one that lost its marker? */
  invented(quoted: string, around: readonly string[]): Difference;
  /** A line that only the file has: one to be taken away? */
  skipped(theirs: string): Difference;
}

/** How the goal of a change gets into the context that its author quotes from memory. */
export function createLeaks(lines: readonly HunkLine[]): Leaks {
  const textsOf = (kind: HunkLine["kind"]) =>
    lines.filter((line) => line.kind === kind).map(({ text }) => text);
  const change = compareWords(wordsOf(...textsOf("remove")), wordsOf(...textsOf("add")));
  return {
    misquoted: (quoted, theirs) => judge(quoted, theirs, change),
    invented(quoted, around) {
      const own = wordsOf(quoted).difference(wordsOf(...around));
      return own.isDisjointFrom(change.brought) ? "slip" : "doubt";
    },
    skipped: (theirs) => (wordsOf(theirs).isDisjointFrom(change.lost) ? "slip" : "doubt"),
  };
}

function compareWords(before: ReadonlySet<string>, after: ReadonlySet<string>): WordChange {
  return { brought: after.difference(before), lost: before.difference(after) };
}

function judge(quoted: string, theirs: string, change: WordChange): Difference {
  if (isCutShort(quoted, theirs)) return "slip";
  const [mine, own] = [wordsOf(quoted), wordsOf(theirs)];
  const { brought, lost } = compareWords(own, mine);
  const missing = lost.difference(new Set([...lost].filter((word) => isMisspelt(word, mine))));
  const isApart = !touches(brought, own, change.brought) && !touches(missing, mine, change.lost);
  if (isApart) return "slip";
  const isWhole = brought.isSubsetOf(change.brought) && lost.isSubsetOf(change.lost);
  return isWhole ? "part" : "doubt";
}

/** `total = sum(...` for a longer line. */
function isCutShort(quoted: string, theirs: string): boolean {
  const [, head] = /^\s*(.*?)\s*(?:\.{3}|\u2026)\s*$/.exec(quoted) ?? [];
  return head !== undefined && theirs.trim().startsWith(head);
}

/** Whether words that a line has more than `without` have a part that is one of the others'. */
function touches(
  words: ReadonlySet<string>,
  without: ReadonlySet<string>,
  others: ReadonlySet<string>,
): boolean {
  if (!words.isDisjointFrom(others)) return true;
  const own = partsOf(words).difference(partsOf(without));
  return !own.isDisjointFrom(partsOf(others));
}

/** What names are put together of: "parse", "last", "item" for `parseLastItem`. */
function partsOf(words: ReadonlySet<string>): ReadonlySet<string> {
  const parts = [...words].flatMap(
    (word) => word.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{N}+/gu) ?? [],
  );
  return new Set(
    parts.filter(({ length }) => length >= LEAST_PART).map((part) => part.toLowerCase()),
  );
}

/** A shorter part is in many names by chance. */
const LEAST_PART = 4;

/** Whether one of the words is this one but for a letter or two. */
function isMisspelt(word: string, among: ReadonlySet<string>): boolean {
  return [...among].some((other) => {
    const length = Math.max(word.length, other.length);
    let from = 0;
    while (from < length && word[from] === other[from]) from++;
    let behind = 0;
    while (behind < length - from && word.at(-1 - behind) === other.at(-1 - behind)) behind++;
    return /\p{L}/u.test(word) && length > LEAST_PART && length - from - behind <= 2;
  });
}
