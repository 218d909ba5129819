import { openBench } from "../http/bench.ts";
import type { Behaviour } from "../script.ts";
import { createGate, type Gate, type Harness, type Session } from "./harness.ts";

/** What one client of a session has read. */
interface Reader {
  readonly documents: Record<string, unknown>[];
  readonly rubbish: string[];
  readonly leaving: AbortController;
  readonly gate: Gate;
  ends: number;
}

/** Programs that read event streams, one request a message. */
export async function openHttp(say: Behaviour["say"]): Promise<Harness> {
  const bench = await openBench(say);
  const readers: Record<Session, Reader> = { one: openReader(), two: openReader() };

  async function send(session: Session, path: string, body: object): Promise<void> {
    const reader = readers[session];
    const { signal } = reader.leaving;
    const response = await bench.post(path, { ...body, session_id: session }, { signal });
    void read(response, reader).catch(() => undefined);
  }

  const documentsOf = (session: Session, key: string) =>
    readers[session].documents.flatMap((document) => (key in document ? [document] : []));

  return {
    channel: bench.channel,
    script: bench,
    speaker: (session) => ({ sessionId: `http:${session}`, userId: "owner" }),
    say: (session, message) => send(session, "/api/chat", { message }),
    async answer(session, act) {
      const asked = documentsOf(session, "approval").at(-1)?.["approval"];
      const ref = asked instanceof Object ? Reflect.get(asked, "approval_id") : undefined;
      await send(session, "/api/press", { act, ref });
    },
    cancel: (session) => send(session, "/api/chat", { message: "/cancel" }),
    leave: (session) => readers[session].leaving.abort(),
    pause: (session) => readers[session].gate.close(),
    resume: (session) => readers[session].gate.open(),
    shown: (session) => readers[session].documents.map(textOf).join(""),
    ends: (session) => readers[session].ends,
    obeyed: (session) => readers[session].rubbish,
    restart: () => bench.channel.start(),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

function textOf(document: Record<string, unknown>): string {
  const texts = ["content", "error", "error_category"].map((key) => document[key]);
  return texts.filter((text) => typeof text === "string").join(" ");
}

function openReader(): Reader {
  const leaving = new AbortController();
  return { documents: [], rubbish: [], leaving, gate: createGate(), ends: 0 };
}

/** Reads as strictly as the format is told; what is neither a document nor the end is rubbish. */
async function read(response: Response, reader: Reader): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    await reader.gate.passed();
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) take(part, reader);
  }
}

function take(part: string, reader: Reader): void {
  if (part.startsWith(":")) return;
  if (part === "data: [DONE]") reader.ends++;
  else if (/^data: \{.*\}$/u.test(part)) reader.documents.push(JSON.parse(part.slice(6)));
  else reader.rubbish.push(part);
}
