/** Longest stretch that is held back; no word and no private key is longer. */
const MAX_HELD = { word: 4096, key: 16_384 } as const;

/** Text that comes in pieces, masked on its way through. */
export interface MaskedStream {
  /** What can be passed on by now. */
  add(piece: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Masks streamed text although a secret may be cut in two: whatever follows the last character
 * that no key or token has in it waits for the next piece, and so does a private key until its
 * last line.
 */
export function createMaskedStream(redact: (text: string) => string): MaskedStream {
  let held = "";
  const take = (length: number): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return redact(text);
  };
  return {
    add(piece) {
      held += piece;
      const keyStart = startOfOpenKey(held);
      if (held.length - keyStart <= MAX_HELD.key) return take(keyStart);
      const wordStart = startOfLastWord(held);
      return take(held.length - wordStart > MAX_HELD.word ? held.length : wordStart);
    },
    end: () => take(held.length),
  };
}

/** Where the printable ASCII at the end of a text begins; what keys and tokens are made of. */
function startOfLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && /[\x21-\x7e]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Where a block "-----BEGIN …" begins that has no end yet; -Infinity: nowhere. */
function startOfOpenKey(text: string): number {
  const start = text.lastIndexOf("-----BEGIN ");
  const isOpen = start >= 0 && !/-----END [A-Z ]{0,40}-----/.test(text.slice(start));
  return isOpen ? start : Number.NEGATIVE_INFINITY;
}
