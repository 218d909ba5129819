/** Deeper than any schema of the protocol goes; bounds the recursion on hostile input. */
const MOST_DEPTH = 6;

/** A copy without the properties that are null, down to the depth that schemas look at. */
export function dropNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, dropNulls(item, depth + 1)]));
}
