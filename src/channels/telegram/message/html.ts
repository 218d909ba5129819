import { holdsLink } from "../../../security/plain-links.ts";

/** Telegram leaves more looks of one message out. */
export const MAX_ENTITIES = 100;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text as Telegram's HTML shows it unchanged; half a surrogate pair, which it refuses, becomes `�`. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

/**
 * The same for a text that quotes what a model or a stranger wrote: Telegram makes links of
 * addresses wherever they stand, but not in code. `tag` is around the rest: code stands in none.
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
