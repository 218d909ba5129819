/** A part of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in texts, in the spellings that one way of writing has. */
export interface Search {
  readonly find: (text: string) => readonly Stretch[];
  /** Where the longest end of the text begins that a spelling begins with; the end when none does. */
  readonly startOfOpen: (text: string) => number;
}

/** Finds texts as they are in others, the longest first. */
export interface Finder extends Search {
  readonly add: (texts: readonly string[]) => void;
  /** In order; none overlaps another. */
  readonly find: (text: string) => readonly Stretch[];
  /** How long the longest is; 0: there is none. */
  readonly longest: () => number;
  /** False: no text ends so that one of them may go on from there; by its last two characters. */
  readonly mayGoOn: (before: number, last: number) => boolean;
}

/** No stretch. */
export const NOTHING: readonly Stretch[] = [];

/** Between two parts that are searched at once; hardly a secret has it. */
export const GAP = "\0";

/** Looks for nothing before the first text is added. */
export function createFinder(): Finder {
  const wanted = new Set<string>();
  /** Their first characters, and any two that follow each other in one. */
  const firsts = new Set<number>();
  const pairs = new Set<number>();
  let pattern: RegExp | undefined;
  const mayGoOn = (before: number, last: number) =>
    firsts.has(last) || pairs.has(toPair(before, last));
  let longest = 0;
  return {
    add(texts) {
      for (const text of texts) {
        wanted.add(text);
        firsts.add(text.charCodeAt(0));
        for (let at = 1; at < text.length; at++) {
          pairs.add(toPair(text.charCodeAt(at - 1), text.charCodeAt(at)));
        }
        longest = Math.max(longest, text.length);
      }
      pattern = undefined;
    },
    find(text) {
      if (wanted.size === 0) return NOTHING;
      pattern ??= toPattern(wanted);
      // Most texts hold none, and that is said the fastest.
      if (text.search(pattern) === -1) return NOTHING;
      return united(findAll(pattern, text));
    },
    startOfOpen(text) {
      let start = text.length;
      // Most texts end as none of them begins, and that is said the fastest.
      if (!mayGoOn(text.charCodeAt(start - 2), text.charCodeAt(start - 1))) return start;
      for (const each of wanted) {
        const first = each.charAt(0);
        let at = text.indexOf(first, Math.max(0, text.length - each.length + 1));
        while (at !== -1 && at < start && !each.startsWith(text.slice(at))) {
          at = text.indexOf(first, at + 1);
        }
        if (at !== -1) start = Math.min(start, at);
      }
      return start;
    },
    longest: () => longest,
    mayGoOn,
  };
}

function toPair(before: number, last: number): number {
  return before * 0x10000 + last;
}

/** All places of a pattern, also those that begin within another: two secrets may share a word. */
function findAll(pattern: RegExp, text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    pattern.lastIndex = match.index + 1;
  }
  return found;
}

function toPattern(texts: Iterable<string>): RegExp {
  const longestFirst = [...texts].toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((text) => RegExp.escape(text)).join("|"), "g");
}

/** Parts of a text, put together, and where their characters are in it. */
export interface Joined {
  readonly add: (start: number, end: number) => void;
  /** Nothing is found across it. */
  readonly addGap: () => void;
  readonly text: () => string;
  readonly toPlace: (at: number) => number;
}

/** No parts yet. */
export function createJoined(whole: string): Joined {
  const parts: string[] = [];
  const pieces: { readonly at: number; readonly from: number }[] = [];
  let length = 0;
  return {
    add(start, end) {
      if (start >= end) return;
      pieces.push({ at: length, from: start });
      parts.push(whole.slice(start, end));
      length += end - start;
    },
    addGap() {
      parts.push(GAP);
      length += GAP.length;
    },
    text: () => parts.join(""),
    toPlace(at) {
      const piece = pieces[indexOfLast(pieces, (each) => each.at <= at)];
      return piece ? piece.from + at - piece.at : 0;
    },
  };
}

/** Stretches of the parts, as they are in the whole text. */
export function toWhole(found: readonly Stretch[], { toPlace }: Joined): readonly Stretch[] {
  return found.map(({ start, end }) => ({ start: toPlace(start), end: toPlace(end - 1) + 1 }));
}

/** Where stretches cover each other, one of them all. */
export function united(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const each of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (!last || last.end <= each.start) all.push(each);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, each.end) };
  }
  return all;
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
