import {
  alignTable,
  createFence,
  LINE,
  layOut,
  repairMarkdown,
  signOf,
  toBlock,
} from "../../markdown.ts";
import { escapeHtml, escapeUnlinked, readRuns, toPlainText, writeRuns } from "./rich-text.ts";

/** Around a raw tag, which is text in code, and where it is `<br>` a new line elsewhere. */
const [TAG, TAG_END] = ["\ufdd2", "\ufdd3"];

/** A longer quote is folded until somebody taps it. */
const MAX_QUOTE_LENGTH = 600;
const MAX_HREF_LENGTH = 1024;

/**
 * Markdown as models write it, as Telegram's HTML. What Telegram has no format for is put into words or
 * shown as it was written: headings are bold, tables aligned or listed, images links; HTML is text.
 */
export function toTelegramHtml(markdown: string): string {
  if (PLAIN.test(markdown)) return markdown;
  const text = markdown.toWellFormed().replace(/(?![\t\n])\p{Cc}|[\ufdd0-\ufddf]/gu, "");
  const html = Bun.markdown.render(repairMarkdown(text), createCallbacks(), {
    autolinks: { url: true, email: true },
    hardSoftBreaks: true,
    noHtmlBlocks: true,
  });
  return writeRuns(readRuns(toLines(html)));
}

/** One line of words alone: no sign of Markdown or HTML is among these, and no address. */
const PLAIN = /^\p{L}[\p{L}\p{N},!?]*(?:[.]? [\p{L}\p{N},!?]+)*[.]?$/u;

function createCallbacks(): Bun.markdown.RenderCallbacks {
  let rows: Cell[][] = [];
  let row: Cell[] = [];
  const addCell = (html: string, meta?: Bun.markdown.CellMeta) => {
    row.push({ html: toLines(html).replaceAll("\n", " "), align: meta?.align ?? "left" });
    return "";
  };
  return {
    text: (text) => (/^<[^]+>$/.test(text) ? toRawTag(text) : escapeHtml(text)),
    paragraph: toBlock,
    heading: (html) => toBlock(`<b>${html}</b>`),
    strong: (html) => `<b>${html}</b>`,
    emphasis: (html) => `<i>${html}</i>`,
    strikethrough: (html) => `<s>${html}</s>`,
    codespan: (html) => `<code>${toCode(html)}</code>`,
    code: (html, meta) => toBlock(renderCode(toCode(html), meta?.language)),
    blockquote: (html) => toBlock(renderQuote(toLines(html))),
    list: (html, { depth }) => (depth === 0 ? toBlock(html) : LINE + html),
    listItem: renderItem,
    hr: () => toBlock("──────────"),
    link: (html, { href }) => renderLink(html, href),
    image: (html, { src }) => renderLink(html === "" ? "" : `🖼 ${toCaption(html)}`, src),
    th: addCell,
    td: addCell,
    tr() {
      rows.push(row);
      row = [];
      return "";
    },
    table() {
      const table = renderTable(rows);
      rows = [];
      return toBlock(table);
    },
  };
}

function toRawTag(tag: string): string {
  return TAG + escapeUnlinked(tag) + TAG_END;
}

function toCode(html: string): string {
  return html.replaceAll(TAG, "").replaceAll(TAG_END, "");
}

function toLines(html: string): string {
  const marked = html.replace(/\ufdd2&lt;br ?\/?&gt;\ufdd3/gi, LINE).replace(/[\ufdd2\ufdd3]/g, "");
  return layOut(marked);
}

function renderCode(html: string, info = ""): string {
  const language = /^[\w+#.-]{1,40}/.exec(info)?.[0];
  const tag = language === undefined ? "<code>" : `<code class="language-${language}">`;
  const code = html.replace(/\n$/, "");
  // An empty block would leave a gap with nothing in it.
  return code === "" ? "" : `<pre>${tag}${code}</code></pre>`;
}

function renderQuote(html: string): string {
  const tag = html.length > MAX_QUOTE_LENGTH ? "<blockquote expandable>" : "<blockquote>";
  return `${tag}${html}</blockquote>`;
}

function renderItem(html: string, item: Bun.markdown.ListItemMeta): string {
  const text = html.replace(/^[\ufdd0\ufdd1]+|[\ufdd0\ufdd1]+$/g, "");
  return LINE + "   ".repeat(item.depth) + signOf(item) + text + LINE;
}

/** Where a link leads is always to be seen: behind its words, or next to them when it cannot be tapped. */
function renderLink(html: string, target: string): string {
  const href = toHref(target);
  const shown = escapeUnlinked(target);
  const words = html === "" ? shown : html;
  if (href !== undefined)
    return `<a href="${escapeHtml(href).replaceAll('"', "%22")}">${words}</a>`;
  return toPlainText(words).includes(target) ? words : `${words} (${shown})`;
}

/** The words of an image, of which a reader gets no markup, that of code neither. */
function toCaption(html: string): string {
  return escapeUnlinked(toPlainText(html));
}

/** Addresses that Telegram makes links of; those of this machine it drops without a word. */
function toHref(target: string): string | undefined {
  const url = URL.parse(/^[^\s:/@]+@[^\s/@]+$/.test(target) ? `mailto:${target}` : target);
  if (url === null || url.href.length > MAX_HREF_LENGTH) return undefined;
  switch (url.protocol) {
    case "http:":
    case "https:":
      return url.hostname.includes(".") ? url.href : undefined;
    case "mailto:":
    case "tg:":
      return url.href;
    default:
      return undefined;
  }
}

/** A link that is half there; its words are kept. With ticks in it, it may be code. */
const OPEN_LINK = /!?\[([^\][`]*)(?:\]\([^()\s`]*)?$/;
/** The head of a table, which looks like one from its first row on, or a row that may go on. */
const OPEN_ROW = /(?:^|\n)\|[^\n]*(?:\n[|: \n-]*)?$/;

/**
 * The beginning of Markdown, up to `length` characters: whole words, and what is open closed, so that
 * the cut opens nothing, neither a secret nor an address in code.
 */
export function cutMarkdown(markdown: string, length: number): string {
  return closeMarkdown(toWholeWords(markdown.slice(0, length)));
}

/** Text without the word at its end, which may go on. */
function toWholeWords(text: string): string {
  let end = text.length;
  while (end > 0 && /[!-~]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Closes what Markdown that has not come in whole leaves open, so that it looks as it will:
 * bold, struck out and inline code get their end, a link that is half there is its words, the
 * last row of a table waits for its end.
 */
export function closeMarkdown(markdown: string): string {
  const lines = markdown.trimEnd().split("\n");
  const code = lines.map(createFence());
  if (code.at(-1) === true) return markdown;
  const start = lines.findLastIndex((line, at) => code[at] === true || line.trim() === "") + 1;
  const rest = lines.slice(start).join("\n");
  const block = rest.replace(OPEN_ROW, "").replace(OPEN_LINK, "$1").trimEnd();
  return [...lines.slice(0, start), block + openMarks(block)].join("\n");
}

/**
 * The ends that are missing, those of the innermost first. Of ticks without an end the longest are
 * closed, for in those an address is shown as code.
 */
function openMarks(block: string): string {
  const marks = [...block.matchAll(/`+|\*\*|~~/g)].map(([mark]) => mark);
  let ticks = "";
  let outside: readonly string[] = [];
  const open: string[] = [];
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at] ?? "";
    if (mark.startsWith("`")) {
      const end = marks.indexOf(mark, at + 1);
      if (end > 0) at = end;
      else if (mark.length > ticks.length) [ticks, outside] = [mark, [...open]];
    } else if (open.at(-1) === mark) open.pop();
    else if (!open.includes(mark)) open.push(mark);
  }
  if (ticks === "") return open.toReversed().join("");
  return (block.endsWith("`") ? " " : "") + ticks + outside.toReversed().join("");
}

/** A cell of a table, as one line. */
interface Cell {
  readonly html: string;
  readonly align: "left" | "center" | "right";
}

/** What a phone shows of a line of code without breaking it. */
const MAX_COLUMNS = 40;

/** A table in columns when it is narrow enough for a phone, else row by row as a list; the first row is the head. */
function renderTable(rows: readonly (readonly Cell[])[]): string {
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
