import type { AgentEvent, SaveFile, Speaker } from "../../channel.ts";

/** A person's conversations; undefined: there is no such one, or it is somebody else's. */
export interface ChatFacts {
  list(page: { readonly before: string | undefined; readonly limit: number }):
    | {
        readonly chats: readonly Readonly<Record<string, unknown>>[];
        readonly [field: string]: unknown;
      }
    | undefined;
  read(
    sessionId: string,
    page: {
      readonly before: number | undefined;
      /** Only those that came behind it. */
      readonly after?: number | undefined;
      readonly limit: number;
    },
  ):
    | {
        readonly messages: readonly ChatEntry[];
        readonly running: readonly RunningEntry[];
        readonly [field: string]: unknown;
      }
    | undefined;
  /** What a session is called to them; undefined: it is none of theirs. */
  nameOf(sessionId: string): string | undefined;
  /** In whose name they speak in a session; undefined: it is none of theirs, or they only read it. */
  speaker(sessionId: string): Speaker | undefined;
  /** What a yes there would answer, and by what it is known. */
  waiting(sessionId: string): WaitingThere | undefined;
  /** Whether something is worked on there. */
  isBusy(sessionId: string): boolean;
  /** Keeps a file in the workspace of a conversation, as of any channel. */
  readonly saveFile: SaveFile;
  /** The workspace of a conversation, by its name. */
  workspaceOf(sessionId: string): string;
  /** A file that was given there, as it was then; undefined: there is none, or it is another by now. */
  sentFile(sessionId: string, fileId: string): Promise<SentFile | undefined>;
  /** A yes there would open what the configuration closes. */
  waitsForGate(sessionId: string): boolean;
}

/** What waits for a yes. */
export interface WaitingThere {
  readonly ref: string;
  /** None for a plan. */
  readonly digest?: string;
  /** A plan is there although nobody was asked about it. */
  readonly kind: "plan" | "change set" | "call";
}

/** A file for a person. */
export interface SentFile {
  /** Hidden characters spelled out. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A message of a conversation, masked, hidden characters spelled out. */
export interface ChatEntry {
  readonly role: string;
  readonly text: string;
  readonly [field: string]: unknown;
}

/** A message or a press that is worked on, with what was shown of it until now. */
export interface RunningEntry {
  readonly events: readonly AgentEvent[];
  readonly [field: string]: unknown;
}
