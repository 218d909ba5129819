import { describe, expect, test } from "bun:test";
import { createCapabilities } from "../../src/providers/capabilities.ts";
import { createOpenAiProvider } from "../../src/providers/openai.ts";
import { event, type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import {
  answersOf,
  callsOf,
  done,
  isAsked,
  looking,
  openWith,
  paying,
  refuse,
  saidIn,
  toConfig,
} from "./asides-scene.ts";
import { ANNA, openScene } from "./scene.ts";
import { run } from "./turn-play.ts";

const THOUGHT = "Nobody is to read this thought.";
const SIGNATURE = { google: { thought_signature: "c2lnbmVk" } };

/** DeepSeek in thinking mode: thoughts behind calls have to come back. */
function demandThoughts(request: ModelRequest, reply: Reply): Reply {
  const isBare = answersOf(request).some((each) => typeof each.reasoning_content !== "string");
  if (!isBare) return reply;
  return refuse("The `reasoning_content` in the thinking mode must be passed back to the API.");
}

/** The same of every answer of a conversation with calls, those that are only words too. */
function demandAllThoughts(request: ModelRequest, reply: Reply): Reply {
  const answers = saidIn(request);
  const isBare = answers.some((each) => typeof each.reasoning_content !== "string");
  if (!isBare || answersOf(request).length === 0) return reply;
  return refuse("Missing `reasoning_content` field in the assistant message at message index 3.");
}

/** Words behind a thought. */
function thoughtOut(thought: string, content = "Done."): Reply {
  const deltas = [{ reasoning_content: thought }, { content }];
  const end = event({ delta: {}, finish_reason: "stop" });
  const chunks = [...deltas.map((delta) => event({ delta })), end, "data: [DONE]\n\n"];
  return { kind: "raw", chunks };
}

/** Gemini: the first call of each step has to be signed. */
function demandSignature(request: ModelRequest, reply: Reply): Reply {
  const isBare = answersOf(request).some(({ tool_calls = [] }) => !tool_calls[0]?.extra_content);
  if (!isBare) return reply;
  return refuse("Function call is missing a thought_signature in functionCall parts.");
}

describe("what a model gives with its calls for itself", () => {
  test("comes back to it in the turn and in later ones, and is shown to nobody", async () => {
    await using scene = await openWith((request) =>
      demandThoughts(
        request,
        isAsked(request) ? callsOf(["look"], { thought: THOUGHT, extra: SIGNATURE }) : done,
      ),
    );
    const replies = [await scene.say("look"), await scene.say("look again")];
    expect(replies.map(({ text }) => text)).toEqual(["Done.", "Done."]);
    expect(JSON.stringify(replies)).not.toContain(THOUGHT);
    expect(scene.server.requests).toHaveLength(4);
    const sent = scene.server.requests.slice(3).flatMap(answersOf);
    expect(sent.map((each) => each.reasoning_content)).toEqual([THOUGHT, THOUGHT]);
    expect(sent.map((each) => each.tool_calls?.[0]?.extra_content)).toEqual([SIGNATURE, SIGNATURE]);
  });

  test("comes back with every answer of a turn that called something, its last words too", async () => {
    let asked = 0;
    await using scene = await openWith((request) => {
      const n = asked++;
      const reply = isAsked(request) ? callsOf(["look"], { thought: `${n}` }) : thoughtOut(`${n}`);
      return demandAllThoughts(request, reply);
    });
    const replies = [await scene.say("look"), await scene.say("again"), await scene.say("more")];
    expect(replies.map(({ text }) => text)).toEqual(["Done.", "Done.", "Done."]);
    const sent = scene.server.requests.slice(5).flatMap(saidIn);
    expect(sent.map((each) => each.reasoning_content)).toEqual(["0", "1", "2", "3", "4"]);
    expect(scene.server.requests).toHaveLength(6);
  });

  test("may be demanded of answers that called nothing: who wants it is told once that there is none", async () => {
    await using scene = await openWith((request) => {
      const { content } = request.body.messages.at(-1) ?? {};
      const isCalling = isAsked(request) && content?.startsWith("look");
      return demandAllThoughts(request, isCalling ? callsOf(["look"], { thought: "a" }) : done);
    });
    for (const text of ["hello", "look", "and?", "look", "and?"]) {
      expect((await scene.say(text)).last("done")).toBeDefined();
    }
    const refused = scene.server.requests.filter((each) => demandAllThoughts(each, done) !== done);
    expect(refused).toHaveLength(1);
    const last = scene.server.requests.at(-1);
    expect(last && saidIn(last).map((each) => each.reasoning_content)).toEqual([
      "",
      "a",
      "",
      "",
      "a",
      "",
    ]);
  });

  test("stays away from a conversation that calls nothing", async () => {
    await using scene = await openWith(() => thoughtOut(THOUGHT));
    for (const text of ["hello", "and?", "and?"]) await scene.say(text);
    expect(scene.server.requests.map(({ text }) => text).join()).not.toContain("reasoning_content");
  });

  test("comes back from the disk: what is kept of a turn has it", async () => {
    await using scene = await openWith((request) =>
      isAsked(request) ? callsOf(["look"], { thought: THOUGHT, extra: SIGNATURE }) : done,
    );
    await scene.say("look");
    const { messages } = scene.app.current.agent.core.sessions.history(ANNA.sessionId, 99);
    expect(messages.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({
        role: "assistant",
        aside: {
          provider: "p0",
          model: "m",
          thoughts: THOUGHT,
          ofCalls: { call_0: JSON.stringify(SIGNATURE) },
        },
      }),
    );
  });

  test("comes back to it in later turns as far as a history bears it, the newest first", async () => {
    const thought = "t".repeat(20_000);
    await using scene = await openWith((request) =>
      isAsked(request) ? callsOf(["look"], { thought }) : done,
    );
    for (let turn = 0; turn < 4; turn++) await scene.say("look");
    const last = scene.server.requests.at(-2);
    const sent = last ? answersOf(last) : [];
    expect(sent.map((each) => each.reasoning_content !== undefined)).toEqual([false, true, true]);
  });

  test("goes to no other provider, which thinks and signs for itself", async () => {
    await using first = startModelServer((request) =>
      isAsked(request)
        ? callsOf(["look"], { thought: THOUGHT, extra: SIGNATURE })
        : { kind: "status", status: 500 },
    );
    await using second = startModelServer([done]);
    await using scene = await openScene({
      config: toConfig(first.url, second.url),
      tools: [looking],
    });
    expect((await scene.say("look")).text).toBe("Done.");
    expect(second.requests).toHaveLength(1);
    for (const { text } of second.requests) {
      expect(text).not.toMatch(/reasoning_content|extra_content|Nobody is to read|c2lnbmVk/u);
    }
  });

  test.each<[string, (request: ModelRequest, reply: Reply) => Reply, string]>([
    ["thoughts", demandThoughts, "calls_without_thoughts"],
    ["signatures", demandSignature, "calls_without_signature"],
  ])(
    "may be demanded: who wants %s of a call that a person approved is told there are none",
    async (_, demand) => {
      await using scene = await openWith((request) => {
        const given = { thought: THOUGHT, extra: SIGNATURE };
        return demand(request, isAsked(request) ? callsOf(["pay"], given) : done);
      });
      const { approvalId } = (await scene.say("pay it")).last("call_approval");
      expect((await scene.press("approve", approvalId)).text).toContain("Done.");
      // What it demands is known by then, and nothing is asked twice.
      const asked = scene.server.requests.length;
      await scene.say("thanks");
      expect(scene.server.requests.length - asked).toBeLessThanOrEqual(2);
      const last = scene.server.requests.at(-1);
      expect(last?.text).toContain(THOUGHT);
      expect(last?.text).toContain("c2lnbmVk");
    },
  );

  test("is left out where the server refuses it, and asked for no more than once", async () => {
    await using scene = await openWith((request) => {
      const isRefused = answersOf(request).some((each) => each.reasoning_content !== undefined);
      if (isRefused) return refuse("property 'reasoning_content' is unsupported");
      return isAsked(request) ? callsOf(["look"], { thought: THOUGHT }) : done;
    });
    expect((await scene.say("look")).text).toBe("Done.");
    expect(scene.server.requests).toHaveLength(3);
    expect((await scene.say("look again")).text).toBe("Done.");
    expect(scene.server.requests).toHaveLength(5);
  });

  test("ends a request that is refused whatever it holds", async () => {
    await using scene = await openWith((request) =>
      isAsked(request)
        ? callsOf(["look"], { thought: THOUGHT, extra: SIGNATURE })
        : refuse("reasoning_content and thought_signature: one must be missing, one is required"),
    );
    expect((await scene.say("look")).last("error")).toMatchObject({ code: "LLM_REQUEST" });
    expect(scene.server.requests.length).toBeLessThan(8);
  });
});

describe("asides in a round", () => {
  function provide(url: string) {
    const capabilities = createCapabilities();
    return createOpenAiProvider({
      name: "p",
      model: "m",
      baseUrl: url,
      timeoutMs: 60_000,
      capabilities,
    });
  }

  test("that is kept in parts have the thoughts in each, without secrets, and each its own calls'", async () => {
    const calls = callsOf(["pay", "look"], { thought: "a SECRET thought", extra: SIGNATURE });
    await using server = startModelServer((request) => (isAsked(request) ? calls : done));
    const { kept } = await run(provide(server.url), [looking, paying]);
    const asides = kept.flatMap((each) => (each.role === "assistant" && each.aside) || []);
    const thoughts = "a [secret] thought";
    expect(asides).toEqual([
      { provider: "p", model: "m", thoughts, ofCalls: { call_0: JSON.stringify(SIGNATURE) } },
      { provider: "p", model: "m", thoughts },
    ]);
  });

  test.each<[string, number, number]>([
    ["whole up to a bound", 32 * 1024, 32 * 1024],
    ["cut, with a mark, above it", 40 * 1024, 32 * 1024 + 1],
  ])("are thoughts %s", async (_, length, sent) => {
    const thinking = callsOf(["look"], { thought: "t".repeat(length) });
    await using server = startModelServer((request) => (isAsked(request) ? thinking : done));
    await run(provide(server.url), [looking]);
    const [answer] = server.requests[1] ? answersOf(server.requests[1]) : [];
    expect(String(answer?.reasoning_content)).toHaveLength(sent);
  });

  test("are of the newest calls where all together are too long", async () => {
    let rounds = 0;
    await using server = startModelServer(() => {
      rounds += 1;
      const thought = "t".repeat(30 * 1024);
      return rounds <= 6 ? callsOf(["look"], { thought, q: rounds }) : done;
    });
    await run(provide(server.url), [looking]);
    const last = server.requests.at(-1);
    const sent = last ? answersOf(last) : [];
    expect(sent.map((each) => each.reasoning_content !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  test.each<[string, unknown]>([
    ["too long", { google: "s".repeat(33 * 1024) }],
    ["no object", "signature"],
    ["a list", [1]],
    ["nothing", null],
  ])("are none where a signature is %s", async (_, extra) => {
    const signed = callsOf(["look"], { extra });
    await using server = startModelServer((request) => (isAsked(request) ? signed : done));
    const { turn } = await run(provide(server.url), [looking]);
    expect(turn.text).toBe("Done.");
    expect(server.requests.at(-1)?.text).not.toContain("extra_content");
  });
});
