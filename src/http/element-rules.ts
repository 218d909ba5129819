import type { TextWriter } from "./text-writer.ts";

/** What the rules of one page write to and remember. */
export interface PageState {
  readonly writer: TextWriter;
  /** What links are relative to. */
  baseUrl: string | undefined;
  /** The row that cells belong to. */
  row: { start: number; cells: number } | undefined;
  /** The lists around, innermost last; the number of the next item, or 0 without numbers. */
  readonly lists: { next: number }[];
}

/** An opened element; what it returns is done when the element ends. */
export type ElementRule = (
  page: PageState,
  attributes: Readonly<Record<string, string>>,
) => (() => void) | undefined;

const MAX_TARGET_LENGTH = 500;
const MAX_ALT_LENGTH = 300;

/** How each element lies in the text; what has no rule runs on in its line. */
export const ELEMENT_RULES: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ...forEach("p dl figure fieldset table blockquote hr", asParagraph),
  ...forEach("main article section nav aside header footer div address form center", asLine),
  ...forEach("dt dd details summary figcaption caption legend dialog", asLine),
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, toHeading(level)] as const),
  ...forEach("ul menu", toList(false)),
  ["ol", toList(true)],
  ["li", openItem],
  ["tr", openRow],
  ...forEach("td th", openCell),
  ...forEach("pre listing xmp", openCode),
  ["a", openLink],
  ["img", writeImage],
  ["br", writeBreak],
  ["base", setBase],
]);

function forEach(names: string, rule: ElementRule): readonly (readonly [string, ElementRule])[] {
  return names.split(" ").map((name) => [name, rule] as const);
}

function asParagraph({ writer }: PageState): () => void {
  writer.paragraph();
  return writer.paragraph;
}

function asLine({ writer }: PageState): () => void {
  writer.line();
  return writer.line;
}

function toHeading(level: number): ElementRule {
  return ({ writer }) => {
    writer.paragraph();
    writer.mark(`${"#".repeat(level)} `);
    return () => {
      writer.endMarked();
      writer.paragraph();
    };
  };
}

/** A list inside a list is a part of its item and keeps close to it. */
function toList(isNumbered: boolean): ElementRule {
  return ({ writer, lists }) => {
    const breakLine = lists.length === 0 ? writer.paragraph : writer.line;
    breakLine();
    writer.indent(1);
    lists.push({ next: isNumbered ? 1 : 0 });
    return () => {
      lists.pop();
      writer.indent(-1);
      breakLine();
    };
  };
}

function openItem({ writer, lists }: PageState): () => void {
  const list = lists.at(-1);
  writer.line();
  writer.mark(list === undefined || list.next === 0 ? "- " : `${list.next++}. `);
  return writer.endMarked;
}

function openRow(page: PageState): () => void {
  const outer = page.row;
  page.writer.line();
  page.row = { start: page.writer.position(), cells: 0 };
  return () => {
    page.row = outer;
    page.writer.endRow();
  };
}

function openCell({ writer, row }: PageState): undefined {
  if (row === undefined) {
    writer.line();
    return;
  }
  writer.startCell(row.cells === 0, row.start);
  row.cells += 1;
}

function openCode({ writer }: PageState): () => void {
  writer.startCode();
  return writer.endCode;
}

function openLink(
  { writer, baseUrl }: PageState,
  { href = "" }: Readonly<Record<string, string>>,
): (() => void) | undefined {
  const target = toTarget(href.trim(), baseUrl);
  if (target === undefined) return undefined;
  const start = writer.position();
  return () => {
    const isBare = writer.position() === start || writer.isOnlySince(start, target);
    if (!isBare) writer.annotate(` (${target})`);
  };
}

/** Undefined for what leads nowhere: places in the page, scripts, inlined files. */
function toTarget(href: string, baseUrl: string | undefined): string | undefined {
  if (href === "" || href.startsWith("#") || href.length > MAX_TARGET_LENGTH) return undefined;
  if (/^(?:javascript|data|blob):/iu.test(href)) return undefined;
  return baseUrl === undefined ? href : (URL.parse(href, baseUrl)?.href ?? href);
}

function writeImage(
  { writer }: PageState,
  { alt = "" }: Readonly<Record<string, string>>,
): undefined {
  if (alt.trim() !== "") writer.text(`[${alt.trim().slice(0, MAX_ALT_LENGTH)}]`);
}

function writeBreak({ writer }: PageState): undefined {
  writer.lineBreak();
}

function setBase(page: PageState, { href = "" }: Readonly<Record<string, string>>): undefined {
  page.baseUrl = URL.parse(href, page.baseUrl)?.href ?? page.baseUrl;
}
