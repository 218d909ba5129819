/** What a time of day is said with: it decides between the halves of the day. */
export type Part = "am" | "noon" | "pm" | "evening" | "night";

/** A piece of a schedule in words, the same for all languages. */
export type Token =
  | { readonly kind: "interval"; readonly every: number; readonly unit: "minute" | "hour" }
  /** 0 is Sunday. */
  | { readonly kind: "weekdays"; readonly days: readonly number[] }
  | { readonly kind: "daily" }
  | { readonly kind: "date"; readonly day: number | "L" }
  | { readonly kind: "month"; readonly month: number }
  | { readonly kind: "period"; readonly unit: "week" | "month" | "year" }
  | { readonly kind: "at"; readonly hour: number; readonly minute: number; readonly part?: Part }
  | { readonly kind: "part"; readonly part: Part }
  /** A time of day where the words around say so. */
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "preposition" }
  | { readonly kind: "to" }
  /** It is ambiguous, or cron cannot express it. */
  | { readonly kind: "refused"; readonly why: "seconds" | "vague" | "stride" };

/** A pattern at the place where the text is read, and what it means. */
export type Rule = readonly [
  pattern: RegExp,
  toTokens: (match: readonly string[]) => readonly Token[],
];

/** Cuts a text into tokens, the first rule that fits wins; or gives the words that no rule knows. */
export function tokenize(
  text: string,
  rules: readonly Rule[],
):
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly rest: string } {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const found = matchAt(text, at, rules);
    if (found === undefined)
      return { ok: false, rest: /^\P{P}\S*/u.exec(text.slice(at))?.[0] ?? text.slice(at) };
    tokens.push(...found.tokens);
    at += found.length;
  }
  return { ok: true, tokens };
}

function matchAt(text: string, at: number, rules: readonly Rule[]) {
  for (const [pattern, toTokens] of rules) {
    const sticky = new RegExp(pattern.source, "uy");
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match && match[0] !== "") return { tokens: toTokens(match), length: match[0].length };
  }
  return undefined;
}

/** A rule for a language with spaces between its words: it takes whole words. */
export function word(pattern: string, toTokens: Rule[1]): Rule {
  return [new RegExp(`(?:${pattern})(?![\\p{L}\\p{N}])`, "u"), toTokens];
}

/** A rule without meaning of its own. */
export function nothing(): readonly Token[] {
  return [];
}

/** Rules for words that always mean the same. */
export function words(table: Readonly<Record<string, Token>>): readonly Rule[] {
  return Object.entries(table).map(([pattern, token]) => word(pattern, () => [token]));
}
