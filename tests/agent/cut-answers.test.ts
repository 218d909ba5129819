import { describe, expect, test } from "bun:test";
import { type Reply, type Script, startModelServer } from "../support/model-server.ts";
import { startOnlineWorld } from "../support/online-world.ts";
import { openScene } from "./scene.ts";

const spent = (completion_tokens: number) => ({ prompt_tokens: 9, completion_tokens });
const HALF = "Stop the service. Do NOT delete /var/data, because";

/** An answer that its server cut after so many tokens. */
function cut(tokens: number, text = HALF): Reply {
  return { kind: "text", text, finishReason: "length", usage: spent(tokens) };
}

async function open(script: Script, { provider = "", more = "", language = "en" } = {}) {
  const model = startModelServer(script);
  const config = `[default]\nprovider = "m"\nlanguage = "${language}"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n${provider}\n${more}`;
  const scene = await openScene({ config });
  const stop = async () => {
    scene[Symbol.dispose]();
    await model.stop();
  };
  const bounds = () => model.requests.map(({ body }) => body.max_tokens);
  return { ...scene, model, bounds, [Symbol.asyncDispose]: stop };
}

const CAP = "[agent]\nmax_tokens_per_day = 100000";
const BOUNDS = [
  {
    by: "a cap",
    options: { more: CAP },
    tokens: 4000,
    says: "at 4,000 tokens: that is all that an answer may have while a daily cap on tokens or cost is set and max_tokens in [providers.m] is not; set max_tokens, or ask for less",
  },
  {
    by: "the setting",
    options: { provider: "max_tokens = 600", more: CAP },
    tokens: 600,
    says: "at 600 tokens: that is max_tokens in [providers.m]; raise it",
  },
  {
    by: "the provider",
    options: {},
    tokens: 1234,
    says: "at 1,234 tokens: that is as long as the provider lets it be",
  },
  {
    by: "the provider, before the setting is reached",
    options: { provider: "max_tokens = 9000" },
    tokens: 2048,
    says: "at 2,048 tokens: that is as long as the provider lets it be",
  },
] as const;

describe("an answer that was cut", () => {
  test.each(BOUNDS)(
    "says so where $by cut it, and the model finds it later",
    async ({ options, tokens, says }) => {
      await using scene = await open([cut(tokens), { kind: "text", text: "ok" }], options);
      const { text, kinds } = await scene.say("how do I upgrade?");
      expect(text).toStartWith(`${HALF}\n\n(The answer was cut ${says}`);
      expect(kinds).not.toContain("error");
      await scene.say("go on");
      const messages = scene.model.requests[1]?.body.messages ?? [];
      expect(messages.map(({ content }) => content)).toContain(text);
    },
  );

  test("says so where little was left of a cap, and that the cap can be raised", async () => {
    const cap = 100_000;
    await using scene = await open(
      ({ text }, n) => {
        const next = Math.ceil(Buffer.byteLength(text) / 4);
        const prompt_tokens = cap - next - 2500;
        const usage = { prompt_tokens, completion_tokens: 0 };
        return n === 0 ? { kind: "text", text: "hi", usage } : cut(1000);
      },
      { more: CAP },
    );
    await scene.say("hello");
    expect((await scene.say("how?")).text).toStartWith(
      `${HALF}\n\n(The answer was cut at 1,000 tokens: a daily cap on tokens or cost leaves no more for today; raise the cap, wait until midnight UTC,`,
    );
    expect(scene.bounds()).toEqual([4000, 1000]);
  });

  test.each([
    ["its own setting", "max_tokens = 700", 700, "that is max_tokens in [providers.n]; raise it"],
    ["nothing set for it", "", 4000, "is set and max_tokens in [providers.n] is not"],
  ])(
    "has the bound and the name of who answered, behind a fallback to %s",
    async (_, own, most, says) => {
      await using second = startModelServer([cut(most)]);
      await using scene = await open([{ kind: "status", status: 400 }], {
        provider: "max_tokens = 600",
        more: `[providers.n]\nbase_url = "${second.url}"\nmodel = "y"\n${own}\n[reliability]\nmax_retries = 0\nfallback_providers = ["n"]\n${CAP}`,
      });
      expect((await scene.say("how?")).text).toContain(says);
      const plan = (await scene.say("plan: rewrite everything")).last("error");
      expect(plan.message).toContain(says);
      expect(new Set(scene.bounds())).toEqual(new Set([600]));
      expect(second.requests.map(({ body }) => body.max_tokens)).toEqual([most, most]);
    },
  );

  test("is no longer than the setting whoever asks: a summary of pages, too", async () => {
    await using world = startOnlineWorld({ autoUse: true });
    const config = world.config.replace('"scripted"', '"scripted"\nmax_tokens = 300');
    await using scene = await openScene({ config: `${config}\n${CAP}` });
    await scene.say("plan: learn it");
    await scene.say("hello");
    expect(world.count("summary")).toBeGreaterThan(0);
    const bounds = world.model.requests.map(({ body }) => body.max_tokens);
    expect(new Set(bounds)).toEqual(new Set([300]));
  });

  test("asks for no more than max_tokens of the provider, in a chat as in a plan", async () => {
    const plan = '{"actions":[],"summary":"s"}';
    const replies: Reply[] = [
      { kind: "text", text: "hi" },
      { kind: "text", text: plan },
    ];
    await using scene = await open(replies, { provider: "max_tokens = 600" });
    await scene.say("hello");
    await scene.say("plan: add a file");
    expect(scene.bounds()).toEqual([600, 600]);
  });

  test.each([
    [
      "ru",
      "(Ответ обрезан (токенов: 50): больше не даёт провайдер; задайте max_tokens в [providers.m]",
    ],
    ["zh", "(回答被截断（50 个词元）：提供方不允许更长"],
  ])("is told in %s", async (language, says) => {
    await using scene = await open([cut(50)], { language });
    expect((await scene.say("how?")).text).toStartWith(`${HALF}\n\n${says}`);
  });

  test("in a block of code ends the block before it says so", async () => {
    await using scene = await open([cut(50, "So:\n\n```ts\nconst a =")]);
    const { text } = await scene.say("write it");
    expect(text).toStartWith("So:\n\n```ts\nconst a =\n```\n\n(The answer was cut at 50 tokens");
  });

  test("without a word of it is an error that says why", async () => {
    await using scene = await open([cut(4000, "")], { more: CAP });
    const reply = await scene.say("think hard");
    expect(reply.kinds).toEqual(["error", "done"]);
    const { code, message } = reply.last("error");
    expect(code).toBe("LLM_ANSWER_CUT");
    expect(message).toContain("at 4,000 tokens");
  });

  test("runs none of the tools that it called", async () => {
    const call = { index: 0, id: "c", function: { name: "remember", arguments: '{"text":"al' } };
    const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
    const raw =
      chunk({ index: 0, delta: { content: "I note it." } }) +
      chunk({ index: 0, delta: { tool_calls: [call] } }) +
      chunk({ index: 0, delta: {}, finish_reason: "length" });
    await using scene = await open([
      { kind: "raw", chunks: [raw, "data: [DONE]\n\n"] },
      { kind: "text", text: "ok" },
    ]);
    const reply = await scene.say("remember all of it");
    expect(reply.text).toBe("I note it.");
    expect(reply.kinds).not.toContain("tool_call");
    expect(reply.last("error").message).toContain("; the tools that it called were not run");
    expect(scene.model.requests).toHaveLength(1);
    await scene.say("and now?");
    const [, , answer] = scene.model.requests[1]?.body.messages ?? [];
    expect(answer?.content).toContain("I note it.\n\n(The answer was cut");
    expect(answer).not.toHaveProperty("tool_calls");
  });
});

describe("a plan that was cut", () => {
  const HALF_PLAN = '{"actions":[],"summary":"1. change a.txt so that';

  test.each(BOUNDS.slice(0, 3))(
    "where $by cut it is not asked for again, and says what to change",
    async ({ options, tokens, says }) => {
      await using scene = await open([cut(tokens, HALF_PLAN)], options);
      const { code, message } = (await scene.say("plan: rewrite everything")).last("error");
      expect(code).toBe("LLM_ANSWER_CUT");
      expect(message).toStartWith(`Cannot use the model's answer: The answer was cut ${says}`);
      expect(scene.model.requests).toHaveLength(1);
    },
  );

  test("counts where it is whole all the same", async () => {
    await using scene = await open([cut(50, '{"actions":[],"summary":"s"} and')]);
    expect((await scene.say("plan: add a file")).kinds).toContain("plan");
  });
});

describe("an answer that a filter withheld", () => {
  test("is told as that, and what came before is not whole to the model", async () => {
    const half: Reply = { kind: "text", text: "First,", finishReason: "content_filter" };
    await using scene = await open([half, { kind: "text", text: "ok" }]);
    const reply = await scene.say("how?");
    expect(reply.text).toBe("First,");
    expect(reply.last("error").message).toContain("content filter withheld it");
    await scene.say("and?");
    const messages = scene.model.requests[1]?.body.messages ?? [];
    expect(messages.map(({ content }) => content)).toContain(
      "First,\n\n(The answer broke off here.)",
    );
  });
});
