import type { Database } from "bun:sqlite";
import type { Api } from "grammy";
import type { Clock } from "../../../core/clock.ts";
import type { Log } from "../../../core/log.ts";
import type { Inbox, Outbox } from "../../../store/chats/chats.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { Conversation } from "../../channel.ts";
import type { BotSignal } from "../bot-signal.ts";
import type { Audience } from "../intake/intake.ts";
import type { Message, Place, Send } from "../message/message.ts";
import type { Redact } from "../render/render.ts";
import type { SharedExclusiveLock } from "../shared-exclusive-lock.ts";

/** Keeps a file that somebody sent, in the workspace of their session; says where. */
export type SaveFile = (
  sessionId: string,
  file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> },
  maxBytes: number,
) => Promise<
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string }
>;

/** Writes down what is said in a voice message. */
export type Transcribe = (
  audio: Uint8Array,
  signal: AbortSignal,
) => Promise<
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }
>;

/** What a running channel has at hand to work off an update. */
export interface UpdateContext {
  readonly api: Api;
  /** Without a slash at its end. */
  readonly apiRoot: string;
  readonly token: string;
  /** Of the interface. */
  readonly saveFile: SaveFile;
  readonly transcribe: Transcribe | undefined;
  readonly store: Database;
  /** Waits for other programs that write to the database. */
  readonly ready: () => Promise<void> | undefined;
  readonly inbox: Inbox;
  readonly audience: () => Audience;
  readonly conversation: Conversation;
  /** Messages pass it: one that may have brought the daemon down is worked on alone. */
  readonly lock: SharedExclusiveLock;
  /** Ends the fetching of files and the hearing of voices, by session. */
  readonly listening: Map<string, AbortController>;
  /** Puts a message into the outbox; under one name only once. */
  readonly post: (place: Place, message: Message, name?: string) => void;
  /** Says how a text message of a turn looks from now on. */
  readonly put: (turn: string, part: number, place: Place, html: string) => void;
  /** Takes back the text messages of a turn from `part` on. */
  readonly withdraw: (turn: string, part: number, place: Place) => void;
  /** Puts any other call into the outbox. */
  readonly enqueue: (send: Send) => void;
  /** Whether a message was, or is being, sent again behind a copy of it. */
  readonly newerCopy: Outbox["newerCopy"];
  readonly texts: () => Texts;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends when the channel has stopped; what happens later is left to the next start. */
  readonly signal: BotSignal;
}
