import { describe, expect, test } from "bun:test";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { complete } from "../../src/providers/complete.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { localProvider } from "./local-provider.ts";

const THOUGHT = "The field is missing, it must be required.";
const aside = { provider: "local", model: "tiny", thoughts: THOUGHT };
const toolCalls = [{ id: "c", name: "look", arguments: "{}" }];
const result = { role: "tool", toolCallId: "c", content: "seen" } as const;

/** A conversation with answers of this model and of another one, with calls and without. */
const MIXED: readonly ChatMessage[] = [
  { role: "user", content: "look" },
  { role: "assistant", content: "", toolCalls, aside },
  result,
  { role: "assistant", content: "Seen.", aside },
  { role: "user", content: "look again" },
  { role: "assistant", content: "", toolCalls },
  result,
  { role: "assistant", content: "Seen." },
  { role: "user", content: "and?" },
];

/** The thoughts of each answer in a request; undefined: none were sent. */
function thoughtsIn({ text }: ModelRequest): readonly unknown[] {
  const { messages }: { messages: readonly { role: string; reasoning_content?: unknown }[] } =
    JSON.parse(text);
  return messages
    .filter(({ role }) => role === "assistant")
    .map(({ reasoning_content }) => reasoning_content);
}

const ok: Reply = { kind: "text", text: "ok" };

/** Two requests to a server that refuses some with this answer: what it was asked, and whether both went well. */
async function askTwice(
  mayPass: (thoughts: readonly unknown[]) => boolean,
  body: unknown,
  capabilities = createCapabilities(),
) {
  await using server = startModelServer((request) =>
    mayPass(thoughtsIn(request)) ? ok : { kind: "status", status: 400, body },
  );
  const provider = localProvider(server.url, { capabilities });
  const first = await complete(provider, { messages: MIXED });
  const asked = server.requests.length;
  const second = await complete(provider, { messages: MIXED });
  return {
    texts: [first.text, second.text],
    asked,
    askedAgain: server.requests.length - asked,
    sent: server.requests.map(thoughtsIn),
  };
}

const error = (message: string) => ({ error: { message, type: "invalid_request_error" } });

describe("a server that refuses thoughts", () => {
  const takesNone = (thoughts: readonly unknown[]) => thoughts.every((each) => each === undefined);

  test.each<[string, unknown]>([
    ["that they must not be sent", error("reasoning_content must not be sent back to the API.")],
    ["that they may not be there", error("messages.1.reasoning_content: may not be set; required")],
    ["that they are not allowed", error("`reasoning_content` is not allowed, it must be removed")],
    ["that the property is unsupported", error("property 'reasoning_content' is unsupported")],
    [
      "which field is forbidden, with what was sent",
      {
        detail: [
          {
            type: "extra_forbidden",
            loc: ["body", "messages", 1, "assistant", "reasoning_content"],
            msg: "Extra inputs are not permitted",
            input: THOUGHT,
          },
        ],
      },
    ],
    [
      "which field is odd, and repeats it in its words",
      error(
        `[{'type': 'odd', 'loc': ('body', 'messages', 1, 'reasoning_content'), 'msg': 'Odd field', 'input': '${THOUGHT}'}]`,
      ),
    ],
    [
      "where the field stands, with the request",
      { detail: [{ loc: ["body", "reasoning_content"], msg: "odd", ctx: { given: THOUGHT } }] },
    ],
    [
      "it as a text that quotes what was sent",
      `1 validation error\nreasoning_content\n  Odd field [type=odd, input_value='${THOUGHT}', input_type=str]`,
    ],
  ])("and says %s is sent none, at once and from then on", async (_, body) => {
    const { texts, asked, askedAgain, sent } = await askTwice(takesNone, body);
    expect({ texts, asked, askedAgain }).toEqual({ texts: ["ok", "ok"], asked: 2, askedAgain: 1 });
    expect(sent[0]).toEqual([THOUGHT, THOUGHT, undefined, undefined]);
  });

  test("in words that sound like a demand is sent none after one more try", async () => {
    const body = error("reasoning_content: the field must be absent");
    expect(await askTwice(takesNone, body)).toMatchObject({
      texts: ["ok", "ok"],
      asked: 3,
      askedAgain: 1,
    });
  });

  test("is sent none where an older version noted down that it demands them as well", async () => {
    const noted = new Map([
      ['["local","tiny"]', `${Date.now()} calls_without_thoughts calls_without_signature asides`],
    ]);
    const memory = { get: (key: string) => noted.get(key), set: () => {} };
    const odd = await askTwice(takesNone, error("no"), createCapabilities(memory));
    expect(odd).toMatchObject({ texts: ["ok", "ok"], asked: 1, askedAgain: 1 });
  });
});

describe("a server that demands thoughts", () => {
  const wantsAll = (thoughts: readonly unknown[]) =>
    thoughts.every((each) => typeof each === "string");

  test.each([
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "Missing `reasoning_content` field in the assistant message at message index 3",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    "reasoning_content is required; it must not be missing",
    "reasoning_content can not be empty: it is required",
  ])("in these words is told where there are none: %s", async (message) => {
    const { texts, asked, askedAgain, sent } = await askTwice(wantsAll, error(message));
    expect({ texts, asked, askedAgain }).toEqual({ texts: ["ok", "ok"], asked: 2, askedAgain: 1 });
    expect(sent[2]).toEqual([THOUGHT, THOUGHT, "", ""]);
  });
});
