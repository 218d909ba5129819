import type { EN } from "./en.ts";
import type { Widened } from "./widened.ts";

/** What the interface says, in one language. */
export type Texts = Widened<typeof EN>;

/** The word for `word`; one that the table does not know stays as it is. */
export function wordIn(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}
