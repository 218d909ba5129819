/** The words of a name as a model reads them, however they are put together. */
export function wordsOfName(name: string): string {
  return name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
