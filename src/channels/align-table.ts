/** A cell of a table, as one line of text. */
export interface TextCell {
  readonly text: string;
  readonly align: "left" | "center" | "right";
}

/**
 * A table in columns, with a rule below the first row, which is the head; the rule is as wide as the
 * table. Chinese characters and emoji are two columns wide.
 */
export function alignTable(rows: readonly (readonly TextCell[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => Bun.stringWidth(row[at]?.text ?? ""))),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, at) => pad(row[at], width))
      .join("  ")
      .trimEnd(),
  );
  return lines.toSpliced(1, 0, widths.map((width) => "─".repeat(width)).join("  "));
}

function pad({ text, align }: TextCell = { text: "", align: "left" }, width: number): string {
  const gap = width - Bun.stringWidth(text);
  const before = align === "right" ? gap : align === "center" ? gap >> 1 : 0;
  return " ".repeat(before) + text + " ".repeat(gap - before);
}
