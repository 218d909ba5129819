import { createCutSecrets, findCutShapes } from "./cut-secrets.ts";
import { createDumped } from "./dumped.ts";
import { BACKSLASHES, BLANKS, createEscaped } from "./escaped.ts";
import { createFinder, NOTHING, type Search, type Stretch, united } from "./finder.ts";
import { MIN_SECRET_CHARS, type Spellings, spellingsOf } from "./spellings.ts";

/** Masks secrets in everything that leaves the daemon. */
export interface Redactor {
  /** Registers a secret; one shorter than 6 characters is left out, it would mask ordinary text. */
  readonly add: (secret: string) => void;
  /** The text with every registered secret and every well-known shape as `[secret]`. */
  readonly redact: (text: string) => string;
  /**
   * The last place up to `end` at which the text can be cut: no secret of it goes through there, nor
   * one that it may go on to be.
   */
  readonly findCut: (text: string, end: number) => number;
  /** Whether a registered secret is in the text, in any spelling it travels in. */
  readonly holds: (text: string) => boolean;
}

const MASK = "[secret]";
const MIN_LINE_CHARS = 16;

/** A masker for registered secrets, in every spelling they travel in, and for well-known shapes. */
export function createRedactor(): Redactor {
  const known = createKnownSecrets();
  return {
    add(secret) {
      if (secret.length < MIN_SECRET_CHARS) return;
      known.add(secret);
      for (const line of linesOf(secret)) known.addPart(line);
    },
    findCut(text, end) {
      const found = [...known.find(text)];
      const bare = replaceAll(text, found, (length) => "[".repeat(length));
      const shown = OF_SHAPES.test(text)
        ? SHAPES.reduce((rest, shape) => markOut(rest, shape, found), bare)
        : bare;
      const views = OF_OPEN.test(text) ? [text, bare, shown] : [];
      let at = Math.min(end, known.startOfOpen(text));
      for (let before = -1; before !== at; ) {
        before = at;
        for (const stretch of found) if (stretch.start < at && at < stretch.end) at = stretch.start;
        for (const each of views) at = startOfOpenShape(each.slice(0, at));
      }
      return at;
    },
    holds: (text) => known.find(text).length > 0,
    redact(text) {
      const [found, cut] = [known.find(text), findCutShapes(text)];
      const isFound = found.length + cut.length > 0;
      const bare = isFound ? replaceAll(text, united([...found, ...cut]), () => MASK) : text;
      if (!OF_SHAPES.test(bare)) return bare;
      return SHAPES.reduce((masked, shape) => masked.replace(shape, `$<keep>${MASK}`), bare);
    },
  };
}

/** Finds what it was told in texts, in every spelling. */
interface KnownSecrets {
  readonly add: (secret: string) => void;
  /** A part of one that may be shown by itself; not in digits, as nobody writes a part in those. */
  readonly addPart: (part: string) => void;
  /** In order; none overlaps another. */
  readonly find: (text: string) => readonly Stretch[];
  /** Where the longest end of the text begins that a spelling begins with; the end when none does. */
  readonly startOfOpen: (text: string) => number;
}

/** Knows nothing before the first secret. */
function createKnownSecrets(): KnownSecrets {
  const words = createFinder();
  /** Looked for by themselves: in one pattern with the words they would make it slow. */
  const digits = createFinder();
  const escaped = createEscaped(BACKSLASHES);
  const wrapped = createEscaped(BLANKS);
  const cut = createCutSecrets();
  const dumped = createDumped();
  const ways: readonly Search[] = [words, digits, escaped, wrapped];
  const places = [...ways, cut, dumped];
  const addWords = (spellings: Spellings) => {
    for (const way of [words, escaped, wrapped]) way.add(spellings.words);
  };
  return {
    add(secret) {
      const spellings = spellingsOf(secret);
      addWords(spellings);
      cut.add(spellings);
      digits.add(spellings.digits);
      wrapped.add(spellings.digits);
      dumped.add(secret);
    },
    addPart(part) {
      const { words: inWords } = spellingsOf(part);
      addWords({ words: inWords, digits: [] });
      cut.add({ words: inWords, digits: [] });
    },
    find(text) {
      const found = places.map((way) => way.find(text)).filter(({ length }) => length > 0);
      return found.length === 0 ? NOTHING : united(found.flat());
    },
    startOfOpen: (text) => Math.min(...ways.map((way) => way.startOfOpen(text))),
  };
}

function replaceAll(
  text: string,
  stretches: readonly Stretch[],
  toText: (length: number) => string,
): string {
  if (stretches.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of stretches) {
    parts.push(text.slice(done, start), toText(end - start));
    done = end;
  }
  return parts.join("") + text.slice(done);
}

/**
 * Shapes of common credentials; `keep` is what stays readable. Each starts at a boundary or with
 * letters of its own, and no two neighbouring repetitions share a character, so that matching stays
 * linear in the text.
 */
const SHAPES: readonly RegExp[] = [
  /(?<keep>)-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w+/=\s\\,:]*(?:-{1,4}[\w+/=\s\\,:]+)*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /(?<keep>…)(?:[A-Z ]{0,40}-----)?[\w+/=\s\\,:]*-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  /(?<keep>\bauthorization["']{0,2}\s{0,4}[:=]\s{0,4}["']?(?:basic|bearer|token)\s{1,4})[^\s"',;]+/gi,
  /(?<keep>\bbearer\s{1,4})(?=[a-z]{0,15}[^a-z\s]|[a-z]{16})[\w.~+/=-]{6,}/gi,
  /(?<keep>)(?<!\d)\d{6,20}:[\w-]{30,}(?::[\w-]{30,})*/g,
  // Anything may be in front of these: behind a letter more has to tell a key from "task-management"
  // or "weighs_more_than". A pattern that begins with its letters is found the fastest.
  /sk-(?:(?<!\wsk-)[\w-]{16,}|(?:proj|ant|or|svcacct|admin)-(?=[\w-]{0,40}\d)[\w-]{16,}|(?=[a-zA-Z]{0,40}\d)(?=[a-z\d]{0,40}[A-Z])(?=[A-Z\d]{0,40}[a-z])[a-zA-Z\d]{30,}[\w-]*)(?<keep>)/g,
  /tvly-(?:(?<!\wtvly-)|(?=[\w-]{0,40}\d))[\w-]{16,}(?<keep>)/g,
  /xox[abeprs]-(?:(?<!\wxox.-)|(?=[\w-]{0,40}\d))[\w-]{16,}(?<keep>)/g,
  /gh[oprsu]_(?:(?<!\wgh._)[\w-]{16,}|[a-zA-Z\d]{30,}[\w-]*)(?<keep>)/g,
  /github_pat_[\w-]{16,}(?<keep>)/g,
  /glpat-[\w-]{16,}(?<keep>)/g,
  /A[KS]IA(?<![0-9A-Z]A[KS]IA)[0-9A-Z]{16}(?:A[KS]IA[0-9A-Z]{16})*(?![0-9A-Z])(?<keep>)/g,
];

/**
 * What is in every text that has one of them: most texts are looked through once for all. A shape
 * that has none of these parts has to add its own.
 */
const OF_SHAPES =
  /-----|authorization|bearer|\d{6}:|sk-|tvly-|xox|gh[oprsu]_|github_pat_|glpat-|A[KS]IA/i;
const OF_OPEN = /authorization|bearer/i;

/** Shapes with blanks in them that have begun; those without are one word. */
const OPEN_SHAPES: readonly RegExp[] = [
  /\bauthorization["']{0,2}\s{0,4}(?:[:=]\s{0,4}["']?(?:[a-z]{1,6}(?:\s{1,4}[^\s"',;]*)?)?)?$/i,
  /\bbearer\s{1,4}[\w.~+/=-]*$/i,
];
/** No shape but a private key is longer. */
const MAX_SHAPE_CHARS = 5000;

/** Where one begins that goes on to the end of the text; the end when none does. */
function startOfOpenShape(text: string): number {
  const from = Math.max(0, text.length - MAX_SHAPE_CHARS);
  const tail = text.slice(from);
  const starts = OPEN_SHAPES.map((shape) => tail.search(shape)).filter((at) => at !== -1);
  return from + starts.reduce((first, at) => Math.min(first, at), tail.length);
}

/** What a pattern finds is noted, and made as unlike a secret as the mask is, but of its own length. */
function markOut(text: string, pattern: RegExp, found: Stretch[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: whole, index, groups } of text.matchAll(pattern)) {
    const end = index + whole.length;
    const start = index + (groups?.["keep"] ?? "").length;
    found.push({ start: index, end });
    parts.push(text.slice(done, start), "[".repeat(end - start));
    done = end;
  }
  return parts.join("") + text.slice(done);
}

/** Of a secret with several lines, which may be shown one by one; a short one gives nothing away. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS);
  return secret.includes("\n") ? lines : [];
}
