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
