import { shorten } from "../../core/cut-text.ts";
import { isContactAddress } from "./contact-address.ts";
import type { ContentWeight } from "./content-weight.ts";
import type { LinkBase } from "./link-base.ts";
import type { Seen } from "./seen.ts";
import type { TextBuffer } from "./text-buffer.ts";
import type { TextWriter } from "./text-writer.ts";

/** What the rules of one page write to and remember. */
export interface PageState {
  readonly writer: TextWriter;
  readonly position: TextBuffer["position"];
  /** Notes that the last piece is where a link leads, or that such a piece is not there. */
  readonly addresses: Pick<ContentWeight, "wroteAddress" | "withheldAddress">;
  readonly base: LinkBase;
  /** What images were called so far, and where links led. */
  readonly seen: Seen;
  /** The link that is open. */
  link: OpenLink | undefined;
  /** What waits for the end of the code that its links are in: a signature stays whole. */
  codeLinks: (() => void)[] | undefined;
  /** The row that cells belong to. */
  row: { readonly start: number; isEmpty: boolean } | undefined;
  /** The lists around, innermost last; the number of the next item, or 0 without numbers. */
  readonly lists: { next: number }[];
}

/** A link that has not ended. */
interface OpenLink {
  /** What was written inside it, and no more of it than matters. */
  text: string;
  /** What the first picture in it is called; its name where it has no words. */
  alt: string;
}

/** An opened element; what it returns is done when the element ends. */
export type ElementRule = (page: PageState, attributes: Attributes) => (() => void) | undefined;

type Attributes = Readonly<Record<string, string>>;

/** A longer target costs more than the sentence around it, and is mostly there to count visitors. */
const MAX_TARGET_LENGTH = 120;
/** A file or a mailbox is what is looked for. */
const MAX_CONTACT_LENGTH = 500;
const MAX_ADDRESS_LENGTH = 2048;
const MAX_ALT_LENGTH = 120;
/** More than any signature has; code that nobody closed has its addresses where they come. */
const MAX_CODE_LINKS = 50;

/** How each element is laid out in the text; what has no rule runs on in its line. */
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
  ...forEach("code samp kbd tt var", openInlineCode),
  ["img", writeImage],
  ["br", writeBreak],
  ["select", openSelect],
  ["datalist", openSelect],
  ["optgroup", openOptionGroup],
  ["option", openOption],
  ["input", writeInput],
  ["textarea", writePlaceholder],
  ["frame", writeFrame],
  ["base", setBase],
  ["link", setCanonical],
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
  page.row = { start: page.position(), isEmpty: true };
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
  writer.startCell(row.isEmpty, row.start);
  row.isEmpty = false;
}

function openCode({ writer }: PageState): () => void {
  writer.startCode();
  return writer.endCode;
}

function openLink(page: PageState, { href = "" }: Attributes): (() => void) | undefined {
  const target = page.base.toTarget(href.trim());
  if (target === undefined) return undefined;
  const outer = page.link;
  const link: OpenLink = { text: "", alt: "" };
  page.link = link;
  return () => {
    const words = link.text.trim();
    const text = words === "" ? writeAlt(page, link.alt) : words;
    page.link = outer;
    const isBare = text === "" || [target, href.trim(), withoutScheme(target)].includes(text);
    if (isBare || !page.seen.isNew(target)) return;
    const write = () => writeAddress(page, text, target);
    const isHeld = page.codeLinks !== undefined && page.codeLinks.length < MAX_CODE_LINKS;
    if (isHeld) page.codeLinks?.push(write);
    else write();
  };
}

/** In code with links in it the addresses stand behind it. */
function openInlineCode(page: PageState): (() => void) | undefined {
  if (page.codeLinks !== undefined) return undefined;
  page.codeLinks = [];
  return () => {
    const links = page.codeLinks ?? [];
    page.codeLinks = undefined;
    for (const write of links) write();
  };
}

function writeAddress({ writer, addresses }: PageState, text: string, target: string): void {
  const isContact = isContactAddress(target);
  if (target.length > (isContact ? MAX_CONTACT_LENGTH : MAX_TARGET_LENGTH))
    addresses.withheldAddress(`${text} (${shorten(target, MAX_ADDRESS_LENGTH)})`);
  else if (writer.annotate(` (${target})`) && !isContact) addresses.wroteAddress(text, target);
}

/** What people write of `mailto:a@b.example` and `tel:+1-23`. */
function withoutScheme(target: string): string {
  return target.replace(/^(?:mailto|tel):/iu, "");
}

/** The options of a choice, in a line, apart like cells. */
function openSelect(page: PageState): () => void {
  const outer = page.row;
  page.writer.text(" ");
  page.row = { start: page.position(), isEmpty: true };
  return () => {
    page.row = outer;
    page.writer.endRow();
  };
}

function openOptionGroup(page: PageState, { label = "" }: Attributes): undefined {
  if (label.trim() === "") return;
  openCell(page);
  page.writer.text(`${shorten(label.trim(), MAX_ALT_LENGTH)}: `);
  // Its first option stands behind it, not apart.
  if (page.row !== undefined) page.row.isEmpty = true;
}

function openOption(page: PageState, { label = "", selected }: Attributes): () => void {
  openCell(page);
  const at = page.position();
  return () => {
    if (page.position() === at) page.writer.text(shorten(label.trim(), MAX_ALT_LENGTH));
    if (selected !== undefined && page.position() > at) page.writer.annotate(" (selected)");
  };
}

/** Fields that show no text of their own: they are hidden, chosen, or drawn. */
const WORDLESS_FIELDS: ReadonlySet<string> = new Set(
  "hidden checkbox radio range color file password image".split(" "),
);

/** What a button says or a field holds; of an empty field what it asks for, as a picture is named. */
function writeInput(page: PageState, attributes: Attributes): undefined {
  const { type = "", value = "", alt = "" } = attributes;
  const kind = type.toLowerCase();
  const text = kind === "image" ? alt : WORDLESS_FIELDS.has(kind) ? "" : value;
  if (text.trim() === "") return kind === "hidden" ? undefined : writePlaceholder(page, attributes);
  writeApart(page, text);
}

function writePlaceholder(page: PageState, { placeholder = "" }: Attributes): undefined {
  if (placeholder.trim() !== "") writeApart(page, `[${placeholder.trim()}]`);
}

function writeApart({ writer }: PageState, text: string): void {
  writer.text(` ${shorten(text.replace(/\s+/gu, " ").trim(), MAX_ALT_LENGTH)} `);
}

/** The parts of a page that is nothing but frames. */
function writeFrame({ writer, base }: PageState, { src = "" }: Attributes): undefined {
  const target = base.toTarget(src.trim());
  writer.line();
  if (target !== undefined) writer.text(`[frame] (${shorten(target, MAX_ADDRESS_LENGTH)})`);
  writer.line();
}

function writeImage(page: PageState, { alt = "" }: Attributes): undefined {
  const text = shorten(alt.replace(/\s+/gu, " ").trim(), MAX_ALT_LENGTH);
  if (page.link === undefined) writeAlt(page, text);
  else page.link.alt ||= text;
}

/** What a picture is called, once; the result is what was written. */
function writeAlt({ writer, seen }: PageState, alt: string): string {
  const text = `[${alt}]`;
  if (alt === "" || !seen.isNew(text)) return alt;
  writer.text(text);
  return alt;
}

function writeBreak({ writer }: PageState): undefined {
  writer.lineBreak();
}

function setBase({ base }: PageState, { href = "" }: Attributes): undefined {
  base.set(href);
}

function setCanonical(page: PageState, { rel = "", href = "" }: Attributes): undefined {
  // Only where pages declare it: what links are short for is said before the first text.
  if (rel.toLowerCase() === "canonical" && page.position() === 0) page.base.setOrigin(href);
}
