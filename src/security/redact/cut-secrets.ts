import { BACKSLASHES, BLANKS } from "./escaped.ts";
import type { Stretch } from "./finder.ts";
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
  /** By its code; in lower case where that is all one. */
  readonly isFiller: (code: number) => boolean;
  readonly toLower?: true;
}

/** As it is, with backslashes, wrapped, and in digits one by one: "0x" has one that is none. */
const FOLDS: readonly Fold[] = [
  { isFiller: () => false },
  { isFiller: BACKSLASHES.has },
  { isFiller: BLANKS.has },
  { isFiller: (code) => BLANKS.has(code) || AMONG_DIGITS.has(code), toLower: true },
];

const AMONG_DIGITS: ReadonlySet<number> = new Set(Buffer.from(":,%\\xX"));

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
      let at = starts.isEmpty() ? -1 : text.indexOf(MARK);
      const found: Stretch[] = [];
      for (; at !== -1; at = text.indexOf(MARK, at + 1)) {
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
  const known = new Set<string>();
  /** What stands in words as long as the shortest secret, and where; for texts with marks alone. */
  const parts = new Map<string, Part[]>();
  let fresh: string[] = [];
  return {
    isEmpty: () => known.size === 0,
    add(words: readonly string[]) {
      fresh.push(...words.filter((word) => !known.has(word)));
      for (const word of words) known.add(word);
    },
    /** How far a word goes from `at` backwards or on; `at` where there is none. */
    reach(text: string, at: number, step: 1 | -1, fold: Fold): number {
      for (const word of fresh) noteBeginnings(parts, word);
      fresh = [];
      // Next to most marks there is nothing of the kind, and that is said the fastest.
      const begun = parts.get(readFrom(text, at, step, fold, MIN_SECRET_CHARS).text);
      if (!begun) return at;
      const most = begun.reduce((longest, { end }) => Math.max(longest, end), 0);
      const far = readFrom(text, at, step, fold, most);
      let length = 0;
      for (const { word, end } of begun) {
        if (end > length && far.text.endsWith(word.slice(0, end))) length = end;
      }
      return far.edges[length - 1] ?? at;
    },
  };
}

/** Where in a word a part of it ends. */
interface Part {
  readonly word: string;
  readonly end: number;
}

/** Notes what a beginning of a word ends with; the whole is none. */
function noteBeginnings(parts: Map<string, Part[]>, word: string): void {
  for (let end = MIN_SECRET_CHARS; end < word.length; end++) {
    const part = word.slice(end - MIN_SECRET_CHARS, end);
    const noted = parts.get(part);
    if (noted) noted.push({ word, end });
    else parts.set(part, [{ word, end }]);
  }
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
    if (isPrefix || fold.isFiller(character.charCodeAt(0))) {
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
  return text.split("").toReversed().join("");
}

/** What a cut has left of keys that nobody registered: their beginning, which tells what they are. */
export function findCutShapes(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + 1)) {
    const end = text[at - 1] === "\n" ? at - 1 : at;
    let from = end;
    while (end - from < MOST_SHAPE_CHARS && OF_KEY.test(text.charAt(from - 1))) from--;
    const start = text.slice(from, end).search(CUT_SHAPE);
    if (start !== -1) found.push({ start: from + start, end });
  }
  return found;
}

const OF_KEY = /[\w:-]/;
const CUT_SHAPE =
  /(?:(?:sk|tvly|glpat|xox[abeprs])-|gh[oprsu]_|github_pat_)[\w-]{4,}$|A[KS]IA[0-9A-Z]{4,15}$|(?<!\d)\d{6,20}:[\w-]{6,}$/;
const MOST_SHAPE_CHARS = 200;
