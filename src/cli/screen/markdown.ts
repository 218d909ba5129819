import {
  alignTable,
  LINE,
  layOut,
  repairMarkdown,
  signOf,
  type TextCell,
  toBlock,
} from "../../channels/markdown.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import { wrapLine } from "./wrap.ts";

/** A terminal as far as a text has to know it. */
export interface Surface {
  /** In columns. */
  readonly width: number;
  /** Whether it shows bold and colours, and its reader wants them. */
  readonly color: boolean;
}

/** Marks in a line, the end of what stands before it: of text that is wrapped, of code that is not. */
const [HANG, CODE] = ["\ufdd2", "\ufdd3"];

/** A rule is no wider than this, however wide the window is. */
const RULE_WIDTH = 40;

/**
 * Markdown as models write it, for a terminal: wrapped by display width, code as it is, lists with
 * bullets, tables in columns or row by row, where a link leads behind its words. What could command a
 * terminal or is not seen is spelled out, also what an entity stands for. Without colours what is
 * bold or code keeps the marks that it was written with.
 */
export function renderMarkdown(markdown: string, surface: Surface): string {
  const source = repairMarkdown(clean(markdown.toWellFormed()));
  const options = { autolinks: { url: true }, hardSoftBreaks: true, noHtmlBlocks: true } as const;
  const blocks = Bun.markdown.render(source, createCallbacks(surface), options);
  const lines = layOut(blocks).split("\n");
  return toColors(lines.map((line) => fitLine(line, surface)).join("\n"));
}

function createCallbacks({ width, color }: Surface): Bun.markdown.RenderCallbacks {
  const rows: TextCell[][] = [];
  let row: TextCell[] = [];
  const mark = (style: Style, sign: string) => (text: string) =>
    color ? STYLES[style].open + text + STYLES[style].close : sign + text + sign;
  const [bold, italic, code] = [mark("bold", "**"), mark("italic", "*"), mark("code", "`")];
  const head = color ? bold : (text: string) => text;
  const addCell = (text: string, meta?: Bun.markdown.CellMeta) => {
    row.push({ text: withoutMarks(text), align: meta?.align ?? "left" });
    return "";
  };
  return {
    text: (text) => (/^<br ?\/?>$/i.test(text) ? LINE : clean(text)),
    paragraph: toBlock,
    heading: (text, { level }) => toBlock(color ? bold(text) : `${"#".repeat(level)} ${text}`),
    strong: bold,
    emphasis: italic,
    strikethrough: (text) => `~~${text}~~`,
    // A line break within is a blank, as CommonMark has it.
    codespan: (text) => code(clean(text).replaceAll("\n", " ")),
    code: (text) => toBlock(toCodeLines(clean(text))),
    blockquote: (text) => toBlock(prefixLines(layOut(text), ["│ ", "│ "])),
    list: (text, { depth }) => (depth === 0 ? toBlock(text) : LINE + text),
    listItem: renderItem,
    hr: () => toBlock(`${HANG}${"─".repeat(Math.min(RULE_WIDTH, width))}`),
    link: (words, { href }) => renderLink(words, clean(href)),
    image: (words, { src }) => renderLink(words, clean(src)),
    th: addCell,
    td: addCell,
    tr() {
      rows.push(row);
      row = [];
      return "";
    },
    table: () => toBlock(renderTable(rows.splice(0), width, head)),
  };
}

/** Text of others, in which nothing commands a terminal and nothing is one of our marks. */
function clean(text: string): string {
  return toPrintableText(text).replaceAll(/[\ufdd0-\ufdef]/g, toSpelled);
}

function toSpelled(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}

function withoutMarks(text: string): string {
  return layOut(text)
    .replaceAll("\n", " ")
    .replaceAll(/[\ufdd0-\ufdef]/g, "");
}

function toCodeLines(text: string): string {
  const lines = text.replace(/(?<!\n)\n+$/, "").split("\n");
  return lines.map((line) => `  ${CODE}${line}`).join("\n");
}

function renderItem(text: string, item: Bun.markdown.ListItemMeta): string {
  const sign = signOf(item);
  return LINE + prefixLines(layOut(text), [sign, " ".repeat(sign.length)]) + LINE;
}

/** Lines behind a sign, or behind blanks as wide; each knows where its own words begin. */
function prefixLines(text: string, [first, rest]: readonly [string, string]): string {
  const toLine = (line: string, index: number) =>
    (index === 0 ? first : rest) + (/[\ufdd2\ufdd3]/.test(line) ? line : HANG + line);
  return text.split("\n").map(toLine).join("\n");
}

/** Where a link leads is always to be seen. */
function renderLink(words: string, target: string): string {
  const said = withoutMarks(words);
  if (said === "" || said === target || `mailto:${said}` === target) return words || target;
  return `${words} (${target})`;
}

function renderTable(
  rows: readonly (readonly TextCell[])[],
  width: number,
  toHead: (text: string) => string,
): string {
  const [head = "", rule = "", ...lines] = alignTable(rows);
  if (Bun.stringWidth(rule) <= width) {
    return [toHead(head), rule, ...lines].map((line) => CODE + line).join("\n");
  }
  const [names = [], ...others] = rows;
  const listed = (others.length > 0 ? others : [names]).map(([first, ...cells]) => {
    const rest = cells.flatMap(({ text }, at) =>
      text === "" ? [] : [[names[at + 1]?.text, text].filter(Boolean).join(": ")],
    );
    return [toHead(first?.text ?? ""), ...rest].join("\n");
  });
  return listed.join("\n\n");
}

/** A line as wide as the terminal at most; code stays one line, so that it can be copied. */
function fitLine(line: string, { width }: Surface): string {
  const at = line.search(/[\ufdd2\ufdd3]/);
  if (at < 0) return wrapLine(toColors(line), width, ["", ""]);
  const [before, words] = [line.slice(0, at), line.slice(at + 1)];
  if (line[at] === CODE || words === "") return (before + words).trimEnd();
  return wrapLine(toColors(words), width, [before, before.replaceAll(/[^│ ]/gu, " ")]);
}

/** How a stretch of text looks. */
type Style = "bold" | "italic" | "code";

/** Where a stretch begins and ends, as characters that no text has: they can be nested and cut. */
const STYLES: Readonly<Record<Style, { readonly open: string; readonly close: string }>> = {
  bold: { open: "\ufde0", close: "\ufde1" },
  italic: { open: "\ufde2", close: "\ufde3" },
  code: { open: "\ufde4", close: "\ufde5" },
};

/** What a terminal is told, in the order of the marks above. */
const CODES = ["1", "22", "3", "23", "36", "39"];

/** The marks as a terminal reads them; what is bold within what is bold ends with the outer. */
function toColors(text: string): string {
  const depths = [0, 0, 0];
  return text.replaceAll(/[\ufde0-\ufde5]/g, (mark) => {
    const index = mark.charCodeAt(0) - FIRST_STYLE;
    const at = index >> 1;
    const isOpening = index % 2 === 0;
    const before = depths[at] ?? 0;
    const after = before + (isOpening ? 1 : -1);
    depths[at] = after;
    return (isOpening ? before : after) === 0 ? `\x1b[${CODES[index]}m` : "";
  });
}

const FIRST_STYLE = 0xfde0;
