import { createFinder, NOTHING, type Stretch } from "./finder.ts";
import { MIN_SECRET_CHARS } from "./spellings.ts";

/** Finds what a cut has left of secrets: beginnings before the mark of a cut, ends behind it. */
export interface CutSecrets {
  readonly add: (words: readonly string[]) => void;
  readonly find: (text: string) => readonly Stretch[];
}

/** A cut is marked by this, alone or at the end or the beginning of a line about it. */
const MARK = "…";

/** Parts shorter than the shortest secret give nothing away, and would mask ordinary text. */
export function createCutSecrets(): CutSecrets {
  const starts = createFinder();
  const ends = createFinder(); // of the words from back to front
  const seen = { starts: new Set<string>(), ends: new Set<string>() };
  return {
    add(words) {
      const reversed = words.map(reverse);
      starts.add(words);
      ends.add(reversed);
      words.forEach((word) => noteParts(seen.starts, word));
      reversed.forEach((word) => noteParts(seen.ends, word));
    },
    find(text) {
      let at = starts.longest() === 0 ? -1 : text.indexOf(MARK);
      if (at < 0) return NOTHING;
      const found: Stretch[] = [];
      for (; at >= 0; at = text.indexOf(MARK, at + 1)) {
        const end = text[at - 1] === "\n" ? at - 1 : at;
        const head = text.slice(Math.max(0, end - starts.longest()), end);
        const length = lengthOfOpen(starts, seen.starts, head);
        if (length > 0) found.push({ start: end - length, end });
        const from = at + (text[at + 1] === "\n" ? 2 : 1);
        const tail = reverse(text.slice(from, from + ends.longest()));
        const left = lengthOfOpen(ends, seen.ends, tail);
        if (left > 0) found.push({ start: from, end: from + left });
      }
      return found;
    },
  };
}

/** How much of the end of a text a word begins with. */
function lengthOfOpen(
  words: ReturnType<typeof createFinder>,
  parts: ReadonlySet<string>,
  text: string,
): number {
  // Next to most marks there is nothing of the kind, and that is said the fastest.
  if (!parts.has(text.slice(-MIN_SECRET_CHARS))) return 0;
  const length = text.length - words.startOfOpen(text);
  return length >= MIN_SECRET_CHARS ? length : 0;
}

function noteParts(parts: Set<string>, word: string): void {
  for (let at = 0; at + MIN_SECRET_CHARS <= word.length; at++) {
    parts.add(word.slice(at, at + MIN_SECRET_CHARS));
  }
}

/** By UTF-16 units: a place in one is a place in the other. */
function reverse(text: string): string {
  let reversed = "";
  for (let at = text.length - 1; at >= 0; at--) reversed += text.charAt(at);
  return reversed;
}

/** What a cut has left of keys that nobody registered: their beginning, which tells what they are. */
export function findCutShapes(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) {
    const end = text[at - 1] === "\n" ? at - 1 : at;
    let from = end;
    while (from > 0 && end - from < MOST_SHAPE_CHARS && OF_KEY.test(text.charAt(from - 1))) from--;
    if (end - from < FEWEST_SHAPE_CHARS) continue;
    const start = text.slice(from, end).search(CUT_SHAPE);
    if (start >= 0) found.push({ start: from + start, end });
  }
  return found;
}

const OF_KEY = /[\w-]/;
const CUT_SHAPE =
  /(?:(?:sk|tvly|glpat|xox[abeprs])-|gh[oprsu]_|github_pat_)[\w-]{4,}$|A[KS]IA[0-9A-Z]{4,15}$/;
const FEWEST_SHAPE_CHARS = 7;
const MOST_SHAPE_CHARS = 200;
