const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text as Telegram's HTML shows it unchanged; half a surrogate pair, which it refuses, becomes `�`. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

/** What a reader sees of HTML that was made with {@link escapeHtml} and simple tags. */
export function toPlainText(html: string): string {
  return unescapeHtml(html.replace(/<[^>]*>/g, ""));
}

/** Turns {@link escapeHtml} back. */
export function unescapeHtml(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
