/** Runs of scripts that put no blanks between words, and words of all others. */
const RUN =
  /(?<dense>[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{N}]]+)|[\p{L}\p{N}]+/gv;
/** Of these a Russian ending may be cut off. */
const LONG_CYRILLIC = /^\p{Script=Cyrillic}{6,}$/u;
const MOST_QUERY_WORDS = 32;

/** A text as the words it is found by: folded, and dense scripts as single and double signs. */
export function toWords(text: string): string {
  return cutRuns(text)
    .flatMap(({ run, isDense }) => (isDense ? signsOf(run).concat(pairsOf(run)) : [run]))
    .join(" ");
}

/**
 * An FTS5 query for texts with any of the words, also where more letters follow; undefined when
 * there is no word in it. Nothing in the text is an operator.
 */
export function toQuery(text: string): string | undefined {
  const terms = cutRuns(text).flatMap(({ run, isDense }) => {
    if (!isDense) return [`"${stem(run)}"*`];
    const pairs = pairsOf(run);
    return (pairs.length === 0 ? [run] : pairs).map((word) => `"${word}"`);
  });
  return terms.length === 0
    ? undefined
    : [...new Set(terms)].slice(0, MOST_QUERY_WORDS).join(" OR ");
}

interface Run {
  readonly run: string;
  readonly isDense: boolean;
}

function cutRuns(text: string): readonly Run[] {
  return [...fold(text).matchAll(RUN)].map(({ 0: run, groups }) => {
    return { run, isDense: groups?.["dense"] !== undefined };
  });
}

/** One spelling for wide and narrow, upper and lower case, with and without accents. */
function fold(text: string): string {
  return text.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "").normalize("NFC");
}

function pairsOf(run: string): readonly string[] {
  const signs = signsOf(run);
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}

function signsOf(run: string): readonly string[] {
  return Array.from(run);
}

function stem(word: string): string {
  return LONG_CYRILLIC.test(word) ? word.slice(0, -2) : word;
}
