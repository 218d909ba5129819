import { describe, expect, test } from "bun:test";
import type { Emit } from "../../../src/channels/channel.ts";
import type { Provider, ProviderEvent } from "../../../src/providers/provider.ts";
import { openScene, WRITER } from "../../agent/scene.ts";
import { spy } from "../../security/attack-scene.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";

const OLD = -7;
const NEW = -1007;
const group = { id: OLD, type: "group", title: "Team" };
const supergroup = { id: NEW, type: "supergroup", title: "Team" };

/** The two messages of Telegram itself, in the old chat and as the first of the new one. */
const NEWS = {
  "in the old chat": (bench: Bench) =>
    bench.api.say(OWNER, "", { text: undefined, chat: group, migrate_to_chat_id: NEW }),
  "in the new chat": (bench: Bench) =>
    bench.api.say(OWNER, "", { text: undefined, chat: supergroup, migrate_from_chat_id: OLD }),
};

/** The owner calls the bot in a group. */
function address({ api }: Bench, text: string, chat: object): number {
  const called = `@${api.username}`;
  const entities = [{ type: "mention", offset: 0, length: called.length }];
  return api.say(OWNER, `${called} ${text}`, { chat, entities });
}

/** Resolves once the bot has taken in all that was said to it. */
async function takenIn(bench: Bench, updateId: number): Promise<void> {
  const find = bench.store.query("SELECT 1 FROM inbox WHERE update_id = ?");
  await bench.api.waitFor(() => find.get(updateId) !== null);
}

/** A model whose answers wait until the test lets each of them go. */
function slowModel(steps: readonly (readonly ProviderEvent[])[]) {
  const gates = steps.map(() => Promise.withResolvers<void>());
  const asked: unknown[] = [];
  const provider: Provider = {
    name: "scripted",
    model: "m",
    async *stream(request) {
      asked.push(request);
      const at = asked.length - 1;
      await gates[at]?.promise;
      yield* steps[at] ?? say("end");
    },
  };
  return { provider, asked, go: (step: number) => gates[step]?.resolve() };
}

const usage = { inputTokens: 1, outputTokens: 1 };

function say(text: string): readonly ProviderEvent[] {
  return [
    { kind: "content", text },
    { kind: "end", reason: "stop", usage },
  ];
}

function call(name: string): readonly ProviderEvent[] {
  return [
    { kind: "tool_call", call: { id: `of ${name}`, name, arguments: "{}" } },
    { kind: "end", reason: "tool_calls", usage },
  ];
}

test("a group that becomes a supergroup while its message is worked on gets one effect and one answer", async () => {
  const [look, change] = [spy("look", "none"), spy("change", "change")];
  const steps = [call("look"), call("change"), say("asked"), say("It is done."), say("I know.")];
  const model = slowModel(steps);
  const { provider } = model;
  using scene = await openScene({ provider, tools: [look, change], author: WRITER });
  await using bench = await openBench({ options: { conversation: scene.conversation } });
  const { api } = bench;
  address(bench, "look and change it", group);
  await api.waitFor(() => model.asked.length === 1);
  api.migrate(OLD, NEW);
  NEWS["in the old chat"](bench);
  await takenIn(bench, NEWS["in the new chat"](bench));
  for (const step of steps.keys()) model.go(step);
  const asked = await api.waitFor(() => api.sent(NEW).find(({ buttons }) => buttons.length > 0));
  const yes = asked.buttons.find(({ label }) => label === "Approve");
  api.press(OWNER, asked.messageId, yes?.data ?? "");
  await api.waitForText("It is done.");
  expect([look.runs.length, change.runs.length]).toEqual([1, 1]);
  // What is said in the new chat goes on with what was said in the old one.
  address(bench, "do you remember?", supergroup);
  await api.waitForText("I know.");
  expect(JSON.stringify(model.asked.at(-1))).toContain("look and change it");
  expect(api.sent(OLD)).toEqual([]);
  const said = api.texts(NEW);
  expect(said.filter((text) => text.includes("It is done."))).toHaveLength(1);
  expect(said.filter((text) => text.includes("change ran"))).toHaveLength(1);
  await api.waitFor(() => bench.channel.status()["outbox"] === 0);
  expect(bench.channel.status()["inbox"]).toBe(0);
});

describe("what is sent to a group before its move is known", () => {
  test.each([
    ["a text", (emit: Emit) => emit({ kind: "content", text: "It is done." })],
    ["a question", (emit: Emit) => emit({ kind: "call_approval", ...question })],
    [
      "a long answer",
      (emit: Emit) => emit({ kind: "content", text: "It is done.\n\n".repeat(2000) }),
    ],
  ])("%s arrives in the new one, once and in order", async (_, answer) => {
    await using bench = await openBench({
      async say(text, emit) {
        await emit({ kind: "content", text: `first ${text}` });
        await answer(emit);
      },
    });
    const { api } = bench;
    api.migrate(OLD, NEW);
    address(bench, "go", group);
    await api.waitFor(() => api.sent(NEW).length > 0);
    await api.waitFor(() => bench.channel.status()["outbox"] === 0);
    expect(api.sent(OLD)).toEqual([]);
    expect(api.texts(NEW)[0]).toContain("first go");
    const refused = api.calls.filter(({ payload }) => Number(payload["chat_id"]) === OLD);
    expect(refused.filter(({ method }) => method.startsWith("sendM"))).toHaveLength(1);
    expect(bench.logged.filter(({ event }) => event === "TELEGRAM_SEND_GIVEN_UP")).toEqual([]);
  });
});

const question = {
  approvalId: "ap_1",
  tool: "change",
  args: {},
  shown: "change it",
  reason: "it changes something",
} as const;

test("an answer that was growing in the old group ends whole in the new one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "It begins. " });
      await promise;
      await emit({ kind: "content", text: "It ends." });
    },
  });
  const { api } = bench;
  address(bench, "go", group);
  await api.waitForText("It begins.");
  api.migrate(OLD, NEW);
  resolve();
  await api.waitFor(() => api.texts(NEW).includes("It begins. It ends."));
  await api.waitFor(() => bench.channel.status()["outbox"] === 0);
  expect(api.texts(NEW)).toEqual(["It begins. It ends."]);
});

test("a button in the old group counts for who was asked there", async () => {
  await using bench = await openBench({
    say: (_, emit) => emit({ kind: "call_approval", ...question }),
    act: (_, emit) => emit({ kind: "content", text: "It ran." }),
  });
  const { api } = bench;
  address(bench, "go", group);
  const asked = await api.waitFor(() => api.sent(OLD).find(({ buttons }) => buttons.length > 0));
  api.migrate(OLD, NEW);
  NEWS["in the old chat"](bench);
  api.press(OWNER, asked.messageId, asked.buttons[0]?.data ?? "");
  await api.waitForText("It ran.");
  address(bench, "once more", supergroup);
  await api.waitFor(() => bench.script.received.length === 2);
  const sessions = [...bench.script.received, ...bench.script.presses];
  expect(new Set(sessions.map(({ speaker }) => speaker.sessionId))).toEqual(
    new Set([`telegram:${OLD}`]),
  );
  expect(api.sent(NEW).map(({ text }) => text)).toContain("It ran.");
});

test.each(Object.entries(NEWS))(
  "a message %s alone says that a group became a supergroup",
  async (_, tell) => {
    await using bench = await openBench();
    const { api } = bench;
    address(bench, "one", group);
    await api.waitForText("echo: one");
    api.migrate(OLD, NEW);
    tell(bench);
    address(bench, "two", supergroup);
    await api.waitForText("echo: two");
    const [one, two] = bench.script.received.map(({ speaker }) => speaker.sessionId);
    expect(two).toBe(one ?? "");
    await bench.restart();
    address(bench, "three", supergroup);
    await api.waitForText("echo: three");
    expect(bench.script.received.at(-1)?.speaker.sessionId).toBe(one ?? "");
  },
);

/** The groups, and whether the owner wrote in the new one before the bot heard that it is the old one. */
const MOVES = [
  ["the conversation goes on under the old name", false],
  ["the conversation of the new group takes over", true],
] as const;

test.each(MOVES)(
  "takeEdit() takes a message of the new group for none of the same number in the old one: %s",
  async (_, isNewKnown) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using bench = await openBench({
      async say(text, emit) {
        if (text.includes("long")) await promise;
        await emit({ kind: "content", text: `echo: ${text}` });
      },
    });
    const { api } = bench;
    const addressed = (text: string, chat: object, message_id: number) => {
      const called = `@${api.username}`;
      const entities = [{ type: "mention", offset: 0, length: called.length }];
      return api.say(OWNER, `${called} ${text}`, { chat, entities, message_id });
    };
    if (isNewKnown) {
      addressed("in the new one", supergroup, 1);
      await api.waitForText("echo: in the new one");
    }
    addressed("a long one", group, 4);
    addressed("an important one", group, 5);
    api.migrate(OLD, NEW);
    NEWS["in the old chat"](bench);
    const from = { id: OWNER, is_bot: false, first_name: "U" };
    const talk = { message_id: 5, date: 1, chat: supergroup, from, text: "lunch at noon?" };
    api.push({ message: talk });
    await takenIn(bench, api.push({ edited_message: { ...talk, text: "lunch at one?" } }));
    const begun = { ...talk, message_id: 4 };
    await takenIn(bench, api.push({ edited_message: { ...begun, text: "dinner?" } }));
    addressed("a third", supergroup, 6);
    const edited = { ...talk, message_id: 6, text: `@${api.username} a third, mended` };
    const entities = [{ type: "mention", offset: 0, length: api.username.length + 1 }];
    await takenIn(bench, api.push({ edited_message: { ...edited, entities } }));
    resolve();
    await api.waitForText("echo: a third, mended");
    expect(bench.script.received.map(({ text }) => text.replace(/@\S+ /u, ""))).toEqual([
      ...(isNewKnown ? ["in the new one"] : []),
      "a long one",
      "an important one",
      "a third, mended",
    ]);
    expect(api.texts().filter((text) => text.includes("already started"))).toEqual([]);
  },
);
