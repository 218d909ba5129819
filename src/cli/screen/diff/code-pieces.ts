import type { Language } from "./languages.ts";

/** What a piece of code is, as far as it has a look of its own. */
export type Kind = "comment" | "string" | "keyword" | "number" | "type" | "function" | "name";

/** A stretch of a line, up to where it goes; what has no kind is plain. */
export interface Piece {
  readonly end: number;
  readonly kind: Kind | undefined;
}

/** What a line ends within, and the next one begins in; undefined: nothing. */
export type Inside =
  | { readonly kind: "comment" | "string"; readonly close: string }
  | { readonly kind: "element" }
  | undefined;

/** A line read: its pieces, one behind the other to its end. */
export interface ReadLine {
  readonly pieces: readonly Piece[];
  readonly inside: Inside;
}

/**
 * Reads one line of code. That is no parser: it knows comments, strings, numbers and words, and what
 * of them goes on from the line before. Each character is looked at a few times at most, however the
 * line was made.
 */
export function readLine(line: string, language: Language, inside: Inside): ReadLine {
  if (language.isProse === true && !inside) return readProse(line, language);
  return createReader(line, language, inside).read();
}

function createReader(line: string, language: Language, first: Inside) {
  const pieces: Piece[] = [];
  let inside = first;
  let at = 0;
  /** Up to where pieces go. */
  let done = 0;
  /** Whether a value may begin here: what came before is a sign. */
  let mayBegin = true;
  /** Quotes and slashes that nothing ends any more in this line. */
  let unclosed = "";

  function take(end: number, kind?: Kind): void {
    if (kind !== undefined && end > at) {
      if (at > done) pieces.push({ end: at, kind: undefined });
      pieces.push({ end, kind });
      done = end;
    }
    at = end;
  }

  function goOn(kind: "comment" | "string", close: string, from: number): void {
    const end = endOf(line, close, from, kind === "string");
    inside = end < 0 ? { kind, close } : undefined;
    take(end < 0 ? line.length : end, kind);
    mayBegin = kind === "comment" && mayBegin;
  }

  function takeSpan(): boolean {
    const { blocks, longs, line: openers, afterBlank = false } = language;
    const block = blocks.find(([open]) => line.startsWith(open, at));
    if (block) {
      goOn("comment", block[1], at + block[0].length);
      return true;
    }
    const isApart = !afterBlank || at === 0 || /\s/.test(line.charAt(at - 1));
    if (isApart && openers.some((open) => line.startsWith(open, at))) {
      take(line.length, "comment");
      return true;
    }
    const long = longs.find(([open]) => line.startsWith(open, at));
    if (long) goOn("string", long[1], at + long[0].length);
    return long !== undefined;
  }

  /** Something from here to the next `close` in this line; false where nothing ends it. */
  function takeClosed(close: string): boolean {
    if (unclosed.includes(close)) return false;
    const end = close === "/" ? endOfMatcher(line, at + 1) : endOf(line, close, at + 1, true);
    if (end < 0) {
      unclosed += close;
      return false;
    }
    const isKey = close !== "/" && isKeyEnd(end, true);
    take(end, isKey ? "name" : "string");
    mayBegin = false;
    return true;
  }

  /** Whether what ends here is a name of a value; an address has no blank behind its first sign. */
  function isKeyEnd(end: number, isQuoted: boolean): boolean {
    const { keys } = language;
    if (keys === undefined) return false;
    const sign = matchEnd(BLANKS, line, end);
    return (
      line.charAt(sign) === keys &&
      (isQuoted || keys !== ":" || /^(?:\s|$)/.test(line.charAt(sign + 1)))
    );
  }

  function takeQuoted(sign: string): boolean {
    if (language.slashes === true && sign === "/" && mayBegin) return takeClosed("/");
    if (language.ticks === true && sign === "'") {
      const end = matchEnd(TICK, line, at);
      take(end < 0 ? at + 1 : end, end < 0 ? undefined : "string");
      return true;
    }
    const quotes = inside?.kind === "element" ? `"'` : language.quotes;
    return quotes.includes(sign) && takeClosed(sign);
  }

  function takeWord(end: number): void {
    const word = line.slice(at, end);
    const known = language.caseless === true ? word.toLowerCase() : word;
    const behind = line.charAt(end);
    const before = line.charAt(at - 1);
    if (
      language.isMarkup === true &&
      (before === "<" || (before === "/" && line.charAt(at - 2) === "<"))
    ) {
      take(end, "keyword");
      inside = { kind: "element" };
    } else if (inside?.kind === "element") take(end, behind === "=" ? "name" : undefined);
    else if (language.words.has(known) && before !== "." && behind !== "-") take(end, "keyword");
    else if (isKeyEnd(end, false)) take(end, "name");
    else if (language.words.size === 0 || language.keys !== undefined) take(end);
    else if (behind === "(") take(end, "function");
    else take(end, TYPE.test(word) ? "type" : undefined);
    mayBegin = language.words.has(known);
  }

  function takeSign(): void {
    const sign = line.charAt(at);
    if (language.starts.includes(sign) && (takeSpan() || takeQuoted(sign))) return;
    mayBegin = !NO_BEGIN.includes(sign);
    if (sign === ">" && inside?.kind === "element") inside = undefined;
    at += 1;
  }

  return {
    read(): ReadLine {
      if (inside && "close" in inside) goOn(inside.kind, inside.close, 0);
      else if (!inside && language.starts.includes("/") && isInnerComment(line)) {
        take(endOfInner(line), "comment");
      }
      while (at < line.length) {
        const code = line.charCodeAt(at);
        if (code === SPACE || code === TAB) at += 1;
        else if (isDigit(code)) {
          take(matchEnd(NUMBER, line, at), "number");
          mayBegin = false;
        } else if (!isLetter(code)) takeSign();
        else {
          const end = matchEnd(language.dashes === true ? DASHED : WORD, line, at);
          if (end > at) takeWord(end);
          else takeSign();
        }
      }
      if (done < line.length) pieces.push({ end: line.length, kind: undefined });
      return { pieces, inside };
    },
  };
}

const [SPACE, TAB] = [32, 9];
/** Behind these nothing is an expression to match. */
const NO_BEGIN = ")]}\"'`";

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** What a word may begin with; beyond ASCII that is asked of an expression. */
function isLetter(code: number): boolean {
  const isSmall = code >= 97 && code <= 122;
  return isSmall || (code >= 64 && code <= 90) || code === 95 || code === 36 || code > 127;
}

const WORD = /[\p{L}_$@][\p{L}\p{M}\p{N}_$]*/uy;
/** How types are named in languages that have them: `Item`, and not `LIMIT`. */
const TYPE = /^\p{Lu}\p{L}{0,40}\p{Ll}/u;
const DASHED = /[\p{L}_$@][\p{L}\p{M}\p{N}_$-]*/uy;
const NUMBER = /\d[\w.]*/y;
/** One character, or one that is spelled out. */
const TICK = /'(?:\\[^']{1,10}|[^'\\])'/uy;
/** Further away no sign makes a name of a word. */
const BLANKS = /[ \t]{0,40}/y;

function matchEnd(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : -1;
}

/** Behind the next `close`, or -1; what stands behind a `\` ends no string. */
function endOf(line: string, close: string, from: number, isEscaped: boolean): number {
  if (!isEscaped) {
    const found = line.indexOf(close, from);
    return found < 0 ? -1 : found + close.length;
  }
  for (let at = from; at < line.length; at++) {
    if (line.charAt(at) === "\\") at++;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return -1;
}

/** Behind an expression to match that begins at `from`; a `/` in a class of characters is no end. */
function endOfMatcher(line: string, from: number): number {
  let isClass = false;
  for (let at = from; at < line.length; at++) {
    const sign = line.charAt(at);
    if (sign === "\\") at++;
    else if (sign === "[") isClass = true;
    else if (sign === "]") isClass = false;
    else if (sign === "/" && !isClass) return at === from ? -1 : matchEnd(FLAGS, line, at + 1);
  }
  return -1;
}

const FLAGS = /[a-z]*/y;

/** A line as comments over many lines have in their midst: a hunk may begin there. */
function isInnerComment(line: string): boolean {
  return /^\s{0,100}\*(?:\s|\/|$)/.test(line);
}

function endOfInner(line: string): number {
  const end = line.indexOf("*/");
  return end < 0 ? line.length : end + 2;
}

function readProse(line: string, language: Language): ReadLine {
  const whole = (kind: Kind | undefined): ReadLine => ({
    pieces: line === "" ? [] : [{ end: line.length, kind }],
    inside: undefined,
  });
  if (/^ {0,3}>/.test(line)) return whole("comment");
  if (/^ {0,3}(?:```|~~~)/.test(line)) return whole("string");
  return createReader(line, { ...language, isProse: false, words: NO_WORDS }, undefined).read();
}

const NO_WORDS: ReadonlySet<string> = new Set();
