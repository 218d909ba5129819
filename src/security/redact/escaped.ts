import {
  createFinder,
  createJoined,
  NOTHING,
  type Search,
  type Stretch,
  toWhole,
} from "./finder.ts";
import { longEnough } from "./spellings.ts";

const BACKSLASH = 92;
/** Bits of the table of trigrams, a power of two. */
const TABLE_SIZE = 1 << 16;

/**
 * Finds words with backslashes anywhere in them: whatever Markdown, shells and JSON in JSON put
 * between the characters. Only where the characters around a backslash follow each other in a
 * spelling is a text looked at without them, which in most texts is nowhere.
 */
export function createEscaped(): Search & { readonly add: (words: readonly string[]) => void } {
  const bare = createFinder();
  /** Hashes of three characters in a row. */
  const trigrams = new Uint8Array(TABLE_SIZE);
  const isInside = (text: string, start: number, end: number): boolean => {
    const before = text.charCodeAt(start - 1);
    const after = text.charCodeAt(end);
    const first = text.charCodeAt(skipBack(text, start - 2));
    if (trigrams[toHash(first, before, after)] === 1) return true;
    const last = text.charCodeAt(skipOn(text, end + 1));
    return trigrams[toHash(before, after, last)] === 1;
  };
  return {
    add(words) {
      const texts = longEnough(words.map(withoutBackslashes));
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
      const windows = windowsIn(text, bare.longest(), isInside);
      if (windows.length === 0) return NOTHING;
      const joined = createJoined(text);
      for (const window of windows) {
        addBare(joined.add, text, window);
        joined.addGap();
      }
      return toWhole(bare.find(joined.text()), joined);
    },
    startOfOpen(text) {
      if (!text.includes("\\")) return text.length;
      const joined = createJoined(text);
      addBare(joined.add, text, { start: 0, end: text.length });
      const folded = joined.text();
      const start = bare.startOfOpen(folded);
      return start === folded.length ? text.length : joined.toPlace(start);
    },
  };
}

function withoutBackslashes(text: string): string {
  return text.replace(/\\+/g, "");
}

/** Not a number where the text has no character: no spelling has that. */
function toHash(a: number, b: number, c: number): number {
  return (Math.imul(a, 961) + Math.imul(b, 31) + c) & (TABLE_SIZE - 1);
}

function skipBack(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BACKSLASH) at--;
  return at;
}

function skipOn(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

/** What is so long and may have these backslashes in it; two windows never touch. */
function windowsIn(
  text: string,
  reach: number,
  isInside: (text: string, start: number, end: number) => boolean,
): readonly Stretch[] {
  let at = reach === 0 ? -1 : text.indexOf("\\");
  if (at < 0) return NOTHING;
  const windows: { start: number; end: number }[] = [];
  while (at >= 0) {
    const end = skipOn(text, at);
    if (isInside(text, at, end)) {
      const last = windows.at(-1);
      const start = Math.max(0, at - reach);
      if (last && start <= last.end) last.end = end + reach;
      else windows.push({ start, end: end + reach });
    }
    at = text.indexOf("\\", end);
  }
  return windows.map(({ start, end }) => ({ start, end: Math.min(end, text.length) }));
}

/** The parts of a window between its backslashes. */
function addBare(
  add: (start: number, end: number) => void,
  text: string,
  { start, end }: Stretch,
): void {
  for (let at = start; at < end; ) {
    const next = text.indexOf("\\", at);
    const stop = next < 0 ? end : Math.min(next, end);
    add(at, stop);
    at = stop < end ? skipOn(text, stop) : end;
  }
}
