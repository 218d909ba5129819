import { expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { createOutbox, type Outbox } from "../../src/store/outbox.ts";

function add(outbox: Outbox, chatId: string, text: string, now = 10): void {
  outbox.add({ chatId, method: "sendMessage", payloadJson: JSON.stringify({ text }) }, now);
}

function heads(outbox: Outbox): string[] {
  return outbox.heads().map((row) => `${row.chatId} ${row.payloadJson}`);
}

test("heads() gives the oldest unsent message of each chat, the one under way included", () => {
  using store = openStore(":memory:");
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  add(outbox, "1", "b");
  add(outbox, "2", "c");
  outbox.beginSend(1);
  expect(heads(outbox)).toEqual(['1 {"text":"a"}', '2 {"text":"c"}']);
  outbox.markSent(1, 7);
  outbox.markFailed(3, "403 Forbidden");
  expect(heads(outbox)).toEqual(['1 {"text":"b"}']);
  expect(outbox.waitingCount()).toBe(1);
});

test("recover() puts back in doubt what a crash left under way, and nothing else", () => {
  using store = openStore(":memory:");
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  add(outbox, "2", "b");
  outbox.beginSend(1);
  expect(outbox.recover()).toBe(1);
  expect(outbox.heads().map((row) => row.inDoubt)).toEqual([1, 0]);
});

test("retry() keeps the place and a doubt once there", () => {
  using store = openStore(":memory:");
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
  using store = openStore(":memory:");
  const outbox = createOutbox(store);
  add(outbox, "1", "a");
  outbox.markSent(1, 42);
  const rows = store.query("SELECT state, message_id, payload_json FROM outbox").values();
  expect(rows).toEqual([["sent", 42, ""]]);
});

test("prune() forgets old rows that are sent or given up, never waiting ones", () => {
  using store = openStore(":memory:");
  const outbox = createOutbox(store);
  add(outbox, "1", "sent");
  add(outbox, "1", "failed");
  add(outbox, "1", "waits");
  add(outbox, "1", "young", 99);
  outbox.markSent(1, 1);
  outbox.markFailed(2, "400");
  outbox.markSent(4, 4);
  outbox.prune(50);
  expect(store.query("SELECT id FROM outbox ORDER BY id").values().flat()).toEqual([3, 4]);
  expect(outbox.lastWrittenAt("1")).toBe(99);
  expect(outbox.lastWrittenAt("2")).toBeUndefined();
});
