/** One text in the forms that patterns are written for. */
export interface FoldedText {
  /** Lower case, words apart by one space, look-alikes of Latin letters as those. */
  readonly latin: string;
  /** The same with look-alikes of Cyrillic letters as those. */
  readonly cyrillic: string;
  /** Without any space. */
  readonly han: string;
  /** Words that were spelled out, "i g n o r e", as words; empty when there are none. */
  readonly spelled: string;
}

/** Undoes what hides words from a search: case, spacing, invisible characters, look-alikes. */
export function foldForMatching(text: string): FoldedText {
  const plain = text
    .replace(/\\u\{([0-9a-f]{1,6})\}/giu, toHidden)
    .normalize("NFKC")
    .replace(/(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase();
  const words = plain.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim();
  const stripped = words.normalize("NFKD").replace(/\p{M}+/gu, "");
  const latin = stripped.replace(/[^\0-\x7f]/gu, (letter) => TO_LATIN.get(letter) ?? letter);
  return {
    latin,
    cyrillic: /[а-яё]/u.test(words) ? toCyrillic(words) : "",
    han: /\p{Script=Han}/u.test(words) ? words.replaceAll(" ", "") : "",
    spelled: [...latin.matchAll(/(?<![^ ])(?:[a-z] ){5,}[a-z](?![^ ])/gu)]
      .map(([run]) => run.replaceAll(" ", ""))
      .join(" "),
  };
}

/** A hidden character that was spelled out on the way, by us for instance; others stay as they are. */
function toHidden(spelled: string, digits: string): string {
  const code = Number.parseInt(digits, 16);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : spelled;
  return /^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]$/u.test(character)
    ? character
    : spelled;
}

/** Only inside of words that have a Cyrillic letter: others are Latin. */
function toCyrillic(words: string): string {
  return words
    .split(" ")
    .map((word) =>
      /[а-яё]/u.test(word)
        ? word.replace(/[a-z]/gu, (letter) => TO_CYRILLIC.get(letter) ?? letter)
        : word,
    )
    .join(" ");
}

/** Pairs of a letter and the one it is taken for. */
const CYRILLIC_AND_LATIN = "аa еe оo рp сc хx уy кk мm тt нh вb іi ѕs јj һh ӏl ԁd ԛq ԝw ɡg ıi ոn";
const GREEK_AND_LATIN = "αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw";

const TO_LATIN: ReadonlyMap<string, string> = new Map(
  `${CYRILLIC_AND_LATIN} ${GREEK_AND_LATIN}`.split(" ").map(toPair),
);

const TO_CYRILLIC: ReadonlyMap<string, string> = new Map(
  CYRILLIC_AND_LATIN.split(" ")
    .slice(0, 12)
    .map((pair) => toPair(pair).toReversed())
    .map(([latin = "", cyrillic = ""]) => [latin, cyrillic]),
);

function toPair(pair: string): [string, string] {
  const [from = "", to = ""] = pair;
  return [from, to];
}
