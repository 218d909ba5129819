import { shorten } from "../../core/cut-text.ts";
import type { Texts } from "../../texts/texts.ts";
import {
  below,
  escapeHtml,
  escapeUnlinked,
  MAX_TEXT_LENGTH,
  type Send,
  toParts,
} from "./message/message.ts";

/** More messages bury a chat, and nobody reads them there. */
const MAX_MESSAGES = 10;
/** What may fit into so many, and is looked at. */
const MAX_CHARS = MAX_MESSAGES * 4096;

type SendText = Extract<Send, { readonly method: "sendDocument" }>["payload"];

/** A text that Telegram takes as no file, as messages. */
interface TextParts {
  /** HTML of each. */
  readonly parts: readonly string[];
  /** False: it is too long, and the last message says so. */
  readonly isWhole: boolean;
}

/**
 * The messages of a text: all of it and what is said of it, or as much as fits, and below it where
 * the rest is read. A note that comes later leaves all but the last as they are.
 */
export function toTextParts(
  { filename, content, caption, after }: SendText,
  words: Pick<Texts["telegram"], "notAsFile" | "notWhole">,
): TextParts {
  const head = escapeUnlinked(`${caption}: ${words.notAsFile(filename)}`);
  const text = escapeHtml(shorten(content, MAX_CHARS));
  const parts = toParts(`${head}\n\n<pre>${text}</pre>`);
  const isWhole = content.length <= MAX_CHARS && parts.length <= MAX_MESSAGES;
  if (isWhole) return { parts: after === undefined ? parts : withNote(parts, after), isWhole };
  return { parts: [...parts.slice(0, MAX_MESSAGES - 1), escapeHtml(words.notWhole)], isWhole };
}

function withNote(parts: readonly string[], note: string): readonly string[] {
  const said = escapeHtml(note);
  const last = below(parts.at(-1) ?? "", said, MAX_TEXT_LENGTH);
  return last === undefined ? [...parts, said] : [...parts.slice(0, -1), last];
}

/** What is not to be pressed unseen. */
const YES = /^(?:approve|use_research):/u;

/** The buttons below: nobody says yes to what they cannot read. */
export function withoutYes(buttons: SendText["reply_markup"]): SendText["reply_markup"] {
  const rows = buttons?.inline_keyboard.map((row) => {
    return row.filter((key) => !("callback_data" in key && YES.test(key.callback_data)));
  });
  const kept = (rows ?? []).filter((row) => row.length > 0);
  return kept.length > 0 ? { inline_keyboard: kept } : undefined;
}
