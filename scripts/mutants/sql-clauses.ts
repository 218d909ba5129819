/** A clause of a statement of SQL, and what replaces it when it restricts nothing any more. */
export interface SqlClause {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const STATEMENT = /^["'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
const BEGIN =
  /\b(?:FROM|WHERE|AND|OR|AS|WHEN|THEN|ELSE|END|ORDER BY|GROUP BY|LIMIT|ON CONFLICT|RETURNING|UNION|SET)\b/g;

/** The clauses of a quoted text that can go and leave a statement that runs. */
export function findSqlClauses(quoted: string): SqlClause[] {
  if (!STATEMENT.test(quoted)) return [];
  return [...quoted.matchAll(BEGIN)].flatMap((match) => {
    const end = findEnd(quoted, match.index + match[0].length);
    const body = quoted.slice(match.index + match[0].length, end);
    const text = without(match[0], body, quoted.slice(0, match.index));
    return text === undefined ? [] : [{ start: match.index, end, text }];
  });
}

/** The text instead of a clause: a parameter of it stays, for the ones after it count on it. */
function without(word: string, body: string, before: string): string | undefined {
  // What is put together at run time may begin or end a clause: nothing is known of it.
  if (body.includes("${")) return undefined;
  const parameters = body.match(/\?\d*|\$\w+/g) ?? [];
  const isRange = word === "AND" && /\bBETWEEN\s+\S+\s+$/.test(before);
  if (isRange) return undefined;
  switch (word) {
    case "WHERE":
    case "AND":
      return `${word} ${parameters.length === 0 ? "true" : `coalesce(${parameters.join(", ")}, 1) IS NOT NULL`} `;
    case "LIMIT":
      return parameters.length === 0 ? "" : `LIMIT ${parameters[0]} + 1000 `;
    case "ON CONFLICT":
      return body.includes("DO NOTHING") ? "" : undefined;
    case "ORDER BY":
      return parameters.length === 0 ? "" : undefined;
    default:
      return undefined;
  }
}

/** Where the clause ends that begins here: at the next of its depth, or with what encloses it. */
function findEnd(text: string, from: number): number {
  const starts = new Set([...text.matchAll(BEGIN)].map(({ index }) => index));
  let depth = 0;
  for (let at = from; at < text.length - 1; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth < 0) return at;
    if (depth === 0 && starts.has(at) && !isRangeEnd(text.slice(from, at))) return at;
  }
  return text.length - 1;
}

function isRangeEnd(body: string): boolean {
  return /\bBETWEEN\b/.test(body) && !/\bAND\b/.test(body);
}
