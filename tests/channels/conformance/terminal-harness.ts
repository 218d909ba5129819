import type { DaemonLine } from "../../../src/channels/socket/wire.ts";
import type { Behaviour } from "../script.ts";
import { openBench, type Terminal } from "../socket/bench.ts";
import type { Harness, Session } from "./harness.ts";

/** Everything that a terminal would obey. */
const OBEYED = /[^\P{Cc}\n\t]/gu;

/** Terminals on the socket, one a session. */
export async function openTerminals(say: Behaviour["say"]): Promise<Harness> {
  const bench = await openBench({ say });
  const terminals = new Map<Session, Terminal>();
  const lines: Record<Session, DaemonLine[]> = { one: [], two: [] };

  async function join(session: Session): Promise<Terminal> {
    const known = terminals.get(session);
    if (known) return known;
    const terminal = await bench.connect();
    terminals.set(session, terminal);
    void listen(terminal, lines[session]);
    void terminal.closed.then(() => terminals.delete(session));
    return terminal;
  }

  async function listen(terminal: Terminal, received: DaemonLine[]): Promise<void> {
    for (;;) received.push(await terminal.next());
  }

  const textsOf = (session: Session) =>
    lines[session].map((line) => {
      if (line.type === "error") return line.message;
      return line.type === "token" || line.type === "notice" ? line.content : "";
    });

  return {
    channel: bench.channel,
    script: bench,
    speaker: (session) => ({ sessionId: `terminal:${session}`, userId: "owner" }),
    say: async (session, text) => (await join(session)).say(text, session),
    async answer(session, act) {
      const asked = lines[session].findLast((line) => line.type === "confirm");
      const approved = act === "approve";
      const request_id = asked?.request_id ?? "";
      (await join(session)).send({ type: "confirm_response", request_id, approved });
    },
    cancel: async (session) => (await join(session)).send({ type: "cancel", session_id: session }),
    leave: (session) => terminals.get(session)?.close(),
    pause: (session) => terminals.get(session)?.pause(),
    resume: (session) => terminals.get(session)?.resume(),
    shown: (session) => textsOf(session).join(""),
    ends: (session) =>
      lines[session].filter(({ type }) => type === "done" || type === "error").length,
    obeyed: (session) => textsOf(session).flatMap((text) => text.match(OBEYED) ?? []),
    async restart() {
      await Promise.all([...terminals.values()].map(({ closed }) => closed));
      await bench.channel.start();
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
