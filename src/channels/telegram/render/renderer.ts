import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../../texts/texts.ts";
import { escapeHtml, escapeUnlinked, toTelegramHtml } from "../message/message.ts";

/** Masks secrets. */
export type Redact = (text: string) => string;

/** What events are written with; all of it masks secrets, and shows what would hide. */
export interface Renderer {
  readonly texts: Texts;
  readonly redact: Redact;
  /** Text as it goes into a file. */
  readonly clean: (text: string) => string;
  /** HTML that shows a text as it is. */
  readonly show: (text: string) => string;
  /** The same outside of code, without links. */
  readonly quote: (text: string, tag?: "i") => string;
  /** HTML of Markdown. */
  readonly write: (markdown: string) => string;
}

/** A renderer that writes in the language of `texts`. */
export function createRenderer(texts: Texts, redact: Redact): Renderer {
  const clean = (text: string) => toVisibleText(redact(text));
  return {
    texts,
    redact,
    clean,
    show: (text) => escapeHtml(clean(text)),
    quote: (text, tag) => escapeUnlinked(clean(text), tag),
    write: (markdown) => toTelegramHtml(clean(markdown)),
  };
}
