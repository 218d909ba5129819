import type { Log } from "../../core/log.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { createAnswers } from "../answers.ts";
import {
  type AgentEvent,
  type Channel,
  type Conversation,
  type Emit,
  type Press,
  UNEXPECTED,
} from "../channel.ts";
import { type RenderedEvent, renderEvent } from "../render-event.ts";

/** What a reader of the board is given: the next event as plain text, or the end of an answer. */
export type Note = RenderedEvent | "end";

/** What the channel is built from. */
export interface BoardOptions {
  readonly conversation: Conversation;
  readonly texts: () => Texts;
  readonly log: Log;
}

/** A board in this process, with one reader a session. */
export interface BoardChannel extends Channel {
  /** Gives the session's notes to `read`, each when the one before was taken. */
  join(session: string, read: (note: Note) => Promise<void>): void;
  say(session: string, text: string): void;
  press(session: string, press: Press): void;
  cancel(session: string): void;
}

/** People who share a board with papa-yu. */
export function createWalkBoardChannel({ conversation, texts, log }: BoardOptions): BoardChannel {
  const readers = new Map<string, (note: Note) => Promise<void>>();
  const answers = createAnswers((error) => log("CHANNEL_FAILED", { channel: "walk-board", error }));
  let isOpen = false;

  async function show(session: string, event: AgentEvent): Promise<void> {
    await readers.get(session)?.(event.kind === "done" ? "end" : renderEvent(event, texts()));
  }

  function answer(session: string, work: (emit: Emit) => Promise<void>): void {
    if (!isOpen) return;
    const emit: Emit = (event) => show(session, event);
    const answered = work(emit).catch(async (error: unknown) => {
      await emit(UNEXPECTED);
      await emit({ kind: "done" });
      throw error;
    });
    void answers.track(answered);
  }

  return {
    name: "walk-board",
    join: (session, read) => void readers.set(session, read),
    say: (session, text) =>
      answer(session, (emit) => conversation.message(speakerOf(session), text, emit)),
    press: (session, press) =>
      answer(session, (emit) => conversation.press(speakerOf(session), press, emit)),
    cancel: (session) => void conversation.cancel(speakerOf(session).sessionId),
    async start() {
      isOpen = true;
    },
    async stop(signal) {
      isOpen = false;
      await answers.settled(signal);
    },
    async deliver(text) {
      const note = { text: toPrintableText(text), isPiece: false, buttons: [] };
      for (const read of readers.values()) void read(note);
      return readers.size > 0 ? "delivered" : "nobody";
    },
    status: () => ({ state: isOpen ? "open" : "stopped", readers: readers.size }),
  };
}

function speakerOf(session: string) {
  return { sessionId: `walk-board:${session}`, userId: "owner" };
}
