import { describe, expect, test } from "bun:test";
import { createConversation } from "../../src/agent/conversation.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { type AgentReply, ANNA, collectReply, openScene, withTools } from "./scene.ts";
import { permanent, retryable, tool } from "./turn-play.ts";

/** A message to the whole agent over the real client and a real server. */
async function say(script: Script, tools: readonly Tool[]) {
  await using model = startModelServer(script);
  using scene = await openScene({
    config: `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"`,
  });
  const conversation = createConversation(withTools(scene.app.current.agent, tools));
  const reply = await collectReply((emit) => conversation.message(ANNA, "What is there?", emit));
  return { reply, modelCalls: model.requests.length, requests: model.requests };
}

const calls = (...named: readonly [name: string, q: string][]): Reply => ({
  kind: "tools",
  calls: named.map(([name, q]) => ({ name, arguments: { q } })),
});
const text = (said: string): Reply => ({ kind: "text", text: said, chunkChars: 2 });
const count = (reply: AgentReply, kind: string) =>
  reply.kinds.filter((each) => each === kind).length;

describe("one message", () => {
  test("every round fails, retryable: 3 model calls, at most 3 tool calls, no tool_result, one done", async () => {
    const look = tool("look", () => retryable);
    const find = tool("find", () => retryable);
    const { reply, modelCalls } = await say(
      (_request, n) => calls([n % 2 === 0 ? "look" : "find", `${n}`]),
      [look, find],
    );
    expect(modelCalls).toBe(3);
    expect(look.runs.length + find.runs.length).toBeLessThanOrEqual(3);
    expect(count(reply, "tool_call")).toBeLessThanOrEqual(3);
    expect(count(reply, "tool_result")).toBe(0);
    expect(reply.last("error").code).toBe("tool_execution_error");
    expect(count(reply, "done")).toBe(1);
    expect(reply.kinds.at(-1)).toBe("done");
  });

  test("a permanent failure and nothing else: 1 tool call, and the turn ends with an answer", async () => {
    const look = tool("look", () => permanent);
    const { reply, modelCalls } = await say(
      ({ body }, n) => (body.tools ? calls(["look", `${n}`]) : text("I cannot look.")),
      [look],
    );
    expect([modelCalls, look.runs.length, count(reply, "tool_call")]).toEqual([2, 1, 1]);
    expect(reply.text).toBe(
      "(look could not be completed: what it needs is out of reach or missing; `no key`)\nI cannot look.",
    );
    expect(reply.kinds).not.toContain("error");
  });

  test("a model that insists on a withdrawn tool gets it no second time", async () => {
    const look = tool("look", () => permanent);
    const { reply, modelCalls } = await say((_request, n) => calls(["look", `${n}`]), [look]);
    expect([modelCalls, look.runs.length, count(reply, "tool_call")]).toEqual([3, 1, 1]);
    expect(reply.text).toContain("look could not be completed");
  });

  test("an unknown tool is reported once, as the tool's result", async () => {
    const { reply, requests } = await say(
      [calls(["nope", "1"]), text("Then not.")],
      [tool("look", () => retryable)],
    );
    const reported = requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect(reported.map(({ content }) => content)).toEqual([
      'Error (not_found): there is no tool "nope"; there are: look',
    ]);
    expect(reply.text).toBe("Then not.");
  });

  test("interleaved parallel calls never mix, and one that fails leaves the other's result", async () => {
    const look = tool("look", () => ({ ok: true, content: "seen" }));
    const find = tool("find", () => retryable);
    const { reply, requests } = await say(
      [calls(["look", "a long first argument"], ["find", "and a second, longer one"]), text("ok")],
      [look, find],
    );
    expect([look.runs, find.runs]).toEqual([
      [{ q: "a long first argument" }],
      [{ q: "and a second, longer one" }],
    ]);
    const { messages = [] } = requests[1]?.body ?? {};
    expect(messages.slice(-2).map(({ content }) => content)).toEqual([
      "seen",
      "Error (timeout): busy",
    ]);
    expect(reply.text).toBe(
      "ok\n\n(find could not be completed: no answer came in time; `busy`)\n",
    );
  });

  test("arguments that are no JSON run nothing and are reported as invalid_args", async () => {
    const look = tool("look", () => retryable);
    const broken: Reply = { kind: "tools", calls: [{ name: "look", arguments: '{"q": "x' }] };
    const { requests } = await say([broken, text("ok")], [look]);
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("Error (invalid_args)");
    expect(look.runs).toEqual([]);
  });
});

test.each([
  ["lists", `{"q":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["objects", `${'{"q":'.repeat(100_000)}1${"}".repeat(100_000)}`],
])(
  "arguments of 100,000 nested %s run nothing, ask nobody, and the model is told",
  async (_what, args) => {
    for (const effect of ["none", "network", "change"] as const) {
      const look = tool("look", () => ({ ok: true, content: "seen" }), effect);
      const deep: Reply = { kind: "tools", calls: [{ name: "look", arguments: args }] };
      const { reply, requests } = await say([deep, deep, text("ok")], [look]);
      expect(look.runs).toEqual([]);
      expect(reply.kinds).not.toContain("call_approval");
      expect(requests[1]?.body.messages.at(-1)?.content).toContain("nested too deep");
      expect(reply.text).toBe("ok");
    }
  },
);

test("a cancel ends a silent model", async () => {
  await using model = startModelServer([{ kind: "hang" }]);
  using scene = await openScene({
    config: `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"`,
  });
  const reply = scene.say("hi");
  await until(() => model.requests.length > 0);
  scene.conversation.cancel(ANNA.sessionId);
  expect((await reply).kinds).toEqual(["error", "done"]);
  expect((await reply).last("error").code).toBe("ERR_CANCELLED");
});

test("a question for what is missing is answered in the next message, which completes the call", async () => {
  const places = tool("places", () => ({ ok: true, content: "a café" }), "network", {
    complete: async (args, { userTexts: [last = ""] }) =>
      last.length > 20
        ? { kind: "ask", question: "Near which place?" }
        : { kind: "complete", args: { ...args, q: last } },
  });
  const bare: Reply = { kind: "tools", calls: [{ name: "places", arguments: {} }] };
  await using model = startModelServer([bare, bare, text("There is a café.")]);
  using scene = await openScene({
    config: `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"`,
  });
  const conversation = createConversation(withTools(scene.app.current.agent, [places]));
  const ask = (said: string) => collectReply((emit) => conversation.message(ANNA, said, emit));
  const first = await ask("Where can I get a good coffee?");
  expect(first.kinds.filter((kind) => kind !== "content")).toEqual(["done"]);
  expect(first.text).toBe("Near which place?");
  expect((await ask("Lisbon")).text).toBe("There is a café.");
  expect(places.runs).toEqual([{ q: "Lisbon" }]);
  expect(model.requests[1]?.body.messages.slice(1).map(({ content }) => content)).toEqual([
    "Where can I get a good coffee?",
    "Near which place?",
    "Lisbon",
  ]);
});
