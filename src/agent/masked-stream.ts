/** Longest stretch without a blank that is held back; no secret is longer. */
const MAX_HELD = 4096;

/** Text that comes in pieces, masked on its way through. */
export interface MaskedStream {
  /** What can be passed on by now. */
  add(piece: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Masks streamed text although a secret may be cut in two: whatever follows the last character
 * that no key or token has in it waits for the next piece.
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
      const wordStart = startOfLastWord(held);
      return take(held.length - wordStart > MAX_HELD ? held.length : wordStart);
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
