import type { Keyboard } from "./keyboard.ts";

/** A file on disk that is sent as long as it is what it was. */
export interface StoredFile {
  readonly absolute: string;
  readonly sha256: string;
  readonly filename: string;
  readonly caption: string;
  readonly isPhoto: boolean;
  /** Shown when it cannot be sent. */
  readonly otherwise: string;
}

/** The chat of a call, and its topic. */
export interface Target {
  readonly chat_id: number;
  readonly message_thread_id?: number;
}

/** Said of a message, below it: as a part of it where there is room, else as a message of its own. */
type After = string;

/** One Bot API call as the outbox keeps it. */
export type Send =
  | {
      readonly method: "sendMessage";
      readonly payload: Target & {
        readonly text: string;
        readonly parse_mode?: "HTML";
        readonly reply_markup?: Keyboard;
        readonly after?: After;
      };
    }
  | {
      readonly method: "sendDocument";
      readonly payload: Target & {
        readonly filename: string;
        readonly content: string;
        readonly caption: string;
        /** Telegram does not take it as a file: it is sent as messages. */
        readonly isRefused?: true;
        /** How many of these were sent. */
        readonly shown?: number;
        readonly reply_markup?: Keyboard;
        readonly after?: After;
      };
    }
  /** By sendPhoto or sendDocument. */
  | { readonly method: "sendFile"; readonly payload: Target & StoredFile }
  | {
      readonly method: "editMessageReplyMarkup";
      readonly payload: { readonly chat_id: number; readonly message_id: number };
    }
  /** Of the message that the row sent before. */
  | { readonly method: "deleteMessage"; readonly payload: { readonly chat_id: number } };

/** So long the note is, in any language, before a message that may have arrived already. */
const MOST_DOUBT = 21;

/** Telegram takes 4096 UTF-16 units, and 1024 below a file; that note must still fit in front. */
export const MAX_TEXT_LENGTH = 4096 - MOST_DOUBT;
/** The same below a file. */
export const MAX_CAPTION_LENGTH = 1024 - MOST_DOUBT;
