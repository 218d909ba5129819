import { expect, test } from "bun:test";
import { createMessageHandler } from "../../../src/channels/http/message-handler.ts";
import { refuse } from "../../../src/channels/http/refuse.ts";
import { toAsked } from "../../../src/channels/http/work-id.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { createScript } from "../script.ts";

/** A conversation in which the key of a message came first in the session "http:first". */
function open() {
  const said: string[] = [];
  const script = createScript({
    say: async (text, emit) => {
      said.push(text);
      await emit({ kind: "content", text });
    },
  });
  const first = { kind: "message", sessionId: "http:first", text: "yes" } as const;
  const { digest } = toAsked("K", first);
  const handler = createMessageHandler({
    conversation: {
      ...script,
      isBusy: () => false,
      workState: () => ({ state: "unknown", asked: { sessionId: "http:first", digest } }),
    },
    texts: () => textsIn("en"),
    failed: () => {},
    changed: () => {},
  });
  return { handler, said };
}

test.each([{ message: "yes" }, { message: "yes", session_id: "first" }])(
  "%p is decided on in the session in which it counts, and not in another",
  async (body) => {
    const { handler, said } = open();
    const decided: string[] = [];
    const answered = await handler.answer("/api/chat", JSON.stringify(body), {
      other: undefined,
      key: "K",
      place: (read) => Promise.resolve(read),
      checkFor:
        async () =>
        ({ sessionId }) => {
          decided.push(sessionId);
          return refuse(403, () => "too late");
        },
    });
    expect(answered.status).toBe(403);
    expect({ decided, said }).toEqual({ decided: ["http:first"], said: [] });
  },
);
