/** What stands at a place of a command line: one of some words, or a value named as in the usage. */
export interface Place {
  readonly words: readonly string[];
  /** `PLAN_ID`, `FILE` …; empty where only the words may stand. */
  readonly values: readonly string[];
}

const NOTHING: Place = { words: [], values: [] };

/**
 * What the usage of a command says of the argument number `given.length`, of those that are no
 * options: `config check|get [KEY]` of the second one after `get`.
 */
export function placeOf(usage: string, given: readonly string[]): Place {
  const forms = formsOf(usage);
  const [first] = given;
  if (first === undefined) return forms.map(([word = ""]) => toPlace(word)).reduce(join, NOTHING);
  const verb = forms.filter(([word]) => word === first);
  const own = verb.length > 0 ? verb : forms.filter(([word = ""]) => isValue(word));
  return own.map((form) => toPlace(form[given.length] ?? "")).reduce(join, NOTHING);
}

/** The words that may follow an option, where the usage lists them: `--mode plan|apply`. */
export function choicesOf(usage: string, option: string): readonly string[] {
  const [, words = ""] = new RegExp(`${option} \\[?([\\w|]+)`, "u").exec(usage) ?? [];
  return words.includes("|") && !/[A-Z]/u.test(words) ? words.split("|") : [];
}

/** The arguments of each form of a command, options left out. */
function formsOf(usage: string): readonly (readonly string[])[] {
  const [, ...rest] = usage.split(" ");
  const text = rest
    .join(" ")
    .replaceAll(/\[(?:[^[\]]|\[[^\]]*\])*--?\w(?:[^[\]]|\[[^\]]*\])*\]…?/gu, "") // [--last N]
    .replaceAll(/ \| \w+ --.*$/gu, "");
  return text
    .split(/\|(?!\d)/u)
    .map((form) => form.trim().split(/ +/u).filter(Boolean))
    .filter(([word = ""]) => word !== "" && !word.startsWith("-"));
}

function isValue(word: string): boolean {
  return /^\[?[A-Z_]+\]?$/u.test(word);
}

function toPlace(word: string): Place {
  if (word === "") return NOTHING;
  if (isValue(word)) return { words: [], values: [word.replaceAll(/[[\]]/gu, "")] };
  return { words: [word.replaceAll(/[[\]]/gu, "")], values: [] };
}

function join(one: Place, other: Place): Place {
  return { words: [...one.words, ...other.words], values: [...one.values, ...other.values] };
}
