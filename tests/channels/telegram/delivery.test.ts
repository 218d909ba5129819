import { expect, test } from "bun:test";
import { createOutbox } from "../../../src/store/chats/outbox.ts";
import { EN } from "../../../src/texts/en.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { cutShort } from "../../support/patience.ts";
import { OWNER, openBench } from "./bench.ts";

const DOUBT = "(may be a duplicate) ";
/** As many people as messages are sent at a time. */
const SLOW = Array.from({ length: 16 }, (_, i) => 1000 + i);

test("sendRow() waits as long as a 429 says and keeps the order of the chat", async () => {
  await using bench = await openBench();
  bench.api.fail("sendMessage", { kind: "status", status: 429, retryAfterSeconds: 3 });
  bench.api.say(OWNER, "one");
  bench.api.say(OWNER, "two");
  await bench.api.waitForText("echo: two");
  expect(bench.api.texts()).toEqual(["echo: one", "echo: two"]);
  expect(Math.max(...bench.slept)).toBe(3000);
});

test("runBot() answers a chat at once while more are slowed down than may be sent to at a time", async () => {
  await using bench = await openBench({ options: { allowedUserIds: () => [OWNER, ...SLOW] } });
  const { api } = bench;
  const isSlow = ({ chat_id }: Readonly<Record<string, unknown>>) => Number(chat_id) !== OWNER;
  const slowedDown = { kind: "status", status: 429, retryAfterSeconds: 3600 } as const;
  api.fail("sendMessage", slowedDown, SLOW.length, isSlow);
  const time = bench.holdTime();
  for (const id of SLOW) api.say(id, `hi ${id}`);
  await api.waitFor(() => bench.slept.filter((ms) => ms === 3_600_000).length === SLOW.length);
  api.say(OWNER, "me, too");
  await api.waitForText("echo: me, too");
  expect(api.texts()).toEqual(["echo: me, too"]);
  time[Symbol.dispose]();
  for (const id of SLOW) await api.waitForText(`echo: hi ${id}`);
});

test("sendRow() waits an hour at most, though the clock was set back by a day", async () => {
  await using bench = await openBench({
    before(_api, store) {
      const outbox = createOutbox(store);
      const now = Date.now();
      const payloadJson = JSON.stringify({ chat_id: OWNER, text: "hi" });
      outbox.add({ chatId: String(OWNER), method: "sendMessage", payloadJson }, now);
      outbox.retry(1, { notBefore: now + 24 * 3_600_000, inDoubt: false });
    },
  });
  await bench.api.waitFor(() => bench.slept.includes(3_600_000));
  expect(Math.max(...bench.slept)).toBe(3_600_000);
});

test("sendRow() tries again on 5xx, and doubts nothing that Telegram refused", async () => {
  await using bench = await openBench();
  bench.api.fail("sendMessage", { kind: "status", status: 502 }, 2);
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  expect(bench.api.texts()).toEqual(["echo: hi"]);
  const tries = bench.logged.filter(({ event }) => event === "TELEGRAM_SEND_RETRY");
  expect(tries).toHaveLength(2);
});

test.each(["reset", "hang"] as const)(
  "sendRow() marks a message whose first try may have arrived (%s)",
  async (kind) => {
    let texts: readonly string[] = [];
    const sayInto = async (limitMs: number) => {
      await using bench = await openBench({ options: { requestSeconds: limitMs / 1000 } });
      bench.api.fail("sendMessage", { kind });
      bench.api.say(OWNER, "hi");
      await bench.api.waitForText(DOUBT);
      texts = bench.api.texts();
    };
    // Only the try that hangs may come to the limit, however busy the machine is.
    await cutShort(sayInto, () => texts.length === 2 && texts[0] === "echo: hi");
    expect(texts).toEqual(["echo: hi", `${DOUBT}echo: hi`]);
  },
);

test("sendRow() doubts nothing when no connection came about", async () => {
  await using bench = await openBench();
  await bench.api.stop();
  await bench.channel.deliver("good morning");
  await bench.api.waitFor(() => bench.logged.some(({ event }) => event === "TELEGRAM_SEND_RETRY"));
  const [row] = createOutbox(bench.store).heads();
  expect(row).toMatchObject({ inDoubt: 0 });
});

test.each(["en", "ru", "zh"] as const)(
  "createTelegramChannel() marks what may have arrived in the language of who reads it (%s)",
  async (language) => {
    const mark = textsIn(language).telegram.maybeTwice;
    // Whoever cuts a text to what Telegram takes leaves room for the longest.
    expect(mark.length).toBeLessThanOrEqual(DOUBT.length);
    if (language !== "en") expect(mark).not.toMatch(/[a-z]/iu);
    await using bench = await openBench({
      options: { texts: () => textsIn(language) },
      before(_, store) {
        const outbox = createOutbox(store);
        const payloadJson = JSON.stringify({ chat_id: OWNER, text: "x" });
        outbox.add({ chatId: String(OWNER), method: "sendMessage", payloadJson }, 1);
        outbox.beginSend(1);
      },
    });
    await bench.api.waitForText("x");
    expect(bench.api.texts()).toEqual([`${mark}x`]);
  },
);

test("createTelegramChannel() marks after a crash what was just being sent, and nothing else", async () => {
  await using bench = await openBench({
    before(_, store) {
      const outbox = createOutbox(store);
      for (const text of ["under way", "waiting"]) {
        const payloadJson = JSON.stringify({ chat_id: OWNER, text });
        outbox.add({ chatId: String(OWNER), method: "sendMessage", payloadJson }, 1);
      }
      outbox.beginSend(1);
    },
  });
  await bench.api.waitForText("waiting");
  expect(bench.api.texts()).toEqual([`${DOUBT}under way`, "waiting"]);
});

test("sendRow() gives up on somebody who blocked the bot and goes on with the next message", async () => {
  await using bench = await openBench();
  bench.api.fail("sendMessage", { kind: "status", status: 403, description: "Forbidden: blocked" });
  bench.api.say(OWNER, "one");
  bench.api.say(OWNER, "two");
  await bench.api.waitForText("echo: two");
  expect(bench.api.texts()).toEqual(["echo: two"]);
  expect(bench.store.query("SELECT state, tries, error FROM outbox WHERE id = 1").values()).toEqual(
    [["failed", 1, "403 Forbidden: blocked"]],
  );
});

test("sendRow() falls back to plain text once when Telegram cannot read the markup", async () => {
  await using bench = await openBench();
  const description = "Bad Request: can't parse entities: no end tag";
  bench.api.fail("sendMessage", { kind: "status", status: 400, description });
  bench.api.say(OWNER, "1 < 2");
  const sent = await bench.api.waitForText("echo: 1 < 2");
  expect(sent.html).toBe("echo: 1 < 2");
});

test("sendRow() does not fall back for ever", async () => {
  await using bench = await openBench();
  const description = "Bad Request: can't parse entities: whatever";
  bench.api.fail("sendMessage", { kind: "status", status: 400, description }, 2);
  bench.api.say(OWNER, "one");
  bench.api.say(OWNER, "two");
  await bench.api.waitForText("did not take a message");
  expect(bench.api.texts()).toEqual(["echo: two", expect.stringContaining(description)]);
});

/** What Telegram says of a message that it does not take, and what is left out for it. */
const REFUSALS = [
  ["Bad Request: message thread not found", "topic"],
  ["Bad Request: TOPIC_CLOSED", "topic"],
  ["Bad Request: TOPIC_DELETED", "topic"],
  ["Bad Request: Button_data_invalid", "buttons"],
  ["Bad Request: reply markup is too long", "buttons"],
  ["Bad Request: inline keyboard expected", "buttons"],
  ["Bad Request: message is too long", "markup"],
  ["Bad Request: ENTITY_BOUNDS_INVALID", "markup"],
  ["Bad Request: wrong HTTP URL", "markup"],
  ["Bad Request: something that nobody has read before", "markup"],
] as const;

/** Asks in a topic of a group, with buttons. */
function openTopic() {
  const press = { act: "use_ws", ref: "w" } as const;
  return openBench({
    say: (_, emit) =>
      emit({ kind: "choice", text: "**which** one?", options: [{ label: "this", press }] }),
  });
}

const TOPIC = {
  chat: { id: -100, type: "supergroup", title: "G", is_forum: true },
  is_topic_message: true,
  message_thread_id: 9,
};

const has: Readonly<Record<string, (payload: Readonly<Record<string, unknown>>) => boolean>> = {
  topic: (payload) => "message_thread_id" in payload,
  buttons: (payload) => "reply_markup" in payload,
  markup: (payload) => "parse_mode" in payload,
};

test.each(REFUSALS)(
  "sendRow() shows a message of which Telegram says %j without %s",
  async (description, without) => {
    await using bench = await openTopic();
    const { api } = bench;
    api.fail("sendMessage", { kind: "status", status: 400, description }, 9, has[without]);
    api.say(OWNER, `/ws@${api.username}`, TOPIC);
    const { text, buttons } = await api.waitForText("which");
    const last = api.calls.findLast(({ method }) => method === "sendMessage");
    const kept = Object.keys(has).filter((part) => has[part]?.(last?.payload ?? {}));
    expect(kept).toEqual(
      { topic: ["markup"], buttons: ["topic", "markup"], markup: ["topic", "buttons"] }[without],
    );
    expect(buttons).toHaveLength(without === "markup" ? 1 : 0);
    // Words are no answer to a choice.
    const { noTopicElse, noButtonsElse } = EN.telegram;
    const note = without === "topic" ? noTopicElse : noButtonsElse;
    const said = without === "markup" ? text : `which one?\n\n${note}`;
    expect(text).toBe(said);
    expect(text).not.toContain("in words");
    await api.waitFor(() => bench.channel.status()["outbox"] === 0);
  },
);

test("sendRow() leaves out one part after the other, and says where nothing of it is taken", async () => {
  await using bench = await openTopic();
  const { api } = bench;
  const description = "Bad Request: nobody knows";
  const isAnswer = ({ text }: Readonly<Record<string, unknown>>) => String(text).includes("which");
  api.fail("sendMessage", { kind: "status", status: 400, description }, 1e6, isAnswer);
  api.say(OWNER, `/ws@${api.username}`, TOPIC);
  const told = await api.waitForText(description);
  expect(told).toMatchObject({ chatId: -100, buttons: [] });
  const tries = api.calls.filter(({ payload }) => isAnswer(payload));
  expect(
    tries.map(({ payload }) => Object.keys(has).filter((part) => has[part]?.(payload))),
  ).toEqual([["topic", "buttons", "markup"], ["topic", "buttons"], ["topic"], []]);
});

test("sendRow() tells the owner once a day of a group that takes nothing, and says nothing there", async () => {
  await using bench = await openTopic();
  const { api } = bench;
  const description = "Bad Request: not enough rights to send text messages to the chat";
  const isThere = ({ chat_id }: Readonly<Record<string, unknown>>) => chat_id === -100;
  api.fail("sendMessage", { kind: "status", status: 400, description }, 1e6, isThere);
  for (const _ of "12") api.say(OWNER, `/ws@${api.username}`, TOPIC);
  await api.waitForText("takes nothing from me in the chat -100");
  await api.waitFor(() => api.calls.filter(({ payload }) => isThere(payload)).length === 4);
  await api.waitFor(() => bench.channel.status()["outbox"] === 0);
  expect(api.sent()).toHaveLength(1);
});

test("createTelegramChannel() cuts a long answer into messages that Telegram takes, in order", async () => {
  const lines = Array.from({ length: 900 }, (_, i) => `line ${i} & more`);
  await using bench = await openBench({
    say: (_, emit) => emit({ kind: "content", text: lines.join("\n") }),
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("line 899");
  const texts = bench.api.texts();
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.join("\n").split(/\n+/)).toEqual(lines);
});

test("createTelegramChannel() shows no link previews and masks secrets", async () => {
  await using bench = await openBench({
    options: { redact: (text) => text.replaceAll("hunter2", "[secret]") },
    async say(_, emit) {
      await emit({ kind: "content", text: "hunt" });
      await emit({ kind: "content", text: "er2" });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("[secret]");
  await bench.channel.deliver("hunter2 again");
  await bench.api.waitForText("[secret] again");
  for (const { payload } of bench.api.calls.filter(({ method }) => method === "sendMessage")) {
    expect(payload["link_preview_options"]).toEqual({ is_disabled: true });
  }
});

test("deliver() queues for the owner, who is the first on the list, or says that there is nobody", async () => {
  await using bench = await openBench({ options: { allowedUserIds: () => [OWNER, 78] } });
  expect(await bench.channel.deliver("a <routine> ran")).toBe("queued");
  bench.api.say(78, "hi");
  await bench.api.waitForText("echo: hi");
  await bench.api.waitFor(() => bench.api.texts(OWNER).includes("a <routine> ran"));
  expect(bench.api.texts(78)).toEqual(["echo: hi"]);
  await using empty = await openBench({ options: { allowedUserIds: () => [] } });
  expect(await empty.channel.deliver("x")).toBe("nobody");
});

test("stop() lets what runs finish and sends what waits", async () => {
  const gate = Promise.withResolvers<void>();
  await using bench = await openBench({
    async say(text, emit) {
      await gate.promise;
      await emit({ kind: "content", text: `done: ${text}` });
    },
  });
  bench.api.say(OWNER, "work");
  await bench.api.waitFor(() => bench.script.received.length === 1);
  bench.api.fail("sendMessage", { kind: "status", status: 500 });
  const stopped = bench.stop();
  gate.resolve();
  await stopped;
  expect(bench.api.texts()).toEqual(["done: work"]);
  expect(bench.channel.status()).toMatchObject({ state: "stopped", inbox: 0, outbox: 0 });
});

test("stop() gives up when its signal ends, and the next start doubts what was under way", async () => {
  await using bench = await openBench({ options: { requestSeconds: 30 } });
  bench.api.fail("sendMessage", { kind: "hang" });
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  await bench.stop(20);
  expect(bench.channel.status()).toMatchObject({ outbox: 1 });
  await bench.restart();
  await bench.api.waitForText(`${DOUBT}echo: hi`);
});
