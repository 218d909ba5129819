/**
 * Markdown with nothing in it that a parser would swallow: definitions of links and footnotes
 * stay text, as models put their sources there, and names keep their underscores.
 */
export function repairMarkdown(markdown: string): string {
  const isCode = createFence();
  return markdown
    .split("\n")
    .map((line) => (isCode(line) ? line : repairLine(line)))
    .join("\n");
}

function repairLine(line: string): string {
  return line
    .replace(DEEP_QUOTE, "> > > > > > > > ")
    .replace(DEEP_ITEM, "$&\\")
    .replace(DEFINITION, "\\")
    .replace(NAME, (whole, _, name) => (name ? `\\_\\_${name}\\_\\_` : whole));
}

/** Deeper quotes tell nobody anything, and cost the parser more the deeper they are. */
const DEEP_QUOTE = /^( {0,3}>[ \t]?){8}[> \t]+/;
/** The same of lists and quotes that begin in one line; but a line of marks alone is a rule. */
const DEEP_ITEM =
  /^(?!(?:[*-][ \t]*)+$)(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){8}[ \t]*\d{0,9}(?=[>+*.)-])/;
/** Where a link or a footnote is defined, which parsers take for something nobody reads. */
const DEFINITION = /^ {0,3}(?=\[[^\]]+\]:)/;

/** A name like `__init__`, which is no bold word; code and addresses are passed over. */
const NAME = /(`+).*?\1|https?:\S+|__(\w+?)__/g;

/** Tells of each line in turn whether it belongs to a fenced block of code, its fences included. */
export function createFence(): (line: string) => boolean {
  let fence = "";
  return (line) => {
    const [, mark = "", info = ""] =
      /^\s*(?:[>*+-]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === "") {
      fence = mark.startsWith("`") && info.includes("`") ? "" : mark;
      return fence !== "";
    }
    if (mark.startsWith(fence) && info.trim() === "") fence = "";
    return true;
  };
}

/**
 * What stands between blocks of Markdown while they are rendered, characters that no text has: a new
 * line, an empty line. Many in a row are worth one of the larger.
 */
export const [LINE, GAP] = ["\ufdd0", "\ufdd1"] as const;

/** A block, apart from what stands before it and behind it. */
export function toBlock(text: string): string {
  return GAP + text + GAP;
}

/** Marks into lines; at the beginning and the end there is nothing to keep apart. */
export function layOut(text: string): string {
  return text
    .replace(/^[\ufdd0\ufdd1\n]+|[\ufdd0\ufdd1\n]+$/g, "")
    .replace(/[\ufdd0\ufdd1\n]*\ufdd1[\ufdd0\ufdd1\n]*/g, "\n\n")
    .replaceAll(/\ufdd0+/g, "\n");
}

/** What an item of a list begins with: its number, a box or a bullet. */
export function signOf({ ordered, start, index, checked }: Bun.markdown.ListItemMeta): string {
  const number = ordered ? `${(start ?? 1) + index}. ` : "• ";
  return checked === undefined ? number : checked ? "☑ " : "☐ ";
}

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
