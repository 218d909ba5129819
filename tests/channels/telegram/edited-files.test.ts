import { expect, test } from "bun:test";
import { type Bench, OWNER, openBench } from "./bench.ts";

const PRIVATE = { id: OWNER, type: "private", first_name: "Owner" };
const GROUP = { id: -100, type: "supergroup", title: "Team" };

/** A conversation whose work does not end before `release`; files are kept by their names. */
async function openHeld() {
  const gate = Promise.withResolvers<void>();
  const saved: string[] = [];
  const bench = await openBench({
    async say(text, emit) {
      await gate.promise;
      await emit({ kind: "content", text: `echo: ${text}` });
    },
    options: {
      async saveFile(_, { name, chunks }) {
        for await (const _chunk of chunks) saved.push(name);
        return { ok: true, path: `inbox/${name}` };
      },
    },
  });
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  return { bench, saved, release: gate.resolve };
}

function toDocument({ api }: Bench, name: string) {
  api.files.set(name, { path: `documents/${name}`, content: Buffer.from(name) });
  return { file_id: name, file_unique_id: `u-${name}`, file_name: name };
}

/** The owner sends a file, as message `messageId`. */
function send(bench: Bench, messageId: number, name: string, more: object = {}): void {
  const document = toDocument(bench, name);
  bench.api.say(OWNER, "", { text: undefined, message_id: messageId, document, ...more });
}

function edit(bench: Bench, messageId: number, name: string | undefined, more: object): void {
  const from = { id: OWNER, is_bot: false, first_name: "Owner" };
  const file = name === undefined ? {} : { document: toDocument(bench, name) };
  const head = { message_id: messageId, date: 1, edit_date: 2, chat: PRIVATE, from };
  bench.api.push({ edited_message: { ...head, ...file, ...more } });
}

function texts({ script }: Bench): string[] {
  return script.received.map(({ text }) => text);
}

/** Words that call the bot by its name, as a text or as a caption. */
function called({ api }: Bench, words: string, as: "text" | "caption" = "caption") {
  const entities = [{ type: "mention", offset: 0, length: api.username.length + 1 }];
  const said = `@${api.username} ${words}`;
  return as === "text"
    ? { text: said, entities, chat: GROUP }
    : { caption: said, caption_entities: entities, chat: GROUP };
}

test("acceptUpdates() says that the edit of any file of an album came too late", async () => {
  const { bench, release } = await openHeld();
  await using _ = bench;
  send(bench, 501, "a.txt", { media_group_id: "g" });
  send(bench, 502, "b.txt", { media_group_id: "g", caption: "delete all" });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  edit(bench, 502, "b.txt", { media_group_id: "g", caption: "only list them" });
  await bench.api.waitForText("the edit has no effect");
  edit(bench, 502, "b.txt", { media_group_id: "g", caption: "/cancel" });
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  release();
  await bench.api.waitForText("echo: delete all");
  expect(bench.script.received).toHaveLength(1);
});

test("acceptUpdates() takes the new file of a message that waits, and no other", async () => {
  const { bench, saved, release } = await openHeld();
  await using _ = bench;
  bench.api.say(OWNER, "work");
  await bench.api.waitFor(() => bench.script.received.length === 1);
  send(bench, 501, "wrong.txt", { caption: "sum this up" });
  edit(bench, 501, "right.txt", { caption: "sum this up" });
  bench.api.say(OWNER, "next");
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 3);
  release();
  await bench.api.waitForText("echo: next");
  expect(saved).toEqual(["right.txt"]);
});

test("acceptUpdates() says that another file came too late, and nothing of the same one", async () => {
  const { bench, release } = await openHeld();
  await using _ = bench;
  send(bench, 501, "a.txt", { caption: "sum this up" });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  const named = { ...toDocument(bench, "a.txt"), file_id: "another-name-of-it" };
  edit(bench, 501, undefined, { document: named, caption: "sum this up" });
  edit(bench, 501, "b.txt", { caption: "sum this up" });
  await bench.api.waitForText("the edit has no effect");
  release();
  await bench.api.waitForText("echo: sum this up");
  expect(bench.api.sent()).toHaveLength(2);
});

test("acceptUpdates() withdraws what does not speak to the bot any more, or says that it is late", async () => {
  const { bench, release } = await openHeld();
  await using _ = bench;
  bench.api.say(OWNER, "", { message_id: 500, ...called(bench, "work", "text") });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  bench.api.say(OWNER, "", { message_id: 501, ...called(bench, "delete everything", "text") });
  edit(bench, 501, undefined, { chat: GROUP, text: "never mind" });
  bench.api.say(OWNER, "", { message_id: 502, ...called(bench, "next", "text") });
  edit(bench, 500, undefined, { chat: GROUP, text: "work, all of you" });
  await bench.api.waitForText("the edit has no effect");
  release();
  await bench.api.waitForText("echo: next");
  expect(texts(bench)).toEqual(["work", "next"]);
});

test("acceptUpdates() keeps an album in a group whose other captions change, and withdraws it whole", async () => {
  const { bench, saved, release } = await openHeld();
  await using _ = bench;
  bench.api.say(OWNER, "", called(bench, "work", "text"));
  await bench.api.waitFor(() => bench.script.received.length === 1);
  for (const [first, album] of [
    [501, "g"],
    [511, "h"],
  ] as const) {
    send(bench, first, `a-${album}.txt`, { media_group_id: album, ...called(bench, "compare") });
    const more = { chat: GROUP, media_group_id: album };
    send(bench, first + 1, `b-${album}.txt`, { ...more, caption: "the old" });
    edit(bench, first + 1, `b-${album}.txt`, { ...more, caption: "the new" });
  }
  edit(bench, 511, "a-h.txt", { chat: GROUP, media_group_id: "h", caption: "compare them all" });
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 3);
  release();
  await bench.api.waitForText("echo: compare");
  expect(saved).toEqual(["a-g.txt", "b-g.txt"]);
});

test("/cancel as a caption waits for nothing, and withdraws all files of an album by an edit", async () => {
  const { bench, saved, release } = await openHeld();
  await using _ = bench;
  bench.api.say(OWNER, "work");
  await bench.api.waitFor(() => bench.script.received.length === 1);
  send(bench, 500, "x.txt", { caption: "/cancel" });
  await bench.api.waitForText("Stopping what runs here.");
  send(bench, 501, "a.txt", { media_group_id: "g", caption: "compare" });
  send(bench, 502, "b.txt", { media_group_id: "g" });
  edit(bench, 501, "a.txt", { media_group_id: "g", caption: "/cancel" });
  await bench.api.waitFor(() => bench.script.cancelled.length === 2);
  bench.api.say(OWNER, "next");
  release();
  await bench.api.waitForText("echo: next");
  expect(saved).toEqual([]);
  expect(texts(bench)).toEqual(["work", "next"]);
});

test.each([501, 502])(
  "a caption of an album that is edited to a command leaves no file, whichever file it is of (%i)",
  async (edited) => {
    const { bench, saved, release } = await openHeld();
    await using _ = bench;
    bench.api.say(OWNER, "work");
    await bench.api.waitFor(() => bench.script.received.length === 1);
    send(bench, 501, "a.txt", { media_group_id: "g", caption: "the old one" });
    send(bench, 502, "b.txt", { media_group_id: "g", caption: "the new one" });
    const name = edited === 501 ? "a.txt" : "b.txt";
    edit(bench, edited, name, { media_group_id: "g", caption: "/status" });
    bench.api.say(OWNER, "next");
    await bench.api.waitFor(() => bench.channel.status()["inbox"] === 4);
    release();
    await bench.api.waitForText("echo: next");
    expect(saved).toEqual([]);
    expect(texts(bench)).toEqual(["work", "/status", "next"]);
    const other = edited === 501 ? "the new one" : "the old one";
    const answer = bench.api.texts().find((text) => text.includes("echo: /status"));
    expect(answer).toContain('came with a command: "a.txt", "b.txt"');
    expect(answer).toContain(`Not read, for the same reason: "${other}"`);
  },
);

test("a command in a caption that is edited to words, or taken out, is none any more", async () => {
  const { bench, saved, release } = await openHeld();
  await using _ = bench;
  bench.api.say(OWNER, "work");
  await bench.api.waitFor(() => bench.script.received.length === 1);
  send(bench, 501, "a.txt", { media_group_id: "g", caption: "/status" });
  send(bench, 502, "b.txt", { media_group_id: "g", caption: "/undo" });
  edit(bench, 501, "a.txt", { media_group_id: "g", caption: "compare" });
  edit(bench, 502, "b.txt", { media_group_id: "g" });
  bench.api.say(OWNER, "next");
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 4);
  release();
  await bench.api.waitForText("echo: next");
  expect(saved).toEqual(["a.txt", "b.txt"]);
  expect(texts(bench)).toEqual(["work", "compare", "next"]);
});
