import type { Texts } from "../../../texts/texts.ts";
import {
  cutMarkdown,
  escapeUnlinked,
  type Message,
  toParts,
  toTelegramHtml,
} from "../message/message.ts";

/** A longer answer is its first message and a file. */
export const MAX_PARTS = 4;
/** Markdown of more than so many messages, nearly whatever is in it; what is longer is not read on. */
export const MAX_LENGTH = 20_000;

/** An answer as the texts of its messages, and as a file when there would be too many. */
export function toAnswer(
  markdown: string,
  { wholeAnswer: caption }: Texts["answer"],
): { readonly parts: readonly string[]; readonly file?: Message } {
  const isWhole = markdown.length <= MAX_LENGTH;
  const start = isWhole ? markdown : cutMarkdown(markdown, MAX_LENGTH);
  const shown = toParts(toTelegramHtml(start));
  // Markup that holds nothing is all there is to say.
  const parts = shown.length > 0 ? shown : toParts(escapeUnlinked(start));
  if (parts.length <= MAX_PARTS && isWhole) return { parts };
  const file = { kind: "document", filename: "answer.md", content: markdown, caption } as const;
  return { parts: parts.slice(0, 1), file: { ...file, buttons: [] } };
}
