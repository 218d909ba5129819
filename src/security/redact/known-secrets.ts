import { createCutSecrets } from "./cut-secrets.ts";
import { createDumped } from "./dumped.ts";
import { BACKSLASHES, BLANKS, createEscaped } from "./escaped.ts";
import { createFinder, NOTHING, type Search, type Stretch, united } from "./finder.ts";
import { type Spellings, spellingsOf } from "./spellings.ts";

export type { Stretch } from "./finder.ts";

/** Finds what it was told in texts, in every spelling. */
export interface KnownSecrets {
  readonly add: (secret: string) => void;
  /** A part of one that may be shown by itself; not in digits, as nobody writes a part in those. */
  readonly addPart: (part: string) => void;
  /** In order; none overlaps another. */
  readonly find: (text: string) => readonly Stretch[];
  /** Where the longest end of the text begins that a spelling begins with; the end when none does. */
  readonly startOfOpen: (text: string) => number;
}

/** Knows nothing before the first secret. */
export function createKnownSecrets(): KnownSecrets {
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
