import { holdsLink } from "../../../security/plain-links.ts";
/** A stretch of text that looks the same all along. */
export interface Run {
  /** As it is read. */
  readonly text: string;
  /** Opening tags, the outermost first, in an order and company that Telegram allows. */
  readonly tags: readonly string[];
}

interface OpenTag {
  readonly name: string;
  readonly tag: string;
}

/** The tags Telegram knows, in the order in which they are nested here. */
const RANKS = ["blockquote", "pre", "code", "a", "b", "i", "u", "s", "tg-spoiler"];

/**
 * Reads HTML made with `escapeHtml` and Telegram's tags, nested in any order. What may not be
 * nested is corrected: code has no other looks, and a link wins over code.
 */
export function readRuns(html: string): readonly Run[] {
  const runs: Run[] = [];
  const open: OpenTag[] = [];
  let tags: readonly string[] = [];
  for (const [token] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!token.startsWith("<")) {
      runs.push({ text: unescapeHtml(token), tags });
      continue;
    }
    if (token.startsWith("</")) open.pop();
    else open.push({ name: nameOf(token), tag: token });
    tags = toAllowed(open);
  }
  return runs;
}

/** The same text as code; a link stays one. */
export function toCodeRun({ text, tags }: Run): Run {
  const names = new Set(tags.map(nameOf));
  if (["a", "code", "pre"].some((name) => names.has(name))) return { text, tags };
  return { text, tags: [...tags.filter((tag) => nameOf(tag) === "blockquote"), "<code>"] };
}

/** The runs as HTML: every tag closed, none open longer than its text, none opened twice. */
export function writeRuns(runs: readonly Run[]): string {
  let html = "";
  let open: readonly string[] = [];
  for (const { text, tags } of runs) {
    const shared = countShared(open, tags);
    html += closing(open.slice(shared)) + tags.slice(shared).join("") + escapeHtml(text);
    open = tags;
  }
  return html + closing(open);
}

/** How many tags have to be opened after those of the run before. */
export function countOpened(before: Run | undefined, { tags }: Run): number {
  return tags.length - countShared(before?.tags ?? [], tags);
}

function toAllowed(open: readonly OpenTag[]): readonly string[] {
  if (open.length === 0) return [];
  const outermost = RANKS.map((name) => open.find((each) => each.name === name)?.tag);
  const [quote, pre, code, link, ...others] = outermost;
  if (pre !== undefined) return [quote, pre, code].filter((tag) => tag !== undefined);
  const isCode = code !== undefined && link === undefined;
  return [quote, ...(isCode ? [code] : [link, ...others])].filter((tag) => tag !== undefined);
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const differing = left.findIndex((tag, index) => tag !== right[index]);
  return differing < 0 ? left.length : differing;
}

function closing(tags: readonly string[]): string {
  return tags
    .map((tag) => `</${nameOf(tag)}>`)
    .toReversed()
    .join("");
}

function nameOf(tag: string): string {
  return /[a-z-]+/.exec(tag)?.[0] ?? "";
}

/** Telegram leaves more looks of one message out. */
export const MAX_ENTITIES = 100;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text as Telegram's HTML shows it unchanged; half a surrogate pair, which it refuses, becomes `�`. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

/**
 * The same for a text that quotes what a model or an unknown person wrote: Telegram makes links of
 * addresses wherever they occur, but not in code. `tag` is around the rest: code has none around it.
 */
export function escapeUnlinked(text: string, tag?: "i"): string {
  const [open, close] = tag === undefined ? ["", ""] : [`<${tag}>`, `</${tag}>`];
  const words = text.split(/(\s+)/u).map((word) => {
    const html = escapeHtml(word);
    return holdsLink(word) ? `${close}<code>${html}</code>${open}` : html;
  });
  return `${open}${words.join("")}${close}`.replaceAll(open + close, "");
}

/** Where a plain text has to be code, so that Telegram makes no links of it. */
export function toCodeEntities(
  text: string,
): { readonly type: "code"; offset: number; length: number }[] {
  const words = [...text.matchAll(/\S+/gu)].filter(([word]) => holdsLink(word));
  if (words.length > MAX_ENTITIES) return [{ type: "code", offset: 0, length: text.length }];
  return words.map(({ 0: word, index }) => ({ type: "code", offset: index, length: word.length }));
}

/** What a reader sees of HTML that was made with {@link escapeHtml} and simple tags. */
export function toPlainText(html: string): string {
  return unescapeHtml(html.replace(/<[^>]*>/g, ""));
}

/** Turns {@link escapeHtml} back. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
