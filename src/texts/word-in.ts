/** The word for `word`; one that the table does not know stays as it is. */
export function wordIn(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}
