import type { Channel, Speaker } from "../../../src/channels/channel.ts";
import type { Behaviour, Script } from "../script.ts";

/** Two sessions of two people, where a channel tells people apart. */
export type Session = "one" | "two";

/** A channel between a conversation of the test and people who use it. */
export interface Harness extends AsyncDisposable {
  readonly channel: Channel;
  readonly script: Script;
  /** Whom the conversation takes the person of a session for. */
  speaker(session: Session): Speaker;
  /** Resolves when the channel has it. */
  say(session: Session, text: string): Promise<void>;
  /** Answers the newest question of the session. */
  answer(session: Session, act: "approve" | "reject"): Promise<void>;
  /** The same as somebody else, who is told that it is not theirs; only where people are known. */
  readonly answerAsStranger?: (session: Session) => Promise<void>;
  cancel(session: Session): Promise<void>;
  /** Hangs up, closes the window, switches the phone off. */
  leave(session: Session): void;
  /** Reads nothing more until `resume`; it may come before the session's first message, and twice. */
  pause(session: Session): void;
  resume(session: Session): void;
  /** All that a person has read in the session, files included. */
  shown(session: Session): string;
  /**
   * How many messages and answers of the session have come to their end, as a client can tell: of
   * one that showed nothing, too.
   */
  ends(session: Session): number;
  /** What in all that was shown the surface would obey. */
  obeyed(session: Session): readonly string[];
  /** Starts again after a stop, as another process would. */
  restart(): Promise<void>;
}

/** One kind of channel, and what is not the same in all. */
export interface ChannelKind {
  readonly open: (say: Behaviour["say"]) => Promise<Harness>;
  /** What `deliver` comes to when people are there. */
  readonly delivers: "delivered" | "queued" | "nobody";
  /** Opens one that nobody uses. */
  readonly openEmpty: () => Promise<Harness>;
  /** What was not answered is taken up by the next start. */
  readonly isDurable: boolean;
  /** Whose work ends when a client goes away. */
  readonly leaveCancels: boolean;
}

/** What a reader that can be paused waits for before it takes the next thing. */
export interface Gate {
  /** Resolves while the gate is open. */
  passed(): Promise<void>;
  /** Twice is as once. */
  close(): void;
  open(): void;
}

/** An open gate. */
export function createGate(): Gate {
  let opening: PromiseWithResolvers<void> | undefined;
  return {
    async passed() {
      await opening?.promise;
    },
    close() {
      opening ??= Promise.withResolvers();
    },
    open() {
      opening?.resolve();
      opening = undefined;
    },
  };
}
