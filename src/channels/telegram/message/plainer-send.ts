import type { Texts } from "../../../texts/texts.ts";
import type { Keyboard } from "./keyboard.ts";
import { escapeHtml, toPlainText } from "./rich-text.ts";
import { MAX_CAPTION_LENGTH, MAX_TEXT_LENGTH, type Send } from "./send-call.ts";

/** What is said of a message that comes without a part of it. */
export interface Notes {
  readonly noButtons: string;
  readonly noTopic: string;
}

/** Only a plan or a question is answered by words: what other buttons do has another way. */
export function notesOf({ asks }: { readonly asks: boolean }, words: Texts["telegram"]): Notes {
  if (asks) return words;
  return { noButtons: words.noButtonsElse, noTopic: words.noTopicElse };
}

/** The same text without markup, for when Telegram cannot read ours; undefined: it has none. */
export function withoutMarkup(send: Send): Send | undefined {
  if (send.method !== "sendMessage" || send.payload.parse_mode === undefined) return undefined;
  const { parse_mode: _, ...payload } = send.payload;
  return { method: "sendMessage", payload: { ...payload, text: toPlainText(payload.text) } };
}

/** The same without buttons for pages; undefined: it has none. */
export function withoutPages(send: Send): Send | undefined {
  const rows = rowsOf(send);
  const kept = rows.filter((row) => !row.some((key) => "web_app" in key));
  return kept.length === rows.length ? undefined : withRows(send, kept);
}

/** The same without buttons, which says so; undefined: it has none. */
export function withoutKeyboard(send: Send, { noButtons }: Notes): Send | undefined {
  return rowsOf(send).length === 0 ? undefined : noting(withRows(send, []), noButtons);
}

/** The same outside of its topic, where no button of it counts; undefined: it is for none. */
export function withoutTopic(send: Send, { noTopic }: Notes): Send | undefined {
  if (!("message_thread_id" in send.payload)) return undefined;
  const isSettled = rowsOf(send).length > 0 || send.method === "sendDocument";
  return noting(outOfTopic(withRows(send, [])), noTopic, isSettled);
}

function outOfTopic(send: Send): Send {
  switch (send.method) {
    case "sendMessage": {
      const { message_thread_id: _, ...payload } = send.payload;
      return { method: send.method, payload };
    }
    case "sendDocument": {
      const { message_thread_id: _, ...payload } = send.payload;
      return { method: send.method, payload };
    }
    case "sendFile": {
      const { message_thread_id: _, ...payload } = send.payload;
      return { method: send.method, payload };
    }
    case "editMessageReplyMarkup":
    case "deleteMessage":
      return send;
    default:
      return send satisfies never;
  }
}

function rowsOf(send: Send): Keyboard["inline_keyboard"] {
  return "reply_markup" in send.payload ? (send.payload.reply_markup?.inline_keyboard ?? []) : [];
}

function withRows(send: Send, rows: Keyboard["inline_keyboard"]): Send {
  const keyboard = rows.length > 0 ? { reply_markup: { inline_keyboard: rows } } : {};
  if (send.method === "sendMessage") {
    const { reply_markup: _, ...bare } = send.payload;
    return { method: send.method, payload: { ...bare, ...keyboard } };
  }
  if (send.method !== "sendDocument") return send;
  const { reply_markup: _, ...bare } = send.payload;
  return { method: send.method, payload: { ...bare, ...keyboard } };
}

/**
 * With a note below; nothing of what is said is cut for it. Where there is no room it comes behind,
 * but for a message that may still grow: that stays one.
 */
function noting(send: Send, note: string, isSettled = true): Send {
  switch (send.method) {
    case "sendMessage": {
      const { payload } = send;
      const said = payload.parse_mode === undefined ? note : escapeHtml(note);
      const text = below(payload.text, said, MAX_TEXT_LENGTH);
      if (text === undefined) {
        return isSettled ? { method: send.method, payload: after(payload, note) } : send;
      }
      return { method: send.method, payload: { ...payload, text } };
    }
    case "sendDocument":
      return { method: send.method, payload: after(send.payload, note) };
    case "sendFile": {
      const caption = below(send.payload.caption, note, MAX_CAPTION_LENGTH);
      return { method: send.method, payload: { ...send.payload, ...(caption && { caption }) } };
    }
    case "editMessageReplyMarkup":
    case "deleteMessage":
      return send;
    default:
      return send satisfies never;
  }
}

function after<Payload extends { readonly after?: string }>(payload: Payload, note: string) {
  return { ...payload, after: [payload.after, note].filter(Boolean).join("\n\n") };
}

/** Both, one below the other; undefined: there is no room. */
export function below(text: string, note: string, limit: number): string | undefined {
  const both = text === "" ? note : `${text}\n\n${note}`;
  return both.length > limit ? undefined : both;
}
