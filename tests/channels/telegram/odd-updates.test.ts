import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { acceptUpdates } from "../../../src/channels/telegram/intake/intake.ts";
import { routeUpdate } from "../../../src/channels/telegram/intake/route-update.ts";
import { parseUpdate } from "../../../src/channels/telegram/receive/parse-update.ts";
import { createChatMoves, createInbox, createPairing } from "../../../src/store/chats/chats.ts";
import { NOTHING_KNOWN } from "../../../src/store/known-rows.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { memoryStore } from "../../support/fresh-store.ts";
import { runs } from "../../support/long.ts";
import { OWNER, openBench } from "./bench.ts";

const FROM = { id: OWNER, is_bot: false, first_name: "O" };
const CHAT = { id: OWNER, type: "private", first_name: "O" };
const MESSAGE = { message_id: 9, date: 1, chat: CHAT, from: FROM, text: "hello" };
const FILE = { file_id: "f", file_size: 9, file_name: "a.txt" };
const FULL = {
  message: {
    ...MESSAGE,
    caption: "c",
    entities: [{ type: "mention", offset: 0, length: 3 }],
    caption_entities: [{ type: "text_mention", offset: 0, length: 3, user: FROM }],
    reply_to_message: MESSAGE,
    photo: [FILE],
    document: FILE,
    voice: { file_id: "v", duration: 3 },
    media_group_id: "g",
    message_thread_id: 4,
    is_topic_message: true,
    sticker: { emoji: "x" },
  },
  edited_message: MESSAGE,
  callback_query: { id: "q", from: FROM, message: MESSAGE, data: "apply:plan_1" },
};

function message(over: object) {
  return { message: { ...MESSAGE, ...over } };
}

const ODD: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["a text that is a number", message({ text: 5 })],
  ["an edit whose text is a list", { edited_message: { ...MESSAGE, text: [] } }],
  ["a caption that is null", message({ text: undefined, caption: null, document: FILE })],
  ["entities that are no list", message({ entities: {} })],
  ["an entity of a text", message({ entities: ["x"] })],
  ["an entity without its parts", message({ entities: [{ type: "text_mention" }] })],
  [
    "a mention of nobody",
    message({ entities: [{ type: "text_mention", offset: 0, length: 3 }], text: "you there" }),
  ],
  [
    "a mention of nobody below a file",
    message({
      caption_entities: [{ type: "text_mention", offset: 0, length: 3 }],
      document: FILE,
      text: undefined,
    }),
  ],
  ["a photo that is a text", message({ photo: "x" })],
  ["a file id that is an object", message({ document: { file_id: {} } })],
  ["a voice of no length", message({ voice: { file_id: "v", duration: "long" } })],
  ["no sender and a chat of the wrong kind", { message: { message_id: 1, chat: 7 } }],
  ["a sender that is null", message({ from: null })],
  ["a huge id of a chat", message({ chat: { ...CHAT, id: 1e300 } })],
  ["a message that is a list", { message: [] }],
  ["a message that is null", { message: null }],
  ["a press without a sender", { callback_query: { id: "q", data: "x:y" } }],
  ["a press whose data is an object", { callback_query: { id: "q", from: FROM, data: {} } }],
  ["a group that became a text", message({ migrate_to_chat_id: "x" })],
];

describe("createTelegramChannel() answers what follows", () => {
  test.each(ODD)("%s", async (_, update) => {
    await using bench = await openBench();
    const id = bench.api.push(update);
    bench.api.say(OWNER, "still there?");
    await bench.api.waitForText("echo: still there?");
    await bench.api.waitFor(() =>
      bench.api.calls.some(({ payload }) => Number(payload["offset"]) > id + 1),
    );
    const reported = bench.logged.filter(({ event }) => event === "TELEGRAM_UPDATE_UNREADABLE");
    expect(reported).toMatchObject([{ fields: { update: id } }]);
    expect(bench.channel.status()["state"]).toBe("polling");
  });

  test("a text of a megabyte", async () => {
    await using bench = await openBench({ say: (_, emit) => emit({ kind: "content", text: "k" }) });
    bench.api.say(OWNER, "x".repeat(1024 * 1024));
    await bench.api.waitForText("k");
  });

  test("updates without a number, and asks for them again only after a pause", async () => {
    await using bench = await openBench({
      before: (api) => api.fail("getUpdates", { kind: "result", result: [{}, 5, null, []] }, 4),
    });
    bench.api.say(OWNER, "still there?");
    await bench.api.waitForText("echo: still there?");
    expect(bench.slept.slice(0, 3)).toEqual([1000, 1000, 1000]);
  });
});

test("createTelegramChannel() tells people on the list that their message could not be read", async () => {
  await using bench = await openBench();
  bench.api.push(message({ text: 5, from: { ...FROM, id: 5 }, chat: { ...CHAT, id: 5 } }));
  bench.api.push(message({ text: 5 }));
  await bench.api.waitForText("this is none of them");
  expect(bench.api.texts(5)).toEqual([]);
});

test.each([{}, "x", null, 7, { length: 3 }])(
  "poll() goes on when Telegram's list of updates is %j",
  async (result) => {
    await using bench = await openBench({
      before: (api) => api.fail("getUpdates", { kind: "result", result }, 2),
    });
    bench.api.say(OWNER, "still there?");
    await bench.api.waitForText("echo: still there?");
    expect(bench.logged[0]?.fields["message"]).toContain("check telegram.api_root");
  },
);

test.each([{}, null, { id: 1, username: 5 }, "x"])(
  "poll() goes on when Telegram says of the bot %j",
  async (result) => {
    await using bench = await openBench({
      before: (api) => api.fail("getMe", { kind: "result", result }, 2),
    });
    bench.api.say(OWNER, "still there?");
    await bench.api.waitForText("echo: still there?");
    expect(bench.logged[0]?.fields["message"]).toContain("check telegram.api_root");
  },
);

test.each([{}, null, { message_id: "x" }, true])(
  "sendRow() sends once when Telegram says of a sent message %j",
  async (result) => {
    await using bench = await openBench();
    bench.api.fail("sendMessage", { kind: "result", result });
    bench.api.say(OWNER, "one");
    bench.api.say(OWNER, "two");
    await bench.api.waitForText("echo: two");
    const sent = bench.api.calls.filter(({ method }) => method === "sendMessage");
    expect(sent.map(({ payload }) => payload["text"])).toEqual(["echo: one", "echo: two"]);
  },
);

test("poll() leaves an answer that does not end, and goes on", async () => {
  await using bench = await openBench();
  await bench.api.waitFor(() => bench.channel.status()["state"] === "polling");
  bench.api.say(OWNER, "one");
  await bench.api.waitForText("echo: one");
  bench.api.fail("getUpdates", { kind: "endless" });
  bench.api.say(OWNER, "two");
  await bench.api.waitFor(() => bench.logged.length > 0);
  expect(bench.logged[0]?.fields["message"]).toContain("over 16 MiB");
  bench.api.say(OWNER, "still there?");
  await bench.api.waitForText("echo: still there?");
});

/** Every way into an object, as the keys on it. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> =
    Array.isArray(value) && key !== "length" ? Object.assign([], value) : Object.assign({}, value);
  copy[key] = replaceAt(copy[key], rest, by);
  return copy;
}

const AUDIENCE = {
  botId: 4242,
  username: "papayu_bot",
  texts: textsIn("en").telegram,
  allowedUserIds: [OWNER],
  moves: { nameOf: Number },
};

test("parseUpdate() lets nothing through that routeUpdate() trips over", () => {
  const paths = fc.constantFrom(...pathsOf(FULL).filter((path) => path.length > 0));
  const values = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(undefined, null, 0, -1, 1e300, "", "x", [], {}, [null], true),
  );
  const changes = fc.array(fc.tuple(paths, values), { minLength: 1, maxLength: 3 });
  const only = fc.constantFrom(...Object.entries(FULL));
  fc.assert(
    fc.property(changes, only, (list, [name, part]) => {
      const odd = list.reduce<unknown>((value, [path, by]) => replaceAt(value, path, by), FULL);
      for (const given of [odd, { [name]: part, ...Object(odd)[name] }]) {
        const received = parseUpdate(
          JSON.parse(JSON.stringify({ update_id: 1, ...Object(given) })),
        );
        if (received.kind !== "update") continue;
        const { edited_message: said = received.update.message } = received.update;
        routeUpdate(received.update, AUDIENCE);
        routeUpdate({ update_id: 1, ...(said && { message: said }) }, AUDIENCE);
      }
    }),
    { numRuns: runs(150, 2000) },
  );
});

test("parseUpdate() and routeUpdate() get along with what lacks any part of it", () => {
  const group = { ...MESSAGE, chat: { id: -7, type: "group" } };
  const { message: whole } = FULL;
  for (const full of [whole, { ...whole, chat: group.chat, entities: undefined }]) {
    for (const path of pathsOf(full).filter(({ length }) => length > 0)) {
      const given = { update_id: 1, message: replaceAt(full, path, undefined) };
      const received = parseUpdate(JSON.parse(JSON.stringify(given)));
      if (received.kind === "update") routeUpdate(received.update, AUDIENCE);
    }
  }
});

test("acceptUpdates() sets aside what it trips over, and takes what came with it", () => {
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, null, {}, [], 7, "x"));
  const shapes = fc.record({ message: values, edited_message: values, callback_query: values });
  const strange = fc.oneof(
    shapes,
    fc.record({ message: fc.record({ chat: values, from: values }) }),
  );
  fc.assert(
    fc.property(strange, (odd) => {
      using store = memoryStore();
      const inbox = createInbox(store, 4242);
      const update = JSON.parse(JSON.stringify({ ...odd, update_id: 1 }));
      const next = parseUpdate({ update_id: 2, message: MESSAGE });
      const moves = createChatMoves(store, NOTHING_KNOWN);
      acceptUpdates([{ kind: "update", updateId: 1, update }, next], {
        store,
        moves,
        inbox,
        pairing: createPairing(store),
        audience: { ...AUDIENCE, moves },
        isBusy: () => false,
        outgoing: { post() {}, dropButtons() {}, newerCopy: () => undefined },
        now: 1,
        log() {},
      });
      expect(inbox.isKnown(1)).toBe(true);
      expect(inbox.head("turn", `telegram:${OWNER}`)?.updateId).toBe(2);
    }),
    { numRuns: runs(100, 2000) },
  );
});

test("parseUpdate() keeps the names by which a stranger is told from others", () => {
  const from = { id: 5, is_bot: false, first_name: "Ann", last_name: "Lee", username: "ann" };
  const chat = { id: 5, type: "private" };
  const received = parseUpdate({
    update_id: 1,
    message: { message_id: 1, date: 1, chat, from, text: "/start" },
  });
  if (received.kind !== "update") throw new Error(received.reason);
  expect(routeUpdate(received.update, AUDIENCE)).toMatchObject({
    user: { id: 5, name: "Ann Lee @ann" },
  });
});

test("createTelegramChannel() survives three hundred mutations of an update", async () => {
  await using bench = await openBench();
  const paths = pathsOf(FULL).filter((path) => path.length > 0);
  const values = [null, 0, "x", [], {}, 1e300];
  for (const [index, path] of paths.entries()) {
    for (const by of [values[index % values.length], values[(index + 1) % values.length]]) {
      const odd = replaceAt(FULL, path, by);
      bench.api.push({ ...Object(odd), ...(index % 2 === 0 && { callback_query: undefined }) });
    }
  }
  bench.api.say(OWNER, "still there?");
  await bench.api.waitForText("echo: still there?");
  expect(bench.channel.status()["state"]).toBe("polling");
});
