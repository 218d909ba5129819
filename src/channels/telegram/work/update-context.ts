import type { Database } from "bun:sqlite";
import type { Api } from "grammy";
import type { Clock } from "../../../core/clock.ts";
import type { ErrorCode } from "../../../core/error-codes.ts";
import type { Log } from "../../../core/log.ts";
import type { Inbox, Outbox } from "../../../store/chats/chats.ts";
import type { Commit } from "../../../store/writer/writer.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { Conversation, SaveFile, Seen } from "../../channel.ts";
import type { BotSignal } from "../bot-signal.ts";
import type { Audience } from "../intake/intake.ts";
import type { Message, Place, SaidAt } from "../message/message.ts";
import type { Redact } from "../render/render.ts";

/** A voice message, and in which conversation somebody spoke. */
export interface Recording {
  readonly audio: Uint8Array;
  /** As it was told. */
  readonly durationS: number;
  readonly sessionId: string;
}

/** Writes down what is said in a voice message. */
export type Transcribe = (
  recording: Recording,
  signal: AbortSignal,
) => Promise<
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code?: ErrorCode; readonly message: string }
>;

/** The bot, and whom it answers. */
export interface Bot {
  readonly api: Api;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  readonly token: string;
  readonly audience: () => Audience;
  /** Ends when the channel has stopped; what happens later is left to the next start. */
  readonly signal: BotSignal;
}

/** What messages are worked on with. */
interface Agent {
  readonly conversation: Conversation;
  readonly saveFile: SaveFile;
  readonly transcribe: Transcribe | undefined;
}

/** Where updates are kept. */
export interface Storage {
  readonly store: Database;
  readonly inbox: Inbox;
  readonly commit: Commit;
  /** Waits for other programs that write to the database. */
  readonly ready: () => Promise<void> | undefined;
}

/** The output: everything is stored before it is sent. */
interface Outgoing {
  /** Puts a message into the outbox; under one name only once. */
  readonly post: (place: Place, message: Message, name?: string) => void;
  /** Says how a text message of a turn looks from now on. */
  readonly put: (turn: string, part: number, place: Place, html: string) => void;
  /** Takes back the text messages of a turn from `part` on. */
  readonly withdraw: (turn: string, part: number, place: Place) => void;
  /** Takes the buttons of a message away. */
  readonly dropButtons: (place: Place, messageId: number) => void;
  /** Whether a message was, or is being, sent again behind a copy of it. */
  readonly newerCopy: Outbox["newerCopy"];
  /** Whether a plan or a question was on the phone before that was said. */
  readonly saw: (ref: string, said: SaidAt) => Seen;
}

/** In which words, and what must not be in them. */
interface Wording {
  readonly texts: () => Texts;
  readonly redact: Redact;
}

/** What updates are worked on with; each step takes the parts it uses. */
export interface UpdateContext {
  readonly bot: Bot;
  readonly agent: Agent;
  readonly storage: Storage;
  readonly outgoing: Outgoing;
  readonly wording: Wording;
  /** Ends the fetching of files and the transcription of voice messages, by session. */
  readonly downloads: Map<string, AbortController>;
  readonly clock: Clock;
  readonly log: Log;
}
