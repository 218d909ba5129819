import { expect, test } from "bun:test";
import { join } from "node:path";
import { createPairing } from "../../../src/store/chats/pairing.ts";
import { openStore } from "../../../src/store/open/open-database.ts";
import { tempDir } from "../../support/temp.ts";
import { OWNER, openBench } from "./bench.ts";

const STRANGER = 5;

test("createTelegramChannel() answers an unknown person as soon as another process pairs them, until it is taken back", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  await using bench = await openBench({ store: openStore(path) });
  using elsewhere = openStore(path);
  const pairing = createPairing(elsewhere);
  bench.api.say(STRANGER, "hello?");
  const shown = await bench.api.waitForText("papayu pair");
  const code = shown.text.slice(-8);
  expect(pairing.pair(code, bench.clock.now())).toMatchObject({ userId: STRANGER, name: "User 5" });
  bench.api.say(STRANGER, "hello!");
  await bench.api.waitForText("echo: hello!");
  pairing.remove(STRANGER);
  bench.api.say(STRANGER, "still there?");
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  expect(bench.script.received.map(({ text }) => text)).toEqual(["hello!", "hi"]);
});

test("createTelegramChannel() goes on with nothing for somebody who was taken off the list, and says nothing more to them", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  const { promise: end, resolve } = Promise.withResolvers<void>();
  await using bench = await openBench({
    store: openStore(path),
    say: async (_text, emit) => {
      await emit({ kind: "content", text: "One. " });
      await end;
      await emit({ kind: "content", text: "Two." });
    },
  });
  using beside = openStore(path); // as the command line is
  const pairing = createPairing(beside);
  const code = pairing.ask({ id: STRANGER, name: "S" }, bench.clock.now()) ?? "";
  pairing.pair(code, bench.clock.now());
  bench.api.say(STRANGER, "hello");
  await bench.api.waitForText("One.");
  pairing.remove(STRANGER);
  await bench.api.waitFor(() => bench.script.ended.length > 0);
  resolve();
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 0);
  expect(bench.api.texts(STRANGER)).toEqual(["One."]);
});

test.each(["message", "press"])(
  "createTelegramChannel() ends the %s of somebody who was taken off the list, and nobody else's in the same group",
  async (kind) => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const end = Promise.withResolvers<void>();
    await using bench = await openBench({
      store: openStore(path),
      async say(text, emit) {
        await emit({ kind: "content", text: `Begun: ${text}. ` });
        await end.promise;
        await emit({ kind: "content", text: "Its end." });
      },
      act: () => end.promise,
    });
    using beside = openStore(path);
    const pairing = createPairing(beside);
    const code = pairing.ask({ id: STRANGER, name: "S" }, bench.clock.now()) ?? "";
    pairing.pair(code, bench.clock.now());
    const chat = { id: -9, type: "group", title: "Team" };
    const say = (id: number, text: string) => {
      const entities = [{ type: "mention", offset: 0, length: bench.api.username.length + 1 }];
      bench.api.say(id, `@${bench.api.username} ${text}`, { chat, entities });
    };
    const [speaks, presses] = kind === "message" ? [STRANGER, OWNER] : [OWNER, STRANGER];
    say(speaks, "a story");
    const { messageId } = await bench.api.waitForText("Begun: a story.");
    bench.api.press(presses, messageId, "use_ws:x");
    await bench.api.waitFor(() => bench.script.presses.length === 1);
    pairing.remove(STRANGER);
    await bench.api.waitFor(() => bench.script.ended.length > 0);
    end.resolve();
    await bench.api.waitFor(() => bench.channel.status()["inbox"] === 0);
    const speaker = { sessionId: "telegram:-9", userId: `telegram:${STRANGER}` };
    expect(bench.script.ended).toEqual([speaker]);
    expect(bench.script.cancelled).toEqual([]);
    const shown = kind === "message" ? "Begun: a story." : "Begun: a story. Its end.";
    await bench.api.waitFor(() => bench.api.texts(-9)[0] === shown);
    expect(bench.api.texts(-9)).toEqual([shown]);
  },
);

test("createTelegramChannel() gives three strangers a code and a fourth nothing, whatever is redelivered", async () => {
  await using bench = await openBench();
  const first = bench.api.say(1, "a");
  for (const id of [2, 3, 4]) bench.api.say(id, "a");
  await bench.api.waitFor(() => bench.api.sent().length === 3);
  bench.api.redeliver(first);
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  const chats = bench.api.sent().map(({ chatId }) => chatId);
  expect(chats.toSorted((a, b) => a - b)).toEqual([1, 2, 3, OWNER]);
});

test("createTelegramChannel() gives no code for an edit, and none in a group", async () => {
  await using bench = await openBench();
  const from = { id: STRANGER, is_bot: false, first_name: "S" };
  const chat = { id: STRANGER, type: "private", first_name: "S" };
  bench.api.push({ edited_message: { message_id: 9, date: 1, chat, from, text: "x" } });
  bench.api.say(STRANGER, `@${bench.api.username} hi`, { chat: { id: -9, type: "group" } });
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  expect(bench.api.sent()).toHaveLength(1);
});
