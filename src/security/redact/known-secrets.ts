import { longEnough, type Spellings, spellingsOf } from "./spellings.ts";

/** A part of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Finds registered secrets in texts, in every spelling. */
export interface KnownSecrets {
  readonly add: (secret: string) => void;
  /** A part of one that may be shown by itself; not in digits, as nobody writes a part in those. */
  readonly addPart: (part: string) => void;
  /** In order; none overlaps another. */
  readonly find: (text: string) => readonly Stretch[];
  /** Where the longest end of the text begins that a spelling begins with; the end when none does. */
  readonly startOfOpen: (text: string) => number;
}

/**
 * Knows nothing before the first secret. Around its backslashes, a text is looked at a second time
 * without them, for whatever Markdown, shells and JSON in JSON put between the characters.
 */
export function createKnownSecrets(): KnownSecrets {
  const words = createFinder();
  /** Looked for by themselves: in one pattern with the words they would make it slow. */
  const digits = createFinder();
  const bare = createFinder();
  const addWords = (spellings: Spellings) => {
    words.add(spellings.words);
    bare.add(longEnough(spellings.words.map(withoutBackslashes)));
  };
  return {
    add(secret) {
      const spellings = spellingsOf(secret);
      addWords(spellings);
      digits.add(spellings.digits);
    },
    addPart: (part) => addWords(spellingsOf(part)),
    find(text) {
      const inWords = words.find(text);
      const inDigits = digits.find(text);
      const escaped = findEscaped(text, bare);
      if (inDigits.length + escaped.length === 0) return inWords;
      return united([...inWords, ...inDigits, ...escaped]);
    },
    startOfOpen(text) {
      const start = Math.min(words.startOfOpen(text), digits.startOfOpen(text));
      if (!text.includes("\\")) return start;
      const folded = withoutBackslashes(text);
      const inFolded = bare.startOfOpen(folded);
      if (inFolded === folded.length) return start;
      return Math.min(start, placesIn(text, [{ start: 0, end: text.length }])(inFolded));
    },
  };
}

function findEscaped(text: string, bare: Finder): readonly Stretch[] {
  const windows = windowsIn(text, bare.longest());
  if (windows.length === 0) return NOTHING;
  const parts = windows.map(({ start, end }) => withoutBackslashes(text.slice(start, end)));
  const found = bare.find(parts.join(GAP));
  if (found.length === 0) return NOTHING;
  const toPlace = placesIn(text, windows);
  return found.map(({ start, end }) => ({ start: toPlace(start), end: toPlace(end - 1) + 1 }));
}

const NOTHING: readonly Stretch[] = [];

/** Between two windows; hardly a secret has it. */
const GAP = "\0";

/** Where what is so long may have a backslash in it; two windows never touch. */
function windowsIn(text: string, reach: number): readonly Stretch[] {
  let at = reach === 0 ? -1 : text.indexOf("\\");
  if (at < 0) return NOTHING;
  const windows: Stretch[] = [];
  while (at >= 0) {
    const start = Math.max(0, at - reach);
    let end = 0;
    for (let next = at; next >= 0 && next - reach <= Math.max(end, at); ) {
      end = next + reach;
      const last = text.lastIndexOf("\\", end - 1);
      next = last > next ? last : text.indexOf("\\", end);
    }
    windows.push({ start, end: Math.min(end, text.length) });
    at = text.indexOf("\\", end);
  }
  return windows;
}

function withoutBackslashes(text: string): string {
  return text.replace(/\\+/g, "");
}

/** Where a character of the windows, put together without backslashes, is in the text. */
function placesIn(text: string, windows: readonly Stretch[]): (place: number) => number {
  const pieces: { readonly at: number; readonly from: number }[] = [];
  let length = 0;
  for (const window of windows) {
    for (const { 0: whole, index } of text.slice(window.start, window.end).matchAll(/[^\\]+/g)) {
      pieces.push({ at: length, from: window.start + index });
      length += whole.length;
    }
    length += GAP.length;
  }
  return (place) => {
    const piece = pieces[indexOfLast(pieces, ({ at }) => at <= place)];
    return piece ? piece.from + place - piece.at : 0;
  };
}

/** Of those that a test holds for up to some place; -1: it holds for none. */
function indexOfLast<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

function united(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const each of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (!last || last.end <= each.start) all.push(each);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, each.end) };
  }
  return all;
}

/** Finds texts as they are in others, the longest first. */
interface Finder {
  readonly add: (texts: readonly string[]) => void;
  /** In order; none overlaps another. */
  readonly find: (text: string) => readonly Stretch[];
  /** Where the longest end of the text begins that a wanted one begins with; the end when none does. */
  readonly startOfOpen: (text: string) => number;
  /** How long the longest is; 0: there is none. */
  readonly longest: () => number;
}

/** Wants nothing before the first one is added. */
function createFinder(): Finder {
  const wanted = new Set<string>();
  let pattern: RegExp | undefined;
  let longest = 0;
  return {
    add(texts) {
      for (const text of texts) {
        wanted.add(text);
        longest = Math.max(longest, text.length);
      }
      pattern = undefined;
    },
    find(text) {
      if (wanted.size === 0) return NOTHING;
      pattern ??= toPattern(wanted);
      // Most texts hold none, and that is said the fastest.
      if (text.search(pattern) < 0) return NOTHING;
      return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => {
        return { start: index, end: index + length };
      });
    },
    startOfOpen(text) {
      let start = text.length;
      for (const each of wanted) {
        const first = each.charAt(0);
        let at = text.indexOf(first, Math.max(0, text.length - each.length + 1));
        while (at >= 0 && at < start && !each.startsWith(text.slice(at))) {
          at = text.indexOf(first, at + 1);
        }
        if (at >= 0) start = Math.min(start, at);
      }
      return start;
    },
    longest: () => longest,
  };
}

function toPattern(texts: Iterable<string>): RegExp {
  const longestFirst = [...texts].toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((text) => RegExp.escape(text)).join("|"), "g");
}
