type Words = ReadonlySet<string>;

// Sets can do this themselves where papa-yu runs; where its library runs, Node 20 among it, not yet.

/** Whether there is a word that both have. */
export function haveCommon(words: Words, others: Words): boolean {
  for (const word of words) if (others.has(word)) return true;
  return false;
}

/** Whether the others have all of them. */
export function isWithin(words: Words, others: Words): boolean {
  for (const word of words) if (!others.has(word)) return false;
  return true;
}
