/** Deeper quotes tell nobody anything, and cost the parser more the deeper they are. */
const DEEP_QUOTE = /^( {0,3}>[ \t]?){8}[> \t]+/;
/** The same of lists and quotes that begin in one line; but a line of marks alone is a rule. */
const DEEP_ITEM =
  /^(?!(?:[*-][ \t]*)+$)(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){8}[ \t]*\d{0,9}(?=[>+*.)-])/;
/** Where a link or a footnote is defined, which parsers take for something nobody reads. */
const DEFINITION = /^ {0,3}(?=\[[^\]]+\]:)/;

/** A name like `__init__`, which is no bold word; code and addresses are passed over. */
const NAME = /(`+).*?\1|https?:\S+|__(\w+?)__/g;

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

/** Tells of each line in turn whether it belongs to a fenced block of code, its fences included. */
function createFence(): (line: string) => boolean {
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
