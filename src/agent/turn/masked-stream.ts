import type { Redactor } from "../../security/redact/redact.ts";

/** No secret in a word, and no private key, is longer. */
const MAX_SECRET = { word: 4096, key: 16_384 } as const;
/** Between the places at which an endless word may be cut. */
const STEP = 256;

/** Text that comes in pieces, masked on its way through. */
export interface MaskedStream {
  /** What can be passed on by now. */
  add(piece: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Masks streamed text although a secret may be cut in two: whatever follows the last character
 * that no key or token has in it waits for the next piece, and so do what a secret with blanks in
 * it may begin with, and a private key until its last line.
 */
export function createMaskedStream({
  redact,
  findCut,
}: Pick<Redactor, "redact" | "findCut">): MaskedStream {
  let held = "";
  const take = (length: number): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return redact(text);
  };
  /** The last place up to `end` that is between two words, and in no secret. */
  const toCut = (end: number): number => {
    for (let at = end; ; ) {
      const start = startOfLastWord(held, at);
      at = start === 0 ? 0 : findCut(held, start);
      if (at === start) return at;
    }
  };
  return {
    add(piece) {
      held += piece;
      const keyStart = startOfOpenKey(held);
      if (held.length - keyStart <= MAX_SECRET.key) return take(toCut(keyStart));
      const wordStart = startOfLastWord(held, held.length);
      const isEndless = held.length - wordStart > 2 * MAX_SECRET.word;
      return take(isEndless ? findCutOfWord(held, wordStart, redact) : toCut(held.length));
    },
    end: () => take(held.length),
  };
}

/**
 * Where a word that does not end can be cut: what follows has room for a secret that has begun, and
 * no secret goes through the cut. Without such a place all of it is one.
 */
function findCutOfWord(text: string, wordStart: number, redact: Redactor["redact"]): number {
  const word = text.slice(wordStart);
  const whole = redact(word);
  for (let at = word.length - MAX_SECRET.word; at > 0; at -= STEP) {
    if (redact(word.slice(0, at)) + redact(word.slice(at)) === whole) return wordStart + at;
  }
  return text.length;
}

/** Where the printable ASCII in front of `end` begins; what keys and tokens are made of. */
function startOfLastWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && isPrintable(text.charCodeAt(start - 1))) start--;
  return start;
}

function isPrintable(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** Where a block "-----BEGIN …" begins that has no end yet; -Infinity: nowhere. */
function startOfOpenKey(text: string): number {
  const start = text.lastIndexOf("-----BEGIN ");
  const isOpen = start >= 0 && !/-----END [A-Z ]{0,40}-----/.test(text.slice(start));
  return isOpen ? start : Number.NEGATIVE_INFINITY;
}
