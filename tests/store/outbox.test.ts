import { expect, test } from "bun:test";
import { createOutbox, type Outbox, type OutboxRow } from "../../src/store/chats/outbox.ts";
import { memoryStore } from "../support/fresh-store.ts";

function add(outbox: Outbox, chatId: string, text: string, now = 10): void {
  outbox.add({ chatId, method: "sendMessage", payloadJson: JSON.stringify({ text }) }, now);
}

function put(outbox: Outbox, part: number, text: string): void {
  const payloadJson = JSON.stringify({ text });
  outbox.put({ chatId: "1", method: "sendMessage", payloadJson, turn: "4:1000", part }, 10);
}

function begin(outbox: Outbox, id: number): OutboxRow {
  const row = outbox.beginSend(id);
  if (row === undefined) throw new Error(`No row ${id}`);
  return row;
}

function heads(outbox: Outbox): string[] {
  return outbox.heads().map((row) => `${row.chatId} ${row.payloadJson}`);
}

test("heads() gives the oldest unsent message of each chat, the one under way included", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  add(outbox, "1", "b");
  add(outbox, "2", "c");
  const row = begin(outbox, 1);
  expect(heads(outbox)).toEqual(['1 {"text":"a"}', '2 {"text":"c"}']);
  outbox.markSent(row, 7);
  outbox.markFailed(begin(outbox, 3), "403 Forbidden");
  expect(heads(outbox)).toEqual(['1 {"text":"b"}']);
  expect(outbox.waitingCount()).toBe(1);
});

test("recover() puts back in doubt what a crash left under way, and nothing else", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  add(outbox, "2", "b");
  outbox.beginSend(1);
  expect(outbox.recover()).toBe(1);
  expect(outbox.heads().map((row) => row.inDoubt)).toEqual([1, 0]);
});

test("retry() keeps the place and a doubt once there", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  add(outbox, "1", "b");
  outbox.beginSend(1);
  outbox.retry(1, { notBefore: 500, inDoubt: true });
  outbox.beginSend(1);
  outbox.retry(1, { notBefore: 900, inDoubt: false });
  expect(outbox.heads()).toMatchObject([{ id: 1, inDoubt: 1, tries: 2, notBefore: 900 }]);
});

test("markSent() keeps the message id and forgets the text", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  outbox.markSent(begin(outbox, 1), 42);
  const rows = store.query("SELECT state, message_id, payload_json FROM outbox").values();
  expect(rows).toEqual([["sent", 42, ""]]);
});

test("put() replaces what waits, and has what was sent changed on the phone", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  put(outbox, 0, "a");
  put(outbox, 0, "a b");
  const first = begin(outbox, 1);
  expect(first).toMatchObject({ payloadJson: '{"text":"a b"}', messageId: null });
  outbox.markSent(first, 42);
  expect(heads(outbox)).toEqual([]);
  put(outbox, 0, "a b c");
  expect(outbox.heads()).toMatchObject([{ id: 1, payloadJson: '{"text":"a b c"}', messageId: 42 }]);
});

test("markSent(), markFailed() and replacePayload() leave alone what was put meanwhile", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  put(outbox, 0, "a");
  const row = begin(outbox, 1);
  put(outbox, 0, "a b");
  expect(store.query("SELECT state FROM outbox").values()).toEqual([["sending"]]);
  outbox.markSent(row, 42, 900);
  const next = { payloadJson: '{"text":"a b"}', messageId: 42, notBefore: 900 };
  expect(outbox.heads()).toMatchObject([next]);
  outbox.markFailed(row, "400");
  expect(outbox.heads()).toMatchObject([next]);
  outbox.replacePayload(row, "plain");
  expect(outbox.heads()).toMatchObject([next]);
});

test("withdraw() forgets what was not sent and removes what was, from one part on", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  for (const part of [0, 1, 2, 3]) put(outbox, part, String(part));
  outbox.markSent(begin(outbox, 1), 41);
  outbox.markSent(begin(outbox, 2), 42);
  const underWay = begin(outbox, 3);
  outbox.withdraw("4:1000", 1, { chatId: "1", method: "deleteMessage", payloadJson: "{}" });
  outbox.markSent(underWay, 43);
  const rows = store.query("SELECT id, method, state, message_id FROM outbox ORDER BY id").values();
  expect(rows).toEqual([
    [1, "sendMessage", "sent", 41],
    [2, "deleteMessage", "waiting", 42],
    [3, "deleteMessage", "waiting", 43],
  ]);
  outbox.markSent(begin(outbox, 2), undefined);
  put(outbox, 1, "again");
  expect(outbox.heads()).toMatchObject([{ id: 2, method: "sendMessage", messageId: null }]);
});

test("recover() doubts no change of a message that is on the phone", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  put(outbox, 0, "a");
  outbox.markSent(begin(outbox, 1), 42);
  put(outbox, 0, "a b");
  outbox.beginSend(1);
  outbox.recover();
  expect(outbox.heads()).toMatchObject([{ inDoubt: 0, messageId: 42 }]);
});

test("add() leaves the first of a part as it is, whatever comes under its name later", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  for (const text of ["first", "second"]) {
    const call = { chatId: "1", method: "sendMessage", payloadJson: text };
    outbox.add(call, 10, { turn: "4:1000", part: 0 });
  }
  expect(heads(outbox)).toEqual(["1 first"]);
  expect(outbox.waitingCount()).toBe(1);
});

test("put() and withdraw() count the tries of what is sent now, not of what was", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  put(outbox, 0, "a");
  begin(outbox, 1);
  outbox.retry(1, { notBefore: 0, inDoubt: false });
  put(outbox, 0, "a b");
  expect(outbox.heads()).toMatchObject([{ tries: 0 }]);
  outbox.markSent(begin(outbox, 1), 41);
  outbox.withdraw("4:1000", 0, { chatId: "1", method: "deleteMessage", payloadJson: "{}" });
  expect(outbox.heads()).toMatchObject([{ method: "deleteMessage", tries: 0 }]);
});

test("withdraw() forgets the very part it begins at, and nothing of another answer", () => {
  using store = memoryStore();
  const outbox = createOutbox(store);
  for (const part of [0, 1]) put(outbox, part, String(part));
  outbox.add({ chatId: "1", method: "sendMessage", payloadJson: "other" }, 10, {
    turn: "5:1000",
    part: 1,
  });
  outbox.withdraw("4:1000", 1, { chatId: "1", method: "deleteMessage", payloadJson: "{}" });
  const rows = store.query("SELECT id, method FROM outbox ORDER BY id").values();
  expect(rows).toEqual([
    [1, "sendMessage"],
    [3, "sendMessage"],
  ]);
});
