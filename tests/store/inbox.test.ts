import { expect, test } from "bun:test";
import { createInbox, type NewUpdate } from "../../src/store/inbox.ts";
import { openStore } from "../../src/store/open.ts";

const BOT = 4242;

function update(updateId: number, over: Partial<NewUpdate> = {}): NewUpdate {
  const updateJson = `{"update_id":${updateId}}`;
  return { updateId, sessionId: "a", lane: "turn", updateJson, state: "waiting", ...over };
}

test("createInbox() takes an update once, whatever is redelivered", () => {
  using store = openStore(":memory:");
  const inbox = createInbox(store, BOT);
  expect(inbox.add(update(1), 10)).toBe(true);
  inbox.finish(1, "done");
  expect(inbox.add(update(1), 20)).toBe(false);
  expect(inbox.heads("turn")).toEqual([]);
});

test("createInbox() keeps bots apart", () => {
  using store = openStore(":memory:");
  createInbox(store, BOT).add(update(1), 10);
  const other = createInbox(store, BOT + 1);
  expect(other.last()).toBeUndefined();
  expect(other.heads("turn")).toEqual([]);
  expect(other.add(update(1), 10)).toBe(true);
});

test("heads() gives the oldest waiting row of each session, lane by lane", () => {
  using store = openStore(":memory:");
  const inbox = createInbox(store, BOT);
  inbox.add(update(1), 10);
  inbox.add(update(2), 10);
  inbox.add(update(3, { sessionId: "b" }), 10);
  inbox.add(update(4, { lane: "press" }), 10);
  const ids = (lane: "turn" | "press") => inbox.heads(lane).map((row) => row.updateId);
  expect(ids("turn")).toEqual([1, 3]);
  expect(ids("press")).toEqual([4]);
  inbox.finish(1, "done");
  expect(ids("turn")).toEqual([2, 3]);
  expect(inbox.waitingCount()).toBe(3);
});

test("last() and heads() go by arrival, for Telegram may number from anew", () => {
  using store = openStore(":memory:");
  const inbox = createInbox(store, BOT);
  inbox.add(update(900_000), 10);
  inbox.add(update(5), 20);
  expect(inbox.last()).toEqual({ updateId: 5, receivedAt: 20 });
  expect(inbox.heads("turn").map((row) => row.updateId)).toEqual([900_000]);
});

test("beginTry() counts over restarts", () => {
  using store = openStore(":memory:");
  createInbox(store, BOT).add(update(1), 10);
  createInbox(store, BOT).beginTry(1);
  createInbox(store, BOT).beginTry(1);
  expect(createInbox(store, BOT).heads("turn")[0]?.tries).toBe(2);
});

test("finish() forgets what was said, but not that it was said; poison stays to be looked at", () => {
  using store = openStore(":memory:");
  const inbox = createInbox(store, BOT);
  inbox.add(update(1), 10);
  inbox.add(update(2), 10);
  inbox.finish(1, "done");
  inbox.finish(2, "poison");
  const rows = store.query("SELECT state, update_json FROM inbox ORDER BY update_id").values();
  expect(rows).toEqual([
    ["done", ""],
    ["poison", '{"update_id":2}'],
  ]);
});

test("prune() leaves what waits, what is young, and the newest row", () => {
  using store = openStore(":memory:");
  const inbox = createInbox(store, BOT);
  inbox.add(update(1, { state: "done" }), 10);
  inbox.add(update(2), 10);
  inbox.add(update(3, { state: "done" }), 99);
  inbox.add(update(4, { state: "done" }), 10);
  inbox.prune(50);
  const ids = store.query("SELECT update_id FROM inbox ORDER BY update_id").values().flat();
  expect(ids).toEqual([2, 3, 4]);
});
