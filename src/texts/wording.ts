import type { EN } from "./en.ts";

/** What the interface says, in one language. */
export type Texts = Widened<typeof EN>;

/** The same shape with any words in it. */
export type Widened<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Widened<T[K]>;
};

/** The word for `word`; one that the table does not know stays as it is. */
export function wordIn(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}
