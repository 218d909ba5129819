/** Fewer letters begin by chance. */
const SHORTEST_BEGINNING = 3;

/**
 * The known name that a mistyped one was most likely intended to be, or undefined when none is near; never
 * the name itself. The one that begins so, where that is one alone, is nearer than any other.
 */
export function nearestKey(name: string, all: readonly string[]): string | undefined {
  const known = all.filter((each) => each !== name);
  const begun = known.filter((each) => each.startsWith(name.toLowerCase()));
  if (begun.length === 1 && name.length >= SHORTEST_BEGINNING) return begun[0];
  let nearest: string | undefined;
  let best = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= best) continue;
    const distance = editDistance(name.toLowerCase(), candidate);
    if (distance < best) [nearest, best] = [candidate, distance];
  }
  return nearest;
}

/** Levenshtein's distance, row by row. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
