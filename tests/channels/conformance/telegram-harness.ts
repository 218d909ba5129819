import type { Behaviour } from "../script.ts";
import { OWNER, openBench } from "../telegram/bench.ts";
import type { Harness, Session } from "./harness.ts";

const PEOPLE = { one: OWNER, two: 78 } as const;
const STRANGER = 5;
/** What can show something. */
const METHODS = ["sendMessage", "sendDocument", "editMessageText"];

/** Private chats of two people. */
export async function openTelegram(
  say: Behaviour["say"],
  people: readonly number[] = Object.values(PEOPLE),
): Promise<Harness> {
  const bench = await openBench({
    say,
    options: { allowedUserIds: () => people, requestSeconds: 30 },
  });
  const { api, store } = bench;
  const speaker = (session: Session) => {
    const id = `telegram:${PEOPLE[session]}`;
    return { sessionId: id, userId: id };
  };

  return {
    get channel() {
      return bench.channel;
    },
    script: bench.script,
    speaker,
    say: async (session, text) => void api.say(PEOPLE[session], text),
    answer: async (session, act) =>
      void (await api.tap(PEOPLE[session], act === "approve" ? "Approve" : "Reject")),
    cancel: async (session) => void api.say(PEOPLE[session], "/cancel"),
    leave: () => undefined,
    pause() {
      for (const method of METHODS) api.fail(method, { kind: "status", status: 502 }, 1e9);
    },
    resume: () => api.heal(),
    shown: (session) =>
      api
        .sent(PEOPLE[session])
        .flatMap(({ text, document }) => (document ? [text, document.content] : [text]))
        .join("\n"),
    ends(session) {
      if (bench.channel.status()["outbox"] !== 0) return 0;
      const sql = `SELECT count(*) AS n FROM inbox
        WHERE state <> 'waiting' AND session_id = ? AND lane <> 'cancel'`;
      const row = store.query<{ n: number }, [string]>(sql).get(speaker(session).sessionId);
      return row?.n ?? 0;
    },
    obeyed: (session) =>
      api
        .sent(PEOPLE[session])
        .filter(({ html, text }) => html !== text) // what is sent as it is commands nothing
        .flatMap(({ html }) => html.match(/<script|<a href="tg:/gu) ?? []),
    restart: () => bench.restart(),
    async answerAsStranger(session) {
      const asked = api.sent(PEOPLE[session]).findLast(({ buttons }) => buttons.length > 0);
      using _time = bench.holdTime();
      api.press(STRANGER, asked?.messageId ?? 0, asked?.buttons[0]?.data ?? "");
      await api.waitFor(() => api.popUps.some(({ text }) => text.includes("Only the person")));
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
