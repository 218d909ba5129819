import { createFinder, NOTHING, type Stretch } from "./finder.ts";
import { MIN_SECRET_CHARS, type Spellings } from "./spellings.ts";

/** Finds what a cut has left of secrets: beginnings before the mark of a cut, ends behind it. */
export interface CutSecrets {
  readonly add: (spellings: Spellings) => void;
  readonly find: (text: string) => readonly Stretch[];
}

/** A cut is marked by this, alone or at the end or the beginning of a line about it. */
export const MARK = "…";

/** What is left out of a text around a mark, so that the rest of it is a spelling. */
interface Fold {
  /** A character, in lower case where that is all one. */
  readonly isFiller: (character: string) => boolean;
  readonly toLower?: true;
}

/** As it is, with backslashes, wrapped, and in digits one by one: "0x" has one that is none. */
const FOLDS: readonly Fold[] = [
  { isFiller: () => false },
  { isFiller: (character) => character === "\\" },
  { isFiller: (character) => /[\t-\r ]/.test(character) },
  { isFiller: (character) => /[\t-\r :,%\\xX]/.test(character), toLower: true },
];

/** Parts shorter than the shortest secret give nothing away, and would mask ordinary text. */
export function createCutSecrets(): CutSecrets {
  const starts = createOpen();
  const ends = createOpen(); // of the words from back to front
  return {
    add({ words, digits }) {
      const bare = words.flatMap((word) => [
        word,
        word.replaceAll("\\", ""),
        word.replaceAll(/[\t-\r ]/g, ""),
      ]);
      const all = [...new Set([...bare, ...digits.filter((each) => /^[0-9a-f]+$/.test(each))])];
      starts.add(all);
      ends.add(all.map(reverse));
    },
    find(text) {
      let at = starts.longest() === 0 ? -1 : text.indexOf(MARK);
      if (at < 0) return NOTHING;
      const found: Stretch[] = [];
      for (; at >= 0; at = text.indexOf(MARK, at + 1)) {
        const end = text[at - 1] === "\n" ? at - 1 : at;
        const from = at + (text[at + 1] === "\n" ? 2 : 1);
        for (const fold of FOLDS) {
          const start = starts.reach(text, end, -1, fold);
          if (start < end) found.push({ start, end });
          const last = ends.reach(text, from, 1, fold);
          if (last > from) found.push({ start: from, end: last });
        }
      }
      return found;
    },
  };
}

/** Words that may have been cut in two, looked for from the cut on. */
function createOpen() {
  const finder = createFinder();
  const parts = new Set<string>();
  return {
    longest: finder.longest,
    add(words: readonly string[]) {
      finder.add(words);
      for (const word of words) noteParts(parts, word);
    },
    /** How far a word goes from `at` backwards or on; `at` where there is none. */
    reach(text: string, at: number, step: 1 | -1, fold: Fold): number {
      // Next to most marks there is nothing of the kind, and that is said the fastest.
      const near = readFrom(text, at, step, fold, MIN_SECRET_CHARS);
      if (!parts.has(near.text)) return at;
      const far = readFrom(text, at, step, fold, finder.longest());
      const length = far.text.length - finder.startOfOpen(far.text);
      return length < MIN_SECRET_CHARS ? at : (far.edges[length - 1] ?? at);
    },
  };
}

/** So many characters from a place on that are no filler; the first of them is the last of the text. */
function readFrom(text: string, at: number, step: 1 | -1, fold: Fold, most: number) {
  const edges: number[] = [];
  let read = "";
  let next = step === 1 ? at : at - 1;
  for (let skipped = 0; edges.length < most && skipped < MOST_FILLERS; next += step) {
    const character = text.charAt(next);
    if (character === "" || character === MARK) break;
    const isPrefix = fold.toLower && character === "0" && /[xX…]/.test(text.charAt(next + 1));
    if (isPrefix || fold.isFiller(character)) {
      skipped++;
      continue;
    }
    skipped = 0;
    read += fold.toLower ? character.toLowerCase() : character;
    edges.push(step === 1 ? next + 1 : next);
  }
  return { text: reverse(read), edges };
}

/** A wider gap is no wrapping; bounds the way between two marks. */
const MOST_FILLERS = 200;

/** Notes every part of a word that is as long as the shortest secret. */
export function noteParts(parts: Set<string>, word: string): void {
  for (let at = 0; at + MIN_SECRET_CHARS <= word.length; at++) {
    parts.add(word.slice(at, at + MIN_SECRET_CHARS));
  }
}

/** By UTF-16 units: a place in one is a place in the other. */
export function reverse(text: string): string {
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

const OF_KEY = /[\w:-]/;
const CUT_SHAPE =
  /(?:(?:sk|tvly|glpat|xox[abeprs])-|gh[oprsu]_|github_pat_)[\w-]{4,}$|A[KS]IA[0-9A-Z]{4,15}$|(?<!\d)\d{6,20}:[\w-]{6,}$/;
const FEWEST_SHAPE_CHARS = 7;
const MOST_SHAPE_CHARS = 200;
