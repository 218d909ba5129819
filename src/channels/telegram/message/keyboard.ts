import { toPrintableText } from "../../../core/visible-text.ts";
import type { OutboxRow } from "../../../store/chats/chats.ts";
import type { WebPage } from "../../channel.ts";
import type { Button } from "../../event-buttons.ts";
import { type Press, toPressAct } from "../../press.ts";

/** More buttons side by side have labels that nobody can read on a phone. */
const MAX_IN_ROW = 3;

/** Buttons side by side. */
export function toKeyboard(buttons: readonly Button[], columns = MAX_IN_ROW): Keyboard {
  const keys = buttons.map(({ label, press }) => ({
    text: toPrintableText(label),
    callback_data: toButtonData(press),
  }));
  const rows = Math.ceil(keys.length / columns);
  const toRow = (_: unknown, row: number) => keys.slice(row * columns, (row + 1) * columns);
  return { inline_keyboard: Array.from({ length: rows }, toRow) };
}

/** Buttons as the Bot API takes them. */
export interface Keyboard {
  readonly inline_keyboard: Key[][];
}

/** What it does when it is pressed, or what Telegram opens then. */
type Key =
  | { readonly text: string; readonly callback_data: string }
  | { readonly text: string; readonly web_app: { readonly url: string } };

/** Which try of which row of the outbox brought a message; more than one may have arrived. */
export type Copy = Pick<OutboxRow, "id" | "createdAt" | "tries">;

/** What Telegram carries with a button. */
const MAX_BYTES = 64;
/** Three numbers to the base of 36: row, when it was written, try. */
const COPY = /~([0-9a-z]{1,9})\.([0-9a-z]{1,9})\.([0-9a-z]{1,6})$/;

/** What is stored with a button until it is sent: `act:ref`. */
function toButtonData({ act, ref }: Press): string {
  return `${act}:${ref}`;
}

/** Whether a press can travel with a button. */
export function fitsButton(press: Press): boolean {
  return Buffer.byteLength(toButtonData(press)) <= MAX_BYTES;
}

/**
 * The same buttons, which say the copy they are on: `act:ref~row.written.try`. A reference that
 * leaves no room for that stays as it is; a press on it is always taken.
 */
export function stampButtons(keyboard: Keyboard, { id, createdAt, tries }: Copy): Keyboard {
  const copy = [id, createdAt, tries].map((number) => number.toString(36)).join(".");
  const rows = keyboard.inline_keyboard.map((row) =>
    row.map((button) => {
      if (!("callback_data" in button)) return button;
      const callback_data = `${button.callback_data}~${copy}`;
      return Buffer.byteLength(callback_data) <= MAX_BYTES ? { ...button, callback_data } : button;
    }),
  );
  return { inline_keyboard: rows };
}

/** What was pressed, and on which copy; buttons of earlier versions name none. */
export function parseButtonData(
  data: string,
): { readonly press: Press; readonly copy?: Copy } | undefined {
  const stamp = COPY.exec(data);
  const text = stamp ? data.slice(0, stamp.index) : data;
  const colon = text.indexOf(":");
  const act = toPressAct(text.slice(0, colon));
  const ref = text.slice(colon + 1);
  if (act === undefined || ref === "") return undefined;
  if (!stamp) return { press: { act, ref } };
  const [id = 0, createdAt = 0, tries = 0] = stamp.slice(1).map((n) => Number.parseInt(n, 36));
  return { press: { act, ref }, copy: { id, createdAt, tries } };
}

/** A button that opens a page. */
export function toPageKey({ label, url }: WebPage): Key {
  return { text: toPrintableText(label), web_app: { url } };
}
