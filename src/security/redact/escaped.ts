import {
  createFinder,
  createJoined,
  NOTHING,
  type Search,
  type Stretch,
  toWhole,
} from "./finder.ts";
import { longEnough } from "./spellings.ts";

/** Bits of the table of trigrams, a power of two. */
const TABLE_SIZE = 1 << 16;

/** What stands between the characters of a word and is no part of it. */
export interface Filler {
  readonly has: (code: number) => boolean;
  /** Where the next is at `from` or later; -1: there is none. */
  readonly next: (text: string, from: number) => number;
  /** A shorter word would be found in ordinary text. */
  readonly minChars: number;
}

/** Whatever Markdown, shells and JSON in JSON put between characters. */
export const BACKSLASHES: Filler = {
  has: (code) => code === 92,
  next: (text, from) => text.indexOf("\\", from),
  minChars: 1,
};

/** What wrapping, indenting and joining lines puts between them. */
export const BLANKS: Filler = {
  has: (code) => code === 32 || (code >= 9 && code <= 13),
  next(text, from) {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || (code >= 9 && code <= 13)) return at;
    }
    return -1;
  },
  minChars: 12,
};

/**
 * Finds words with a filler anywhere in them. Only where the characters around it follow each other
 * in a spelling is a text looked at without it, which in most texts is nowhere.
 */
export function createEscaped(
  filler: Filler,
): Search & { readonly add: (words: readonly string[]) => void } {
  const bare = createFinder();
  /** Hashes of three characters in a row. */
  const trigrams = new Uint8Array(TABLE_SIZE);
  const isInside = (text: string, start: number, end: number): boolean => {
    const before = text.charCodeAt(start - 1);
    const after = text.charCodeAt(end);
    const first = text.charCodeAt(skipBack(filler, text, start - 2));
    if (trigrams[toHash(first, before, after)] === 1) return true;
    const last = text.charCodeAt(skipOn(filler, text, end + 1));
    return trigrams[toHash(before, after, last)] === 1;
  };
  return {
    add(words) {
      const texts = longEnough(words.map((word) => without(filler, word))).filter(
        ({ length }) => length >= filler.minChars,
      );
      bare.add(texts);
      for (const text of texts) {
        for (let at = 0; at + 2 < text.length; at++) {
          const hash = toHash(
            text.charCodeAt(at),
            text.charCodeAt(at + 1),
            text.charCodeAt(at + 2),
          );
          trigrams[hash] = 1;
        }
      }
    },
    find(text) {
      const windows = windowsIn(filler, text, bare.longest(), isInside);
      if (windows.length === 0) return NOTHING;
      const joined = createJoined(text);
      for (const window of windows) {
        addBare(filler, joined.add, text, window);
        joined.addGap();
      }
      return toWhole(bare.find(joined.text()), joined);
    },
    startOfOpen(text) {
      if (filler.next(text, 0) === -1) return text.length;
      const last = skipBack(filler, text, text.length - 1);
      const before = skipBack(filler, text, last - 1);
      if (!bare.mayGoOn(text.charCodeAt(before), text.charCodeAt(last))) return text.length;
      const joined = createJoined(text);
      addBare(filler, joined.add, text, { start: 0, end: text.length });
      const folded = joined.text();
      const start = bare.startOfOpen(folded);
      return start === folded.length ? text.length : joined.toPlace(start);
    },
  };
}

function without(filler: Filler, text: string): string {
  return Array.from({ length: text.length }, (_, at) => at)
    .filter((at) => !filler.has(text.charCodeAt(at)))
    .map((at) => text.charAt(at))
    .join("");
}

/** Not a number where the text has no character: no spelling has that. */
function toHash(a: number, b: number, c: number): number {
  return (Math.imul(a, 961) + Math.imul(b, 31) + c) & (TABLE_SIZE - 1);
}

function skipBack(filler: Filler, text: string, from: number): number {
  let at = from;
  while (filler.has(text.charCodeAt(at))) at--;
  return at;
}

function skipOn(filler: Filler, text: string, from: number): number {
  let at = from;
  while (filler.has(text.charCodeAt(at))) at++;
  return at;
}

/** What is so long and may have these fillers in it; two windows never touch. */
function windowsIn(
  filler: Filler,
  text: string,
  reach: number,
  isInside: (text: string, start: number, end: number) => boolean,
): readonly Stretch[] {
  let at = reach === 0 ? -1 : filler.next(text, 0);
  if (at === -1) return NOTHING;
  const windows: { start: number; end: number }[] = [];
  while (at !== -1) {
    const end = skipOn(filler, text, at);
    if (isInside(text, at, end)) {
      const last = windows.at(-1);
      const start = Math.max(0, at - reach);
      if (last && start <= last.end) last.end = end + reach;
      else windows.push({ start, end: end + reach });
    }
    at = filler.next(text, end);
  }
  return windows.map(({ start, end }) => ({ start, end: Math.min(end, text.length) }));
}

/** The parts of a window between its fillers. */
function addBare(
  filler: Filler,
  add: (start: number, end: number) => void,
  text: string,
  { start, end }: Stretch,
): void {
  for (let at = start; at < end; ) {
    const next = filler.next(text, at);
    const stop = next === -1 ? end : Math.min(next, end);
    add(at, stop);
    at = stop < end ? skipOn(filler, text, stop) : end;
  }
}
