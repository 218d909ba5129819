import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { createInbox, type NewUpdate } from "../../src/store/chats/inbox.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { runs } from "../support/long.ts";

const BOT = 4242;

function update(updateId: number, over: Partial<NewUpdate> = {}): NewUpdate {
  const updateJson = `{"update_id":${updateId}}`;
  return { updateId, sessionId: "a", lane: "turn", updateJson, state: "waiting", ...over };
}

test("createInbox() takes an update once, whatever is redelivered", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  expect(inbox.add(update(1), 10)).toBe(true);
  inbox.finish(1, "done");
  expect(inbox.add(update(1), 20)).toBe(false);
  expect(inbox.heads("turn")).toEqual([]);
});

test("createInbox() keeps bots apart", () => {
  using store = memoryStore();
  createInbox(store, BOT).add(update(1), 10);
  const other = createInbox(store, BOT + 1);
  expect(other.last()).toBeUndefined();
  expect(other.heads("turn")).toEqual([]);
  expect(other.add(update(1), 10)).toBe(true);
});

test("joinTry() counts others as begun as often as the first, however often they were", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  for (const id of [1, 2, 3, 4]) inbox.add(update(id), 10);
  for (const id of [1, 1, 3]) inbox.beginTry(id, 0);
  inbox.joinTry(1, [2, 3]);
  expect(inbox.waitingTurns("a").map(({ tries }) => tries)).toEqual([2, 2, 2, 0]);
  expect(inbox.isUntouched(2)).toBe(false);
});

test("heads() gives the oldest waiting row of each session, lane by lane", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  inbox.add(update(1), 10);
  inbox.add(update(2), 10);
  inbox.add(update(3, { sessionId: "b" }), 10);
  inbox.add(update(4, { lane: "press" }), 10);
  const ids = (lane: "turn" | "press") => inbox.heads(lane).map((row) => row.updateId);
  expect(ids("turn")).toEqual([1, 3]);
  expect(ids("press")).toEqual([4]);
  expect(inbox.waitingPresses(9)).toEqual(inbox.heads("press"));
  expect(inbox.waitingPresses(9).map((row) => row.updateId)).toEqual([4]);
  expect(inbox.waitingPresses(0)).toEqual([]);
  inbox.finish(1, "done");
  expect(ids("turn")).toEqual([2, 3]);
  expect(inbox.waitingCount()).toBe(3);
});

test("heads() gives what a walk over all rows gives, whatever waits of whom", () => {
  const row = fc.record({
    bot: fc.constantFrom(BOT, BOT + 1),
    sessionId: fc.constantFrom("a", "b", "c", "\u{10ffff}", ""),
    lane: fc.constantFrom("turn" as const, "press" as const),
    isDone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      using store = memoryStore();
      const inboxes = new Map([BOT, BOT + 1].map((bot) => [bot, createInbox(store, bot)]));
      for (const [id, { bot, sessionId, lane, isDone }] of rows.entries()) {
        inboxes.get(bot)?.add(update(id, { sessionId, lane }), id);
        if (isDone) inboxes.get(bot)?.finish(id, "done");
      }
      for (const [bot, inbox] of inboxes) {
        const waiting = rows
          .map((each, id) => ({ ...each, id }))
          .filter((each) => each.bot === bot && each.lane === "turn" && !each.isDone);
        const heads = waiting.filter(
          ({ sessionId, id }) => waiting.find((each) => each.sessionId === sessionId)?.id === id,
        );
        expect(inbox.heads("turn").map(({ updateId }) => updateId)).toEqual(
          heads.map(({ id }) => id),
        );
        for (const head of inbox.heads("turn")) {
          const { sessionId } = head;
          const hasMore = waiting.filter((each) => each.sessionId === sessionId).length > 1;
          expect(inbox.head("turn", sessionId)).toEqual({ ...head, hasMore });
        }
        const silent = rows.find(
          (each) => !heads.some((head) => head.sessionId === each.sessionId),
        );
        if (silent) expect(inbox.head("turn", silent.sessionId)).toBeUndefined();
      }
    }),
    { numRuns: runs(25, 60) },
  );
});

test("heads() and its like find what they ask for by an index, however much is stored", () => {
  using store = memoryStore();
  using asked = spyOn(store, "query");
  const inbox = createInbox(store, BOT);
  inbox.heads("turn");
  inbox.head("turn", "a");
  inbox.waitingTurns("a");
  inbox.findMessage("a", 1);
  inbox.beginTry(1, 1);
  const plans = asked.mock.calls.map(([sql]) =>
    store.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all(),
  );
  const steps = plans.flat().map(({ detail }) => detail);
  const onInbox = steps.filter((step) => / inbox\b/u.test(step));
  expect(onInbox.length).toBeGreaterThan(5);
  expect(onInbox.filter((step) => !/^SEARCH inbox USING .+\(.+\)$/u.test(step))).toEqual([]);
});

test("last() and heads() go by arrival, as Telegram may restart its numbering", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  inbox.add(update(900_000), 10);
  inbox.add(update(5), 20);
  expect(inbox.last()).toEqual({ updateId: 5, receivedAt: 20 });
  expect(inbox.heads("turn").map((row) => row.updateId)).toEqual([900_000]);
});

test("beginTry() counts over restarts", () => {
  using store = memoryStore();
  createInbox(store, BOT).add(update(1), 10);
  createInbox(store, BOT).beginTry(1, 1);
  createInbox(store, BOT).beginTry(1, 2);
  expect(createInbox(store, BOT).heads("turn")[0]).toMatchObject({ tries: 2, blame: 3 });
});

test("finish() forgets what was said, but not that it was said; poison stays to be looked at", () => {
  using store = memoryStore();
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

test("isKnown() and noteEdit() mean the row of their own bot alone", () => {
  using store = memoryStore();
  const bots = [BOT - 1, BOT, BOT + 1].map((bot) => createInbox(store, bot));
  const [less, inbox, more] = bots;
  const said = { messageId: 7, sha256: "old" };
  for (const bot of bots) bot.add(update(1, { said }), 10);
  inbox?.add(update(2, { said: { messageId: 8, sha256: "old" } }), 10);
  expect(bots.map((bot) => bot.isKnown(2))).toEqual([false, true, false]);
  inbox?.noteEdit(1, "new");
  const hashes = [less, inbox, more].map((bot) => bot?.findMessage("a", 7)?.sha256);
  expect(hashes).toEqual(["old", "new", "old"]);
  expect(inbox?.findMessage("a", 8)?.sha256).toBe("old");
});

test("isUntouched() and findMessage() tell what waits from what was begun", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  inbox.add(update(1, { said: { messageId: 7, sha256: "first" } }), 10);
  expect(inbox.isUntouched(1)).toBe(true);
  inbox.beginTry(1, 1);
  expect(inbox.isUntouched(1)).toBe(false);
  const found = { updateId: 1, isUntouched: false, sha256: "first" };
  expect(inbox.findMessage("a", 7)).toEqual(found);
  inbox.finish(1, "done");
  inbox.add(update(2, { state: "done" }), 10);
  expect([1, 2].map((id) => inbox.isUntouched(id))).toEqual([false, false]);
});

test("findMessage() gives the newest of two rows with one message", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  for (const updateId of [1, 2]) {
    inbox.add(update(updateId, { said: { messageId: 7, sha256: `${updateId}` } }), 10);
  }
  expect(inbox.findMessage("a", 7)).toEqual({ updateId: 2, isUntouched: true, sha256: "2" });
  expect(inbox.findMessage("b", 7)).toBeUndefined();
  expect(inbox.findMessage("a", 8)).toBeUndefined();
});

test("beginTry() and charge() count for one waiting row, and for no other", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  const other = createInbox(store, BOT + 1);
  other.add(update(1), 10);
  inbox.add(update(1), 10);
  inbox.add(update(2), 10);
  const blames = () => inbox.waitingTurns("a").map(({ tries, blame }) => [tries, blame]);
  expect(inbox.beginTry(1, 2)).toBe('{"update_id":1}');
  expect(inbox.beginTry(2, 1, 1)).toBe('{"update_id":2}');
  expect(blames()).toEqual([
    [1, 1],
    [1, 1],
  ]);
  inbox.charge(1, 1);
  inbox.charge(2, -2);
  expect(blames()).toEqual([
    [1, 2],
    [1, 0],
  ]);
  expect(other.heads("turn")).toMatchObject([{ tries: 0, blame: 0 }]);
  inbox.finish(1, "done");
  expect(inbox.beginTry(1, 2)).toBeUndefined();
  inbox.charge(1, 2);
  const ended = "SELECT tries, blame FROM inbox WHERE state = 'done'";
  expect(store.query(ended).values()).toEqual([[1, 2]]);
});

test("replace() puts another update in the place of one row", () => {
  using store = memoryStore();
  const inbox = createInbox(store, BOT);
  const other = createInbox(store, BOT + 1);
  for (const bot of [inbox, other]) bot.add(update(1), 10);
  inbox.add(update(2), 10);
  inbox.replace(1, "{}");
  expect(inbox.waitingTurns("a").map(({ updateJson }) => updateJson)).toEqual([
    "{}",
    '{"update_id":2}',
  ]);
  expect(other.waitingTurns("a")).toMatchObject([{ updateJson: '{"update_id":1}' }]);
});

test("waitingTexts() gives what was said to this bot and not answered, the oldest first", () => {
  using store = memoryStore();
  const inbox = createInbox(store, 1);
  const updates = [
    { message: { text: "first" } },
    { message: { caption: "of a photo" } },
    { message: { voice: {} } },
    { message: { text: "answered" } },
  ];
  for (const [updateId, sent] of updates.entries()) {
    const updateJson = JSON.stringify(sent);
    inbox.add({ updateId, sessionId: "s", lane: "turn", updateJson, state: "waiting" }, 0);
  }
  inbox.finish(3, "done");
  const press = { updateId: 9, sessionId: "s", lane: "press", updateJson: "{}" } as const;
  inbox.add({ ...press, state: "waiting" }, 0);
  expect(inbox.waitingTexts()).toEqual(["first", "of a photo", "…"]);
  expect(createInbox(store, 2).waitingTexts()).toEqual([]);
});
