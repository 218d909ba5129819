import type { ErrorCode } from "../core/error-codes.ts";
import type { Counted } from "../core/few.ts";
import { toCommand } from "../protocol/command.ts";
import type { Look } from "../system/run/run.ts";
import type { OutcomeView, PlannedSeries, PreviewView } from "../transaction/views.ts";
import type { Press } from "./press.ts";

export type { Press } from "./press.ts";

/**
 * The port between a person's surface and the agent: what comes in, and the one union of
 * everything that happens, which every channel renders in its own way.
 */

/** Who speaks, where. A session is one durable conversation. */
export interface Speaker {
  /** e.g. "telegram:4711", "telegram:-100:12", "terminal:1". */
  readonly sessionId: string;
  /** e.g. "telegram:4711"; "owner" for everything local. */
  readonly userId: string;
  /** The owner, but not at this machine: what they are given leaves it. */
  readonly isAway?: true;
}

/** A page that Telegram opens, and the label of its button. */
export interface WebPage {
  readonly label: string;
  readonly url: string;
}

/** Everything that happens while a message is worked on. */
export type AgentEvent =
  | { readonly kind: "content"; readonly text: string }
  | {
      readonly kind: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly args: string;
    }
  | {
      readonly kind: "tool_result";
      readonly id: string;
      readonly name: string;
      readonly ok: boolean;
      /** What the tool answered, or its beginning; for programs. */
      readonly content: string;
    }
  | { readonly kind: "progress"; readonly text: string }
  /** Lines that a check has just printed, for who looks on; what counts of them is said at the end. */
  | { readonly kind: "check_output"; readonly text: string; readonly looks?: readonly Look[] }
  /** How far it is, for who looks on. */
  | ({ readonly kind: "counted" } & Counted)
  | {
      readonly kind: "plan";
      readonly planId: string;
      readonly workspace: string;
      readonly summary: string;
      /** Of a plan that is carried out part by part. */
      readonly row?: PlannedSeries;
      /** Nothing may be changed now, so there is nothing to apply. */
      readonly isLocked?: true;
    }
  | {
      readonly kind: "research";
      readonly researchId: string;
      readonly workspace: string;
      readonly query: string;
      readonly answerMd: string;
      /** What the pages leave open, or tried. */
      readonly notes?: string;
      readonly sources: readonly { readonly url: string; readonly title: string }[];
      /** It is in the plan already; otherwise a person may have it used, once. */
      readonly autoUsed: boolean;
    }
  | { readonly kind: "approval"; readonly approvalId: string; readonly preview: PreviewView }
  | CallApprovalEvent
  | {
      /** What became of a call that a person approved. */
      readonly kind: "call_result";
      readonly tool: string;
      readonly ok: boolean;
      readonly text: string;
    }
  | { readonly kind: "outcome"; readonly outcome: OutcomeView }
  | FileEvent
  | {
      readonly kind: "choice";
      /** Says all, and how to choose in words. */
      readonly text: string;
      readonly options: readonly { readonly label: string; readonly press: Press }[];
      /** Side by side, where they belong together. */
      readonly columns?: number;
      /** A page that Telegram opens, and nothing else can. */
      readonly opens?: WebPage;
    }
  | {
      readonly kind: "error";
      readonly code: ErrorCode;
      /** Exact, in English, for logs and programs. */
      readonly message: string;
      /** The same in the person's language, where there is more to say than the code does. */
      readonly said?: string;
    }
  | { readonly kind: "done" };

/** A file for the person, as it was when the agent decided to give it. */
export interface FileEvent {
  readonly kind: "file";
  /** Under which the conversation keeps that it was given. */
  readonly fileId: string;
  readonly workspace: string;
  /** In the workspace, for people. */
  readonly path: string;
  /** Where it is; what is read there is passed on only while it has this hash. */
  readonly absolute: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A tool call waits for a person's yes. */
export interface CallApprovalEvent {
  readonly kind: "call_approval";
  readonly approvalId: string;
  readonly tool: string;
  /** The exact arguments, for programs. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the call will do, in full, for people. */
  readonly shown: string;
  /** Why it is asked. */
  readonly reason: string;
}

/** What a person is told when a conversation breaks its contract and throws; the log has more. */
export const UNEXPECTED: AgentEvent = {
  kind: "error",
  code: "ERR_INTERNAL",
  message: "Something failed that should not; the log has the details",
};

/** papa-yu ends before the work does, and the channel redelivers it: this is no answer to show. */
export class InterruptedError extends Error {}

/** @throws InterruptedError for the event that says so */
export function assertAnswer(event: AgentEvent): void {
  if (event.kind === "error" && event.code === "ERR_INTERRUPTED")
    throw new InterruptedError(event.message);
}

/** Receives events; a channel that cannot keep up awaits. */
export type Emit = (event: AgentEvent) => Promise<void> | void;

/** Of a message or press that its channel redelivers when a crash kept it from its answer. */
export interface Origin {
  /** The same each time. */
  readonly messageId: string;
  /** When it came in first; it is no answer to what was asked later. */
  readonly receivedAt: number;
  /** No try of it was begun before: nothing is kept under its id yet. */
  readonly isFirst?: boolean;
  /** Ends this message or press alone, as a cancel does, while it runs and while it waits. */
  readonly ending?: AbortSignal;
  /**
   * Whether a plan or a question was before the eyes of who said this when they said it; asked when
   * the words are worked on. Without it the channel shows whatever happens before it takes words in.
   */
  readonly saw?: (ref: string) => Seen;
}

/**
 * `later`: it was shown behind the words. `unsure`: it may have been there before them, unnoticed, and
 * is shown again. `unsent`: not all of it has been shown yet. `lost`: and nothing of what is still on
 * its way makes it whole. `unknown`: it was not shown there, or so long ago that nothing is left of that.
 */
export type Seen = "seen" | "later" | "unsure" | "unsent" | "lost" | "unknown";

/** Of a message or press that is never redelivered, and whose outcome is asked for by this id. */
export interface Asked {
  readonly workId: string;
  /** Hash of what is asked: the id of one request answers no other. */
  readonly digest: string;
}

/** The request of a work, as far as it is known. */
export interface KnownRequest {
  readonly asked?: { readonly sessionId: string; readonly digest: string };
}

/** What became of the changes of a work, after a crash as before it. */
export type WorkState = KnownRequest & { readonly question?: WorkQuestion } & WorkEnd;

/** The newest question that came of a work, whatever became of it. */
export interface WorkQuestion {
  readonly approvalId: string;
  /** It can still be answered. */
  readonly isWaiting: boolean;
  readonly about:
    | { readonly kind: "change_set"; readonly planId: string; readonly changeSetId: string }
    | { readonly kind: "tool_call"; readonly tool: string };
}

/** `mayHaveRun`: it was cut off while a command or another call ran, which may have had its effect. */
type WorkEnd =
  | { readonly state: "running" }
  | {
      readonly state: "ended";
      readonly outcomes: readonly OutcomeView[];
      readonly mayHaveRun?: boolean;
    }
  /** Nothing is known of a change: it never came, changed nothing, or was cut off and put back. */
  | { readonly state: "unknown"; readonly mayHaveRun?: boolean };

/** Words that came with something: those alone are a command, an answer to a question, a request. */
export interface Captioned {
  readonly words: string;
  /** What it is that came with them, told to the model below them. */
  readonly attached: string;
}

/** Keeps a file that somebody sent, in the workspace of their session; says where. */
export type SaveFile = (
  sessionId: string,
  file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> },
  maxBytes: number,
) => Promise<
  | { readonly ok: true; readonly path: string }
  | {
      readonly ok: false;
      readonly code?: string;
      readonly message: string;
      /** What the person is told instead, where that is known. */
      readonly said?: string | undefined;
      /** The machine is at fault: it has no room for the file, or its disk fails. */
      readonly trouble?: "full" | "disk";
    }
>;

/** No channel takes larger files: Telegram hands out none. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** A command is done as if it came alone, whatever it came with; /plan and /apply are goals by then. */
export function takesNoFiles(words: string): boolean {
  return toCommand(words) !== undefined;
}

/**
 * The agent as channels see it. Every call ends with one `done` event; it rejects after that,
 * and only with what `emit` threw.
 */
export interface Conversation {
  /** A text as it was written; `/cancel` overtakes what runs and is answered as any other. */
  message(
    speaker: Speaker,
    said: string | Captioned,
    emit: Emit,
    origin?: Origin | Asked,
  ): Promise<void>;
  press(speaker: Speaker, press: Press, emit: Emit, origin?: Origin | Asked): Promise<void>;
  readonly workState: (workId: string) => WorkState;
  /** Whether a message or a press of the session is worked on, or waits to be. */
  readonly isBusy: (sessionId: string) => boolean;
  /**
   * Ends what runs in the session within two seconds; says whether anything ran. It shows nothing:
   * for a client that left, or that has a signal of its own for it.
   */
  readonly cancel: (sessionId: string) => boolean;
}

/** What a person at the machine asks about the web console. */
export type ConsoleAsked =
  /** An address that lets one browser in; `plain` for one without names of this machine. */
  | { readonly act: "open"; readonly plain: boolean }
  /** What became of such an address. */
  | { readonly act: "state"; readonly id: string }
  | { readonly act: "list" }
  /** `by` whom, where it is not the owner: they end their own alone. */
  | { readonly act: "revoke"; readonly id: string; readonly by?: string };

/** Answers it, with `ok` and what was asked for, or an `error`. */
export type ConsoleDoor = (asked: ConsoleAsked) => Readonly<Record<string, unknown>>;

/** A human-facing surface with a life of its own. */
export interface Channel {
  readonly name: string;
  start(): Promise<void>;
  /** Stops taking work, finishes what runs, flushes what waits. */
  stop(signal: AbortSignal): Promise<void>;
  /**
   * Sends the owner a text nobody asked for right now, masked: a routine's result, a start-up
   * report. `events` follow it, with their buttons.
   */
  deliver(text: string, events?: readonly AgentEvent[]): Promise<"delivered" | "queued" | "nobody">;
  /** Who can press what is delivered; a channel without buttons has nobody. */
  owner?(): Speaker | undefined;
  /** For `status`. */
  status(): Readonly<Record<string, string | number | null>>;
}
