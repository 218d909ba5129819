/** A cell of a table: a text, or a figure; null: nothing is known. */
export type Cell = string | number | null;

/**
 * A table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe
 * before it, and is a text there.
 */
export function toCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = /^[\s\0]*[=+\-@]/u.test(cell) || /^[\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The same as JSON: a list of objects by the heads; of those that are alike each has its number. */
export function toJson(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const names = apart(head);
  const documents = rows.map((row) => {
    return Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));
  });
  return `${JSON.stringify(documents, null, 2)}\n`;
}

/** A routine may be called as the column of the days is, and a model as all others are. */
function apart(head: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return head.map((name) => {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name} (${number})`;
    taken.add(own);
    return own;
  });
}
