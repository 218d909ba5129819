import { expect, test } from "bun:test";
import type { Update } from "grammy/types";
import { routeUpdate, toSessionId } from "../../../src/channels/telegram/intake/route-update.ts";
import { textsIn } from "../../../src/texts/texts.ts";

const audience = {
  botId: 4242,
  username: "papayu_bot",
  texts: textsIn("en").telegram,
  allowedUserIds: [77],
  moves: { nameOf: (chatId: number) => (chatId === -1005 ? -5 : chatId) },
} as const;
const owner = { id: 77, is_bot: false, first_name: "Owner" };
const stranger = { id: 5, is_bot: false, first_name: "Stranger" };
const bot = { id: 4242, is_bot: true, first_name: "Papa Yu" };
const privateChat = { id: 77, type: "private", first_name: "Owner" };
const group = { id: -100, type: "supergroup", title: "Team" };

/** Telegram sends JSON; a test's is as good as any. */
function route(update: object) {
  const parsed: Update = JSON.parse(JSON.stringify({ update_id: 1, ...update }));
  return routeUpdate(parsed, audience);
}

function message(over: object) {
  return { message: { message_id: 9, date: 1, from: owner, chat: privateChat, ...over } };
}

/** A text that begins with a mention of this length. */
function mention(text: string, length: number) {
  return { text, entities: [{ type: "mention", offset: 0, length }] };
}

function press(over: object) {
  const shown = { message_id: 9, date: 1, chat: privateChat, from: bot };
  const query = { id: "q", from: owner, message: shown, data: "apply:plan_1", ...over };
  return { callback_query: query };
}

test.each([
  ["fix the test", "fix the test"],
  ["/plan fix  it\nnow", "plan: fix  it\nnow"],
  ["/apply", "/apply"],
  ["/apply fix it", "apply: fix it"],
  ["/undo", "/undo"],
  ["/WS Sample", "/ws Sample"],
  ["/status@papayu_bot", "/status"],
  ["/etc/passwd is wrong", "/etc/passwd is wrong"],
  ["/plan@other_bot x", "/plan@other_bot x"],
])("routeUpdate() routes %j as %j", (said, expected) => {
  expect(route(message({ text: said }))).toMatchObject({
    kind: "text",
    text: expected,
    userId: 77,
  });
});

test("routeUpdate() passes /start on as /help, and commands without an argument as they are", () => {
  expect(route(message({ text: "/start" }))).toMatchObject({ kind: "text", text: "/help" });
  expect(route(message({ text: "/plan" }))).toMatchObject({ kind: "text", text: "/plan" });
});

test("routeUpdate() knows a stranger by id and name only", () => {
  const from = { ...stranger, first_name: "A\nB ", last_name: "C".repeat(99), username: "x" };
  const routed = route(message({ from, chat: { id: 5, type: "private" }, text: "/start" }));
  expect(routed).toEqual({
    kind: "stranger",
    place: { chatId: 5, threadId: undefined },
    user: { id: 5, name: `A B ${"C".repeat(60)}` },
  });
});

test("routeUpdate() answers nobody when the list is empty", () => {
  const update: Update = JSON.parse(JSON.stringify({ update_id: 1, ...message({ text: "hi" }) }));
  const routed = routeUpdate(update, { ...audience, allowedUserIds: [] });
  expect(routed).toMatchObject({ kind: "stranger" });
});

test.each([
  ["a bot", message({ from: { ...owner, is_bot: true }, text: "x" })],
  ["a channel post", { channel_post: { message_id: 1, date: 1, chat: group, text: "x" } }],
  [
    "a message from nobody",
    { message: { message_id: 1, date: 1, chat: group, text: "/plan@papayu_bot x" } },
  ],
  ["an anonymous admin", message({ chat: group, sender_chat: group, text: "/undo@papayu_bot" })],
  ["a stranger in a group", message({ from: stranger, chat: group, text: "/undo@papayu_bot" })],
  ["talk in a group", message({ chat: group, text: "what do you think?" })],
  ["a command for another bot", message({ chat: group, text: "/undo@other_bot" })],
  ["a bare command that is none of ours", message({ chat: group, text: "/weather" })],
  [
    "a command for another bot, below a message of ours",
    message({ chat: group, text: "/undo@other_bot", reply_to_message: { from: bot } }),
  ],
  ["a mention of somebody else", message({ chat: group, ...mention("@papayu_bot2 undo", 12) })],
  ["a name that is no mention", message({ chat: group, text: "ask @papayu_bot" })],
  ["what another bot answered", message({ via_bot: { ...bot, id: 1 }, text: "x" })],
  [
    "GroupAnonymousBot",
    message({ chat: group, from: { id: 1087968824, is_bot: true }, text: "x" }),
  ],
  ["a business chat", message({ business_connection_id: "b", text: "x" })],
  [
    "talk in a topic that the bot opened",
    message({
      chat: group,
      text: "x",
      reply_to_message: { message_id: 1, date: 1, chat: group, from: bot, forum_topic_created: {} },
    }),
  ],
  ["somebody joining", message({ new_chat_members: [stranger] })],
  ["a bot's press", press({ from: { ...owner, is_bot: true } })],
  [
    "an edit",
    { edited_message: { message_id: 1, date: 1, from: owner, chat: privateChat, text: "x" } },
  ],
])("routeUpdate() ignores %s", (_, update) => {
  expect(route(update)).toEqual({ kind: "ignored" });
});

test.each([
  ["/undo@Papayu_Bot", {}, "/undo"],
  ["/undo", {}, "/undo"],
  ["@papayu_bot, fix it", mention("@papayu_bot, fix it", 11), "fix it"],
  [
    "🙂 @PAPAYU_bot fix it",
    { entities: [{ type: "mention", offset: 3, length: 11 }] },
    "🙂 @PAPAYU_bot fix it",
  ],
  [
    "Papa, fix it",
    { entities: [{ type: "text_mention", offset: 0, length: 4, user: bot }] },
    "fix it",
  ],
  ["yes", { reply_to_message: { message_id: 3, date: 1, chat: group, from: bot } }, "yes"],
])("routeUpdate() answers a member in a group who says %j", (text, over, expected) => {
  const routed = route(message({ chat: group, text, ...over }));
  expect(routed).toMatchObject({ kind: "text", text: expected, place: { chatId: -100 } });
});

test("routeUpdate() answers its name alone with its help", () => {
  const routed = route(message({ chat: group, ...mention("@papayu_bot ", 11) }));
  expect(routed).toMatchObject({ kind: "text", text: "/help" });
});

test("routeUpdate() takes the largest photo, with its caption and its album", () => {
  const photo = [
    { file_id: "small", file_size: 10 },
    { file_id: "large", file_size: 99 },
  ];
  const over = { photo, caption: "look", media_group_id: "a1" };
  expect(route(message(over))).toMatchObject({
    kind: "file",
    text: "look",
    albumId: "a1",
    file: { fileId: "large", name: "photo-9.jpg", sizeBytes: 99 },
  });
});

test.each([
  ["/plan@papayu_bot fix it", { kind: "file", text: "plan: fix it" }],
  ["/start", { kind: "file", text: "/help" }],
  ["/cancel", { kind: "cancel", userId: 77 }],
  ["", { kind: "file", text: "" }],
])("routeUpdate() reads the caption %j as it reads a text", (caption, routed) => {
  const document = { file_id: "f", file_unique_id: "u" };
  expect(route(message({ document, caption }))).toMatchObject(routed);
  const voice = { file_id: "v", duration: 1 };
  const { kind, ...rest } = routed;
  const expected = { ...rest, kind: kind === "file" ? "voice" : kind };
  expect(route(message({ voice, caption }))).toMatchObject(expected);
});

test("routeUpdate() tells a group that became another one", () => {
  const routed = route(message({ chat: { id: -5, type: "group" }, migrate_to_chat_id: -1005 }));
  expect(routed).toEqual({ kind: "moved", from: -5, to: -1005 });
  const chat = { id: -1005, type: "supergroup" };
  expect(route(message({ chat, migrate_from_chat_id: -5 }))).toEqual(routed);
});

test("routeUpdate() does not take a forwarded text for the sender's own, and says so", () => {
  const forward_origin = { type: "user", date: 1, sender_user: stranger };
  const routed = route(message({ text: "ok", forward_origin }));
  expect(routed).toMatchObject({ kind: "notice" });
});

test("routeUpdate() says what it cannot read, and nothing about Telegram's own messages", () => {
  expect(route(message({ sticker: { file_id: "x" } }))).toMatchObject({ kind: "notice" });
  expect(route(message({ pinned_message: {} }))).toEqual({ kind: "ignored" });
});

test("routeUpdate() takes a press of a listed person on a message of the bot", () => {
  expect(route(press({}))).toEqual({
    kind: "press",
    place: { chatId: 77, threadId: undefined },
    userId: 77,
    queryId: "q",
    messageId: 9,
    copy: undefined,
    press: { act: "apply", ref: "plan_1" },
  });
});

test.each([
  ["of a stranger", press({ from: stranger }), "Only the person who asked can press this."],
  [
    "on somebody else's message",
    press({ message: { message_id: 9, date: 1, chat: group, from: owner } }),
    "I do not know this button any more.",
  ],
  [
    "on a message Telegram forgot",
    press({ message: { message_id: 9, date: 0, chat: group } }),
    "I do not know this button any more.",
  ],
  ["without a message", press({ message: undefined }), "I do not know this button any more."],
  ["with forged data", press({ data: "rm:everything" }), "I do not know this button any more."],
  ["with an empty reference", press({ data: "approve:" }), "I do not know this button any more."],
  ["without data", press({ data: undefined }), "I do not know this button any more."],
])("routeUpdate() denies a press %s", (_, update, text) => {
  expect(route(update)).toEqual({ kind: "denied", queryId: "q", text });
});

test("routeUpdate() makes every topic a session, but not every thread of replies", () => {
  expect(sessionOf({ is_topic_message: true, message_thread_id: 12 })).toBe("telegram:-100:12");
  expect(sessionOf({ message_thread_id: 12 })).toBe("telegram:-100");
  const chat = { id: -1005, type: "supergroup" };
  expect(sessionOf({ chat })).toBe("telegram:-5");
  expect(sessionOf({ chat, is_topic_message: true, message_thread_id: 12 })).toBe("telegram:-5:12");
});

function sessionOf(over: object): string {
  const routed = route(message({ chat: group, text: "/undo@papayu_bot", ...over }));
  return routed.kind === "text" ? toSessionId(routed.place, audience) : routed.kind;
}
