import { expect, test } from "bun:test";
import {
  createFeed,
  type FeedEvent,
  type Reload,
} from "../../../../src/channels/http/console/feed.ts";
import type { InboxItem, Sign } from "../../../../src/channels/http/http-channel.ts";
import { until } from "../../../support/patience.ts";

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  kind: "call",
  title: id,
  at: "2026-01-01T00:00:00.000Z",
  actions: [],
  ref: id,
  ...more,
});

/** An inbox of the test, and how often it was looked at. */
function openInbox(begin = 1000) {
  let items: readonly InboxItem[] = [];
  let version = 0;
  let signs: readonly Sign[] = [];
  const world = { now: begin, reads: 0, marks: 0 };
  const facts = {
    async inbox() {
      world.reads += 1;
      return items.filter(({ expires_at: end }) => !end || Date.parse(end) > world.now);
    },
    mark() {
      world.marks += 1;
      return String(version);
    },
    signs: () => signs,
  };
  const feed = createFeed(facts, { now: () => world.now, lookMs: 1 });
  const set = (...next: readonly InboxItem[]) => {
    items = next;
    version += 1;
  };
  const sign = (...next: readonly Sign[]) => {
    signs = next;
    version += 1;
  };
  return { feed, world, set, sign };
}

test("createFeed() numbers what comes, changes and goes, and reads only after something was stored", async () => {
  const { feed, world, set } = openInbox();
  set(item("a"));
  expect(await feed.snapshot()).toEqual({ seq: 1001, items: [item("a")] });
  await feed.snapshot();
  expect(world.reads).toBe(1);
  const told: (FeedEvent | Reload)[] = [];
  using _ = listen(feed, 1001, told);
  set(item("a", { title: "b" }), item("c"));
  await until(() => told.length === 2);
  set(item("c"));
  await until(() => told.length === 3);
  expect(told).toEqual([
    { seq: 1002, kind: "inbox", item: item("c") },
    { seq: 1003, kind: "inbox", item: item("a", { title: "b" }) },
    { seq: 1004, kind: "inbox", gone: "a" },
  ]);
  const again: (FeedEvent | Reload)[] = [];
  using _more = listen(feed, 1002, again);
  await until(() => again.length === 2);
  expect(again).toEqual(told.slice(1));
});

test("createFeed() names what pages show beside the inbox as soon as its sign is another", async () => {
  const { feed, sign } = openInbox();
  const notes = (text: string): Sign => ({ kind: "workspace", name: "notes", sign: text });
  const tidy: Sign = { kind: "routine", name: "tidy", sign: "1" };
  sign(notes("tx_1"), tidy);
  const { seq } = await feed.snapshot();
  const told: (FeedEvent | Reload)[] = [];
  using _ = listen(feed, seq, told);
  sign(notes("tx_2"), tidy);
  await until(() => told.length === 1);
  sign(notes("tx_2"), { ...tidy, sign: "2" });
  await until(() => told.length === 2);
  expect(told).toEqual([
    { seq: seq + 1, kind: "workspace", name: "notes" },
    { seq: seq + 2, kind: "routine", name: "tidy" },
  ]);
});

test("createFeed() takes away what expires, though nothing was stored", async () => {
  const { feed, world, set } = openInbox();
  set(item("a", { expires_at: new Date(5000).toISOString() }));
  await feed.snapshot();
  const told: (FeedEvent | Reload)[] = [];
  using _ = listen(feed, 1001, told);
  world.now = 5000;
  await until(() => told.length === 1);
  expect(told).toEqual([{ seq: 1002, kind: "inbox", gone: "a" }]);
});

test("createFeed() looks at nothing while nobody follows", async () => {
  const { feed, world, set } = openInbox();
  const followed = listen(feed, 1000, []);
  await until(() => world.marks > 3);
  followed[Symbol.dispose]();
  await Bun.sleep(5);
  const { marks } = world;
  set(item("a"));
  await Bun.sleep(30);
  expect(world.marks).toBe(marks);
});

test.each([999, 2000, undefined])(
  "createFeed() says reload for a number that it does not know: %p",
  async (after) => {
    const { feed, set } = openInbox();
    set(item("a"));
    await feed.snapshot();
    const told: (FeedEvent | Reload)[] = [];
    using _ = listen(feed, after, told);
    await until(() => told.length > 0);
    expect(told).toEqual([{ seq: 1001, kind: "reload" }]);
  },
);

test("createFeed() says reload for a number that is too old, and of an earlier start", async () => {
  const { feed, set } = openInbox();
  for (let n = 0; n < 300; n++) {
    set(item(`i${n}`));
    await feed.snapshot();
  }
  const told: (FeedEvent | Reload)[] = [];
  using _ = listen(feed, 1001, told);
  await until(() => told.length > 0);
  const { seq } = await feed.snapshot();
  expect(told).toEqual([{ seq, kind: "reload" }]);
  const later = openInbox(2_000_000);
  const toldLater: (FeedEvent | Reload)[] = [];
  using _later = listen(later.feed, seq, toldLater);
  await until(() => toldLater.length > 0);
  expect(toldLater[0]?.kind).toBe("reload");
});

test("createFeed() tells what is noted while nobody listened, once each, and pushes nothing else out by it", async () => {
  const { feed, set } = openInbox();
  set(item("a"));
  const { seq } = await feed.snapshot();
  set(item("b"));
  await feed.snapshot();
  for (let n = 0; n < 300; n++) feed.note({ kind: "chat", name: "http:mine" });
  const told: (FeedEvent | Reload)[] = [];
  using _ = listen(feed, seq, told);
  // The last of those that came within a moment is told, too, behind it.
  await until(() => told.some((each) => each.kind === "chat" && each.seq > seq + 3));
  const kinds = told.map((each) => each.kind);
  expect(kinds.slice(0, 3)).toEqual(["inbox", "inbox", "chat"]);
  expect(kinds.length).toBeLessThan(10);
  const again: (FeedEvent | Reload)[] = [];
  using _again = listen(feed, seq, again);
  await until(() => again.length > 0);
  expect(again.filter((each) => each.kind === "chat")).toHaveLength(1);
});

function listen(
  feed: ReturnType<typeof createFeed>,
  after: number | undefined,
  told: (FeedEvent | Reload)[],
): Disposable {
  const end = new AbortController();
  void feed.follow(after, (event) => void told.push(event), end.signal);
  return { [Symbol.dispose]: () => end.abort() };
}
