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
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => widthOf(row[at]))),
  );
  const width = widths.reduce((sum, each) => sum + each + 2, -2);
  return width <= MAX_COLUMNS ? alignRows(rows, widths) : listRows(rows);
}

function alignRows(rows: readonly (readonly Cell[])[], widths: readonly number[]): string {
  const lines = rows.map((row) =>
    widths
      .map((width, at) => pad(row[at], width))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return `<pre>${escapeHtml(lines.toSpliced(1, 0, rule).join("\n"))}</pre>`;
}

/** Chinese characters and emoji are two columns wide. */
function pad(cell: Cell | undefined, width: number): string {
  const text = toPlainText(cell?.html ?? "");
  const gap = width - Bun.stringWidth(text);
  const before = cell?.align === "right" ? gap : cell?.align === "center" ? gap >> 1 : 0;
  return " ".repeat(before) + text + " ".repeat(gap - before);
}

function widthOf(cell: Cell | undefined): number {
  return Bun.stringWidth(toPlainText(cell?.html ?? ""));
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
