import { createWalkBoardChannel } from "../../../src/channels/walk-board/walk-board.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { type Behaviour, createScript } from "../script.ts";
import { createGate, type Gate, type Harness, type Session } from "./harness.ts";

const OBEYED = /[^\P{Cc}\n\t]/gu;

/** What the reader of one session has read, and whether it reads now. */
interface Reader {
  text: string;
  ends: number;
  question: string;
  readonly gate: Gate;
}

/** Two readers of one board. */
export async function openWalkBoard(
  say: Behaviour["say"],
  sessions: readonly Session[] = ["one", "two"],
): Promise<Harness> {
  const script = createScript({ say });
  const log = () => {};
  const channel = createWalkBoardChannel({ conversation: script, texts: () => textsIn("en"), log });
  await channel.start();
  const readers: Record<Session, Reader> = { one: openReader(), two: openReader() };
  for (const session of sessions) {
    channel.join(session, async (note) => {
      const reader = readers[session];
      await reader.gate.passed();
      if (note === "end") reader.ends++;
      else reader.text += note.isPiece ? note.text : `\n${note.text}\n`;
      if (note !== "end" && note.question) reader.question = note.question.approvalId;
    });
  }
  return {
    channel,
    script,
    speaker: (session) => ({ sessionId: `walk-board:${session}`, userId: "owner" }),
    say: async (session, text) => channel.say(session, text),
    answer: async (session, act) => channel.press(session, { act, ref: readers[session].question }),
    cancel: async (session) => channel.cancel(session),
    leave: () => undefined,
    pause: (session) => readers[session].gate.close(),
    resume: (session) => readers[session].gate.open(),
    shown: (session) => readers[session].text,
    ends: (session) => readers[session].ends,
    obeyed: (session) => readers[session].text.match(OBEYED) ?? [],
    restart: () => channel.start(),
    [Symbol.asyncDispose]: () => channel.stop(AbortSignal.abort()),
  };
}

function openReader(): Reader {
  return { text: "", ends: 0, question: "", gate: createGate() };
}
