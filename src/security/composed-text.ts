/** Words as a person separates them, without the signs at their ends. */
export function tokensIn(text: string): readonly string[] {
  return text
    .split(/\s+/u)
    .map((word) => word.replace(/^["'`([{<«„“]{1,4}|["'`)\]}>»“”.,;:!?…]{1,6}$/gu, ""))
    .filter((word) => word !== "");
}

/** The words of a text, and those that stand in it as the names and values of JSON. */
export function wholeWordsIn(text: string): ReadonlySet<string> {
  const values = text.replaceAll(/["{}[\],]|:(?!\/\/)/gu, " ");
  return new Set([...tokensIn(text), ...tokensIn(values)]);
}

/** Shorter ones occur in any text. */
const WORD = /[\p{L}\p{N}_]{5,}/gu;

/**
 * Whether words of `piece` occur in `composed`, in a spelling in which text is carried away: as
 * they are, percent-encoded, backwards, in base64 or in hex. It tells a person what leaves;
 * nothing is decided by it.
 */
export function sharesWords(composed: string, piece: string): boolean {
  const words = new Set(wordsOf(piece));
  return spellingsOf(composed).some((text) => wordsOf(text).some((word) => words.has(word)));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().replaceAll("https", "").match(WORD) ?? [];
}

function spellingsOf(text: string): readonly string[] {
  const plain = text.replace(/(?:%[0-9a-f]{2})+/giu, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
  const runs = plain.match(/[\w+-]{8,}/gu) ?? [];
  const hexes = plain.match(/(?:[0-9a-f]{2}){4,}/giu) ?? [];
  const decoded = [
    ...runs.map((run) => Buffer.from(run, "base64").toString("utf8")),
    ...hexes.map((hex) => Buffer.from(hex, "hex").toString("utf8")),
  ];
  const readable = [text, plain, ...decoded];
  return [...readable, ...readable.map(reversed)];
}

function reversed(text: string): string {
  return text.split("").toReversed().join("");
}
