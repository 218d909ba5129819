import type { Press, Speaker } from "../../channel.ts";
import type { Comment, Revision } from "../../press.ts";
import type { Asker } from "../parse-request.ts";
import type { Say } from "../refuse.ts";
import type { ChatFacts } from "./chat-facts.ts";
import type { InboxItem } from "./inbox-item.ts";

export type { Action, InboxItem } from "./inbox-item.ts";

/**
 * What the pages of the console show to a person, as the rest of the daemon knows it: what they were
 * asked and what they talk about. The owner sees what others were asked, too.
 */
export interface PersonFacts {
  /** All that waits, the newest first, masked. */
  inbox(): Promise<readonly InboxItem[]>;
  /** Another text as soon as anything is another from which the inbox is read; costs next to nothing. */
  mark(): string;
  /** A change set that they were asked about, whatever became of the question. */
  review(approvalId: string): Promise<Review | undefined>;
  /** One of its files, by its number there; `isRenamed`: with what it was under another name. */
  file(approvalId: string, n: number, isRenamed: boolean): Promise<ReviewFile | undefined>;
  /** A side of one of its files, where that is a picture that is not too large. */
  image(approvalId: string, n: number, side: Side): Promise<ReviewImage | undefined>;
  /** Keeps what they are about to say of one place of it. */
  draft(approvalId: string, said: Comment): Promise<Drafted>;
  /** Keeps what they are about to leave out, file by file. */
  untick(approvalId: string, parts: NonNullable<Revision["leftOut"]>): Promise<Marked>;
  /** Keeps that they have looked at one of its files, or have not. */
  see(approvalId: string, path: string, isSeen: boolean): Promise<Marked>;
  readonly chats: ChatFacts;
  /** Of all that their pages show beside the inbox. */
  signs(): readonly Sign[];
  /** In whose name they answer a press, and whether it is about what was on the screen. */
  answering(press: Press, digest: string | undefined): Answering;
}

/** What the owner's pages show; nobody else's has what is only here. */
export interface ConsoleFacts extends PersonFacts {
  /** Told each session in which something is said or shown, of whomever it is. */
  listen(told: (sessionId: string) => void): void;
  /** What is shown to somebody else. */
  of(asker: Asker): PersonFacts;
  /** Workspaces and their past. */
  readonly past: PastFacts;
  readonly routines: RoutineFacts;
  readonly traces: TraceFacts;
  readonly settings: SettingsFacts;
  readonly care: CareFacts;
}

/** What became of a mark at files of a change set. */
type Marked =
  | { readonly kind: "kept" }
  /** It does not wait for them, or has no such file. */
  | { readonly kind: "not kept" }
  /** What it is called is the name that more than one of its files is shown under. */
  | { readonly kind: "several files"; readonly path: string };

/** What became of words about a place of a change set. */
type Drafted =
  | Marked
  /** All together would be more than can be sent. */
  | { readonly kind: "too much" }
  /** They would be refused when they are sent: it has no such file. */
  | { readonly kind: "no file" }
  /** Likewise: that side of the file has so many lines, none where it is no text. */
  | { readonly kind: "no line"; readonly lines: number };

/** Of a file that changed. */
type Side = "before" | "after";

/** Taking back the newest change, or the newest undo. */
export type TakeBackKind = "undo" | "redo";

/** A page of the past: what is older than a transaction, or the newest. */
export interface PastPage {
  readonly before: string | undefined;
  readonly limit: number;
}

/** What pages show of workspaces and of what was done in them; undefined: there is no such thing. */
export interface PastFacts {
  list(): readonly Readonly<Record<string, unknown>>[];
  read(name: string, page: PastPage): Promise<Readonly<Record<string, unknown>> | undefined>;
  transaction(name: string, txId: string): Readonly<Record<string, unknown>> | undefined;
  transactionFile(name: string, txId: string, n: number): ReviewFile | undefined;
  /** A side of one of its files, where that is a picture; here and below. */
  transactionImage(name: string, txId: string, n: number, side: Side): ReviewImage | undefined;
  /** What the next undo or redo would do to the files as they are; nothing is done. */
  takeBack(name: string, kind: TakeBackKind): Readonly<Record<string, unknown>> | undefined;
  /** One of its files; it is about other files by now than those with this digest. */
  takeBackFile(
    name: string,
    kind: TakeBackKind,
    digest: string,
    n: number,
  ): ReviewFile | "other files" | undefined;
  takeBackImage(
    name: string,
    kind: TakeBackKind,
    digest: string,
    n: number,
    side: Side,
  ): ReviewImage | "other files" | undefined;
}

/** What pages show of routines. */
export interface RoutineFacts {
  list(): Readonly<Record<string, unknown>>;
  /** Runs that were due before an instant, or the newest; undefined: nothing of this name ever ran. */
  runs(
    name: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Readonly<Record<string, unknown>> | undefined;
}

/** A page of traces: what is older than a place, or the newest; what is undefined is any. */
export interface TracePage {
  readonly before: string | undefined;
  readonly limit: number;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  readonly protocol: string | undefined;
  /** `any`: all that failed. */
  readonly errorCode: string | undefined;
  readonly workspace: string | undefined;
}

/** What pages show of traces; undefined: there is no such thing. */
export interface TraceFacts {
  /** @throws TimeoutError where there is too much, AppError ERR_IO for a folder that is none */
  list(page: TracePage): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** With what is known beside it. */
  read(
    traceId: string,
    workspace: string | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Of so many days in UTC, today included. */
  report(
    days: number,
    workspace: string | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

type Document = Readonly<Record<string, unknown>>;

/** The owner's configuration, without its secrets. */
export interface SettingsFacts {
  read(): Promise<Document>;
  /** Every key that there is. */
  keys(): readonly Document[];
  /** What a text would mean in the place of the file with this digest; nothing is written. */
  check(text: string, digest: string): Promise<Document | SettingsRefusal>;
  /** A text with a key in it that it lacks. */
  insert(text: string, key: string): Promise<Document | SettingsRefusal>;
  save(text: string, digest: string): Promise<Document | SettingsRefusal>;
}

/** Why nothing was done. */
export interface SettingsRefusal {
  /** Another file is there by now; the text is wrong; it cannot be written. */
  readonly refused: "stale" | "invalid" | "failed";
  readonly say: Say;
  /** What is wrong and where, with what is said of all of it. */
  readonly problems?: (said: string) => readonly Document[];
}

/** What keeps the daemon well. */
export interface CareFacts {
  readonly doctor: DoctorFacts;
  readonly log: LogFacts;
  readonly people: PeopleFacts;
  /** What models took, beside the caps. */
  spending(): Document;
}

/** Who may speak to the bot, and who asks to. */
export interface PeopleFacts {
  list(): Document;
  /** Lets in whom the code was made for. */
  pair(
    code: string,
  ):
    | { readonly kind: "paired"; readonly user_id: number; readonly name: string }
    | { readonly kind: "wrong"; readonly triesLeft: number }
    | { readonly kind: "locked"; readonly until: number };
  /** False: they do not wait. */
  refuse(userId: number): boolean;
  /** False: no code let them in. */
  remove(userId: number): boolean;
}

/** A place in a file of the log, which keeps its number when it is set aside. */
export interface LogPlace {
  readonly ino: number;
  readonly offset: number;
}

/** Which lines are wanted: those of a level or above it with a text in them. */
export interface LogFilter {
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** The daemon's log, masked. */
export interface LogFacts {
  /** Lines before a place, or the newest, in the order in which they came. */
  read(page: {
    readonly before: LogPlace | undefined;
    readonly limit: number;
    readonly filter: LogFilter;
  }): {
    readonly lines: readonly Document[];
    /** There are no older ones: null. */
    readonly older: LogPlace | null;
    readonly end: LogPlace;
  };
  /** What comes behind a place, until the signal. */
  follow(after: LogPlace, filter: LogFilter, signal: AbortSignal): AsyncIterable<Document>;
}

/** What `papayu doctor` finds. */
export interface DoctorFacts {
  /** Looks at everything; two who ask at once get the same. @throws AppError */
  look(end: AbortSignal): Promise<Document>;
  /** Somebody reads the inbox, where findings are to come: looks if that is long ago, without waiting. */
  glance(end: AbortSignal): void;
}

/** A text of something that pages show, which is another as soon as that is. */
export interface Sign {
  readonly kind: "workspace" | "routine" | "change_set" | "chat" | "settings";
  readonly name: string;
  readonly sign: string;
}

/** What an answer from here counts for. */
export type Answering =
  /** In the session in which it was asked, whichever channel that is of. */
  | {
      readonly kind: "asked";
      readonly speaker: Speaker;
      /** Who presses has named what was on the screen, or it is of no conversation. */
      readonly isShown: boolean;
      /** A yes lets something happen that is closed by the configuration. */
      readonly opensGate: boolean;
    }
  /** It was asked nowhere that is known: the conversation will say what is true of it. */
  | { readonly kind: "unknown" }
  /** Somebody else was asked. */
  | { readonly kind: "other person" }
  /** What waits is another than the one that was on the screen. */
  | { readonly kind: "other digest" };

/** A picture as it is in a file. */
export interface ReviewImage {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A change set with the rows of its files. */
export interface Review {
  readonly approval_id: string;
  readonly [field: string]: unknown;
}

/** One file before and after. */
export interface ReviewFile {
  readonly path: string;
  readonly [field: string]: unknown;
}
