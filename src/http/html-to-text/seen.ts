const MAX_SEEN = 10_000;

/** What a page has said so far, so that it says it once. */
export interface Seen {
  /** Whether a text comes for the first time; it has come now. */
  readonly isNew: (text: string) => boolean;
  /** How many texts have come so far. */
  readonly count: () => number;
  /** Forgets all texts but so many of the first. */
  readonly forgetAfter: (count: number) => void;
}

/** A memory of a bounded number of texts. */
export function createSeen(): Seen {
  const texts = new Set<string>();
  const inOrder: string[] = [];
  return {
    isNew(text) {
      if (texts.has(text)) return false;
      if (texts.size < MAX_SEEN) {
        texts.add(text);
        inOrder.push(text);
      }
      return true;
    },
    count: () => inOrder.length,
    forgetAfter(count) {
      for (const text of inOrder.splice(count)) texts.delete(text);
    },
  };
}
