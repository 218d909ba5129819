import { describe, expect, test } from "bun:test";
import type { Emit, Press } from "../../../src/channels/channel.ts";
import { parseButtonData, stampButtons } from "../../../src/channels/telegram/message/message.ts";
import { createOutbox } from "../../../src/store/chats/outbox.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";
import { PREVIEW } from "./preview.ts";

const { sentAgain } = textsIn("en").telegram;
const LONG = "x".repeat(5000);

/** What was shown with live buttons, oldest first. */
function shown(bench: Bench) {
  return bench.api.sent().filter(({ buttons }) => buttons.length > 0);
}

/** Asks for approval of a diff whose first send is cut off behind Telegram's back. */
async function openTwice(diff: string, method: string) {
  const approved: Press[] = [];
  const bench = await openBench({
    say: (_, emit: Emit) =>
      emit({ kind: "approval", approvalId: "ap_1", preview: { ...PREVIEW, diff } }),
    act: async (press, emit) => {
      approved.push(press);
      await emit({ kind: "content", text: "done" });
    },
  });
  bench.api.fail(method, { kind: "reset" });
  bench.api.say(OWNER, "go");
  const [older, newer] = await bench.api.waitFor(() => {
    const copies = shown(bench);
    return bench.channel.status()["outbox"] === 0 && copies.length === 2 && copies;
  });
  if (!older || !newer) throw new Error("two copies were waited for");
  return { bench, approved, older, newer };
}

describe.each([
  ["text", "+a", "sendMessage"],
  ["file", `+${LONG}`, "sendDocument"],
])("A question that may have been sent twice, as %s,", (_, diff, method) => {
  test("says so when its older copy is pressed, and loses those buttons", async () => {
    const { bench, approved, older, newer } = await openTwice(diff, method);
    await using _bench = bench;
    using _time = bench.holdTime(); // what takes long is not answered by a word
    bench.api.press(OWNER, older.messageId, older.buttons[0]?.data ?? "");
    const popUp = await bench.api.waitFor(() => bench.api.popUps[0]);
    expect(popUp.text).toBe(sentAgain);
    await bench.api.waitFor(() => shown(bench).length === 1);
    expect(shown(bench)[0]?.messageId).toBe(newer.messageId);
    expect(approved).toEqual([]);
  });

  test("is answered by its newest copy, once", async () => {
    const { bench, approved, older, newer } = await openTwice(diff, method);
    await using _bench = bench;
    bench.api.press(OWNER, newer.messageId, newer.buttons[0]?.data ?? "");
    await bench.api.waitForText("done");
    using _time = bench.holdTime();
    bench.api.press(OWNER, older.messageId, older.buttons[0]?.data ?? "");
    await bench.api.waitFor(() => bench.api.popUps.some(({ text }) => text === sentAgain));
    expect(approved).toEqual([{ act: "approve", ref: "ap_1" }]);
  });

  test("is answered by data without a copy, as earlier versions sent it", async () => {
    const { bench, approved, older } = await openTwice(diff, method);
    await using _bench = bench;
    bench.api.press(OWNER, older.messageId, "approve:ap_1");
    await bench.api.waitForText("done");
    expect(approved).toEqual([{ act: "approve", ref: "ap_1" }]);
  });
});

test("createTelegramChannel() takes the press on a copy when the newer one was given up", async () => {
  const { bench, approved, older } = await openTwice("+a", "sendMessage");
  await using _bench = bench;
  bench.store.run("UPDATE outbox SET state = 'failed'");
  bench.api.press(OWNER, older.messageId, older.buttons[0]?.data ?? "");
  await bench.api.waitForText("done");
  expect(approved).toHaveLength(1);
});

test("createTelegramChannel() goes on with a press that came in before the newer copy was sent", async () => {
  const pressed: Press[] = [];
  const store = memoryStore();
  const over = new AbortController();
  await using bench = await openBench({
    store,
    say: (_, emit) =>
      emit({ kind: "approval", approvalId: "ap_1", preview: { ...PREVIEW, diff: "+a" } }),
    act: async (press, emit) => {
      pressed.push(press);
      if (pressed.length === 1)
        await new Promise((end) => over.signal.addEventListener("abort", end));
      await emit({ kind: "content", text: "done" });
    },
  });
  bench.api.fail("sendMessage", { kind: "hang" });
  bench.api.say(OWNER, "go");
  const older = await bench.api.waitFor(() => shown(bench)[0]);
  bench.api.press(OWNER, older.messageId, older.buttons[0]?.data ?? "");
  await bench.api.waitFor(() => pressed.length === 1);
  await bench.stop(0);
  over.abort();
  await bench.restart();
  await bench.api.waitForText("done");
  expect(pressed).toHaveLength(2);
  expect(shown(bench)).not.toHaveLength(0);
});

test("createTelegramChannel() asks again after a kill, and only the newer question counts", async () => {
  const approved: Press[] = [];
  await using bench = await openBench({
    say: (_, emit) =>
      emit({ kind: "approval", approvalId: "ap_1", preview: { ...PREVIEW, diff: "+a" } }),
    act: async (press, emit) => {
      approved.push(press);
      await emit({ kind: "content", text: "done" });
    },
  });
  bench.api.fail("sendMessage", { kind: "hang" });
  bench.api.say(OWNER, "go");
  const older = await bench.api.waitFor(() => shown(bench)[0]);
  await bench.stop(0);
  await bench.restart();
  const newer = await bench.api.waitFor(
    () => bench.channel.status()["outbox"] === 0 && shown(bench)[1],
  );
  using _time = bench.holdTime();
  bench.api.press(OWNER, older.messageId, older.buttons[0]?.data ?? "");
  await bench.api.waitFor(() => bench.api.popUps.some(({ text }) => text === sentAgain));
  bench.api.press(OWNER, newer.messageId, newer.buttons[0]?.data ?? "");
  await bench.api.waitForText("done");
  expect(approved).toHaveLength(1);
});

describe("a question with a page to read it on", () => {
  const ask = (diff: string) => ({
    kind: "approval" as const,
    approvalId: "ap_1",
    preview: { ...PREVIEW, diff },
  });
  test.each([
    ["sendMessage", "-x\n+y\n"],
    ["sendDocument", "+y\n".repeat(3000)],
  ] as const)(
    "is asked by %s without it where Telegram takes no such button",
    async (method, diff) => {
      await using bench = await openBench({
        say: (_, emit) => emit(ask(diff)),
        options: { reviewPage: (id) => ({ label: "Review", url: `https://x.invalid/app/${id}` }) },
      });
      const description = "Bad Request: inline keyboard button Web App URL is invalid";
      const refuses = (payload: object) => JSON.stringify(payload).includes("web_app");
      bench.api.fail(method, { kind: "status", status: 400, description }, 9, refuses);
      bench.api.say(OWNER, "go");
      const sent = await bench.api.waitFor(() => {
        return bench.api.sent(OWNER).find(({ buttons }) => buttons.length > 0);
      });
      expect(sent.buttons.map(({ label }) => label)).toEqual(["Approve", "Reject"]);
      const tries = bench.api.calls.filter(
        (call) => call.method === method && refuses(call.payload),
      );
      expect(tries).toHaveLength(1);
    },
  );
});

describe("stampButtons()", () => {
  const copy = { id: 123_456, createdAt: 1_763_900_000_000, tries: 2 };
  const stamp = (data: string) => {
    const keyboard = { inline_keyboard: [[{ text: "x", callback_data: data }]] };
    const key = stampButtons(keyboard, copy).inline_keyboard[0]?.[0];
    return key && "callback_data" in key ? key.callback_data : "";
  };

  test("leaves a button that opens a page as it is", () => {
    const keyboard = {
      inline_keyboard: [[{ text: "x", web_app: { url: "https://a.example/app" } }]],
    };
    expect(stampButtons(keyboard, copy)).toEqual(keyboard);
  });

  test("says which copy a button is on, and parseButtonData() reads it", () => {
    const data = stamp("approve:ap_06ax3k0m2v5r8t1w");
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    expect(parseButtonData(data)).toEqual({
      press: { act: "approve", ref: "ap_06ax3k0m2v5r8t1w" },
      copy,
    });
  });

  test("leaves data alone that would grow over what Telegram carries", () => {
    const data = `use_ws:${"я".repeat(25)}`;
    expect(stamp(data)).toBe(data);
    expect(parseButtonData(data)?.copy).toBeUndefined();
  });
});

test("createOutbox() tells a copy from one of a row that had the same number before", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  const call = { chatId: "77", method: "sendMessage", payloadJson: "{}" };
  outbox.add(call, 1000);
  const [first] = outbox.heads();
  const copy = { id: first?.id ?? 0, createdAt: 1000, tries: 1 };
  outbox.beginSend(copy.id);
  expect(outbox.newerCopy(copy)).toBeUndefined();
  outbox.recover();
  expect(outbox.newerCopy(copy)).toBeUndefined();
  outbox.beginSend(copy.id);
  expect(outbox.newerCopy(copy)).toBe("coming");
  const sending = outbox.heads()[0];
  if (sending) outbox.markSent(sending, 5);
  expect(outbox.newerCopy(copy)).toBe("sent");
  expect(outbox.newerCopy({ ...copy, createdAt: 999 })).toBeUndefined();
  expect(outbox.newerCopy({ ...copy, tries: 2 })).toBeUndefined();
});

test("createOutbox() knows the copy of a file whose text goes on as messages", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  outbox.add({ chatId: "77", method: "sendDocument", payloadJson: "{}" }, 1000);
  const file = outbox.beginSend(1);
  if (!file) throw new Error("the row was just added");
  outbox.retry(file.id, { notBefore: 0, inDoubt: true });
  const first = outbox.beginSend(1);
  expect(first?.inDoubt).toBe(1);
  if (first) outbox.goOn(first, { ...first, payloadJson: '{"shown":1}' }, 0);
  const next = outbox.beginSend(1);
  expect(next).toMatchObject({ inDoubt: 2, payloadJson: '{"shown":1}' });
  expect(outbox.newerCopy(file)).toBe("coming");
  outbox.recover();
  expect(outbox.heads()[0]?.inDoubt).toBe(1);
});
