import { expect, test } from "bun:test";
import { type Bench, OWNER, openBench } from "./bench.ts";

/** After so long a message is said to be queued. */
const NOTICE_MS = 2000;

/** The owner edits a message of theirs. */
function edit(bench: Bench, messageId: number, text: string): void {
  const from = { id: OWNER, is_bot: false, first_name: "Owner" };
  const chat = { id: OWNER, type: "private", first_name: "Owner" };
  bench.api.push({ edited_message: { message_id: messageId, date: 1, chat, from, text } });
}

/** A conversation whose first message holds up the others until `release`. */
async function openBusy() {
  const gate = Promise.withResolvers<void>();
  const bench = await openBench({
    async say(text, emit) {
      if (text === "work") await gate.promise;
      await emit({ kind: "content", text: `echo: ${text}` });
    },
  });
  bench.api.say(OWNER, "work", { message_id: 500 });
  await bench.api.waitFor(() => bench.script.received.length === 1);
  return { bench, release: gate.resolve };
}

test("acceptUpdates() lets an edit replace what still waits, in its place", async () => {
  const { bench, release } = await openBusy();
  await using _ = bench;
  bench.api.say(OWNER, "first", { message_id: 501 });
  bench.api.say(OWNER, "second", { message_id: 502 });
  edit(bench, 501, "first, better");
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 3);
  edit(bench, 502, "/cancel");
  await bench.api.waitForText("Stopping what runs here.");
  release();
  await bench.api.waitForText("echo: first, better");
  expect(bench.script.received.map(({ text }) => text)).toEqual(["work", "first, better"]);
});

test("acceptUpdates() says that an edit came too late, once, and not when no word changed", async () => {
  const { bench, release } = await openBusy();
  await using _ = bench;
  edit(bench, 500, "work");
  edit(bench, 500, "work harder");
  edit(bench, 500, "work harder");
  await bench.api.waitForText("the edit has no effect");
  release();
  await bench.api.waitForText("echo: work");
  edit(bench, 500, "work even harder");
  await bench.api.waitFor(() => bench.api.sent().length === 3);
  expect(bench.script.received).toHaveLength(1);
});

test("acceptUpdates() ignores the edit of a message it never received", async () => {
  await using bench = await openBench();
  edit(bench, 9, "from before my time");
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  expect(bench.api.texts()).toEqual(["echo: hi"]);
});

test("createTelegramChannel() says once of all that waits behind work that it is queued", async () => {
  const { bench, release } = await openBusy();
  await using _ = bench;
  bench.api.say(OWNER, "one");
  await bench.api.waitForText("Queued: I am still working. /cancel stops it.");
  for (const text of ["two", "three", "four"]) bench.api.say(OWNER, text);
  const queued = "Queued (4 messages): I am still working. /cancel stops it.";
  await bench.api.waitForText(queued);
  release();
  await bench.api.waitForText("echo: four");
  const answers = ["work", "one", "two", "three", "four"].map((text) => `echo: ${text}`);
  expect(bench.api.texts()).toEqual([queued, ...answers]);
});

test("createTelegramChannel() does not call a message queued that is answered at once", async () => {
  const { bench, release } = await openBusy();
  await using _ = bench;
  {
    using _time = bench.holdTime();
    bench.api.say(OWNER, "two");
    await bench.api.waitFor(() => bench.slept.includes(NOTICE_MS));
    release();
    await bench.api.waitForText("echo: two");
  }
  const asked = bench.clock.now();
  await bench.api.waitFor(() => bench.clock.now() >= asked + NOTICE_MS);
  bench.api.say(OWNER, "three");
  await bench.api.waitForText("echo: three");
  expect(bench.api.texts()).toEqual(["echo: work", "echo: two", "echo: three"]);
});
