import { alignTable } from "../../align-table.ts";
import { escapeHtml, toPlainText } from "./rich-text.ts";

/** A cell of a table, as one line. */
export interface Cell {
  readonly html: string;
  readonly align: "left" | "center" | "right";
}

/** What a phone shows of a line of code without breaking it. */
const MAX_COLUMNS = 40;

/** A table in columns when it is narrow enough for a phone, else row by row as a list; the first row is the head. */
export function renderTable(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) =>
    row.map(({ html, align }) => ({ text: toPlainText(html), align })),
  );
  const lines = alignTable(cells);
  const width = Bun.stringWidth(lines[1] ?? "");
  return width <= MAX_COLUMNS ? `<pre>${escapeHtml(lines.join("\n"))}</pre>` : listRows(rows);
}

function listRows([head = [], ...rows]: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return head.map(({ html }) => `<b>${html}</b>`).join(" · ");
  return rows.map((row) => listRow(row, head)).join("\n\n");
}

function listRow([first, ...cells]: readonly Cell[], [, ...head]: readonly Cell[]): string {
  const lines = cells.flatMap(({ html }, at) => {
    const name = head[at]?.html ?? "";
    if (html === "") return [];
    return [name === "" ? html : `${name}: ${html}`];
  });
  return [`<b>${first?.html ?? ""}</b>`, ...lines].join("\n");
}
