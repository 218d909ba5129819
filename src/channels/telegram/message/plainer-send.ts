import type { Texts } from "../../../texts/texts.ts";
import type { Keyboard } from "./keyboard.ts";
import { escapeHtml, toPlainText } from "./rich-text.ts";
import { MAX_TEXT_LENGTH, type Send } from "./send-call.ts";

type Words = Pick<Texts["telegram"], "noButtons" | "noTopic">;

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
export function withoutKeyboard(send: Send, { noButtons }: Words): Send | undefined {
  return rowsOf(send).length === 0 ? undefined : noting(withRows(send, []), noButtons);
}

/** The same outside of its topic, where no button of it counts; undefined: it is for none. */
export function withoutTopic(send: Send, { noTopic }: Words): Send | undefined {
  if (!("message_thread_id" in send.payload)) return undefined;
  return noting(outOfTopic(withRows(send, [])), noTopic);
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

/** With a note below, where there is room for it: nothing of what is said is cut for it. */
function noting(send: Send, note: string): Send {
  if (send.method !== "sendMessage") return send;
  const { payload } = send;
  const said = payload.parse_mode === undefined ? note : escapeHtml(note);
  const text = `${payload.text}\n\n${said}`;
  return text.length > MAX_TEXT_LENGTH
    ? send
    : { method: send.method, payload: { ...payload, text } };
}
