import type { HunkLine } from "../../hunks/hunks.ts";
import { haveCommon, isAlike, isWithin, wordsOf } from "../../lines/lines.ts";
import { compareSigns, compareTokens, type Goal, goalOf, type TokenChange } from "../goal.ts";

/**
 * What a line is that is not quoted as the file has it. "slip": it has nothing to do with the change;
 * "part": it differs by what the change brings or takes away and by nothing else, so that it is
 * quoted as it is to be; "doubt": it may be part of the change.
 */
export type Difference = "slip" | "part" | "doubt";

/** Says of the lines of a hunk that are misquoted, invented or left out what they are. */
export interface Leaks {
  misquoted(quoted: string, theirs: string): Difference;
  /** A line that only the hunk has: a new one that lost its marker? */
  invented(quoted: string, around: readonly string[]): Difference;
  /** A line beside the change that only the file has: one to be taken away, or to have a new form? */
  leftOut(theirs: string): Difference;
  /** Whether some hunk of the patch adds a line that this one leaves out. */
  addedElsewhere(theirs: string): boolean;
}

/** A shorter part is in many names by chance. */
const LEAST_PART = 4;
/** A shorter word is in many lines by chance. */
const LEAST_WORD = 3;

/**
 * How the goal of a change gets into the context that its author quotes from memory: that of its own
 * hunk, and that of the whole patch.
 */
export function createLeaks(lines: readonly HunkLine[], patch: Goal): Leaks {
  const own = goalOf(() => [lines]);
  return {
    misquoted(quoted, theirs) {
      if (isCutShort(quoted, theirs)) return "slip";
      if (!isAlike(quoted, theirs))
        return classifyOther(quoted, theirs, [own.words(), patch.words()]);
      const difference = compareTokens(wordsOf(theirs), wordsOf(quoted));
      if (difference.brought.size === 0 && difference.lost.size === 0) {
        return classifySigns(quoted, theirs, own, patch);
      }
      const inHunk = classifyWords(difference, quoted, theirs, own.words());
      return inHunk === "slip" ? classifyByPatch(difference, patch.words()) : inHunk;
    },
    // Who quotes from memory has words of what is there; what nothing there has is rather new.
    invented: (quoted, around) => {
      const known = new Set(wordsOf(...around));
      return wordsOf(quoted).every((word) => known.has(word)) ? "slip" : "doubt";
    },
    leftOut(theirs) {
      const { brought, lost } = own.words();
      const isTouched = wordsOf(theirs).some(
        (word) => word.length >= LEAST_WORD && (brought.has(word) || lost.has(word)),
      );
      return isTouched ? "doubt" : "slip";
    },
    addedElsewhere: (theirs) => patch.adds(theirs),
  };
}

/** The file has another line there, or that one has become nothing like it. */
function classifyOther(
  quoted: string,
  theirs: string,
  changes: readonly TokenChange[],
): Difference {
  const own = new Set(wordsOf(theirs));
  const isBrought = (word: string) =>
    !own.has(word) && changes.some(({ brought }) => brought.has(word));
  return wordsOf(quoted).some(isBrought) ? "doubt" : "slip";
}

function classifyWords(
  { brought, lost }: TokenChange,
  quoted: string,
  theirs: string,
  change: TokenChange,
): Difference {
  const [mine, own] = [new Set(wordsOf(quoted)), new Set(wordsOf(theirs))];
  const missing = withoutMisspelt(lost, brought);
  const isApart = !touches(brought, own, change.brought) && !touches(missing, mine, change.lost);
  if (isApart) return "slip";
  const isWhole = isWithin(brought, change.brought) && isWithin(lost, change.lost);
  return isWhole ? "part" : "doubt";
}

/** What another hunk is about is this one's business by whole words only. */
function classifyByPatch({ brought, lost }: TokenChange, change: TokenChange): Difference {
  const missing = withoutMisspelt(lost, brought);
  const isIn = (words: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...words].some((word) => word.length >= LEAST_WORD && others.has(word));
  if (!isIn(brought, change.brought) && !isIn(missing, change.lost)) return "slip";
  // One name for another, as there: the same renaming.
  const isWhole = isWithin(brought, change.brought) && isWithin(lost, change.lost);
  return isWhole && brought.size > 0 && lost.size > 0 ? "part" : "doubt";
}

/** The words are the same: only signs differ, or the order. */
function classifySigns(quoted: string, theirs: string, own: Goal, patch: Goal): Difference {
  const signs = compareSigns(theirs, quoted);
  const isOrder = signs.brought.size === 0 && signs.lost.size === 0;
  let found: Difference = "slip";
  for (const [goal, isOwn] of [[own, true] as const, [patch, false] as const]) {
    for (const { old, renewed } of goal.renewals()) {
      const words = compareTokens(wordsOf(old), wordsOf(renewed));
      const change = compareSigns(old, renewed);
      const isSigns = words.brought.size === 0 && words.lost.size === 0;
      const isSame =
        isSigns && isSameSet(signs.brought, change.brought) && isSameSet(signs.lost, change.lost);
      if (isSame && isOwn && !isOrder) return "part";
      const touched =
        haveCommon(signs.brought, change.brought) || haveCommon(signs.lost, change.lost);
      if (isSame || (isOwn && touched)) found = "doubt";
    }
  }
  return found;
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isWithin(a, b);
}

/** `total = sum(...` for a longer line. */
function isCutShort(quoted: string, theirs: string): boolean {
  const [, head] = /^\s*(.*?)\s*(?:\.{3}|\u2026)\s*$/.exec(quoted) ?? [];
  return head !== undefined && theirs.trim().startsWith(head);
}

/** Whether words that a line has more than `less` have a part that is one of the others'. */
function touches(
  words: ReadonlySet<string>,
  less: ReadonlySet<string>,
  others: ReadonlySet<string>,
): boolean {
  if (haveCommon(words, others)) return true;
  const theirs = partsOf(less);
  const own = [...partsOf(words)].filter((part) => !theirs.has(part));
  return haveCommon(new Set(own), partsOf(others));
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

function withoutMisspelt(
  words: ReadonlySet<string>,
  among: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set([...words].filter((word) => !isMisspelt(word, among)));
}

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
