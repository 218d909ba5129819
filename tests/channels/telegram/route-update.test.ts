import { expect, test } from "bun:test";
import type { Update } from "grammy/types";
import { routeUpdate, toSessionId } from "../../../src/channels/telegram/route-update.ts";
import { textsIn } from "../../../src/texts/texts.ts";

const texts = textsIn("en").telegram;
const audience = { botId: 4242, username: "papayu_bot", allowedUserIds: [77] };
const owner = { id: 77, is_bot: false, first_name: "Owner" };
const stranger = { id: 5, is_bot: false, first_name: "Stranger" };
const bot = { id: 4242, is_bot: true, first_name: "Papa Yu" };
const privateChat = { id: 77, type: "private", first_name: "Owner" };
const group = { id: -100, type: "supergroup", title: "Team" };

/** Telegram sends JSON; a test's is as good as any. */
function route(update: object) {
  const parsed: Update = JSON.parse(JSON.stringify({ update_id: 1, ...update }));
  return routeUpdate(parsed, audience, texts);
}

function message(over: object) {
  return { message: { message_id: 9, date: 1, from: owner, chat: privateChat, ...over } };
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
])("routeUpdate() hands %j on as %j", (said, heard) => {
  expect(route(message({ text: said }))).toMatchObject({ kind: "text", text: heard, userId: 77 });
});

test("routeUpdate() passes /start on as /help, and commands without an argument as they are", () => {
  expect(route(message({ text: "/start" }))).toMatchObject({ kind: "text", text: "/help" });
  expect(route(message({ text: "/plan" }))).toMatchObject({ kind: "text", text: "/plan" });
});

test("routeUpdate() tells a stranger their id and nothing else", () => {
  const routed = route(
    message({ from: stranger, chat: { id: 5, type: "private" }, text: "/start" }),
  );
  expect(routed).toMatchObject({ kind: "notice", stranger: true, place: { chatId: 5 } });
  expect(routed.kind === "notice" && routed.html).toContain("add 5 to telegram.allowed_user_ids");
});

test("routeUpdate() hears nobody when the list is empty", () => {
  const update: Update = JSON.parse(JSON.stringify({ update_id: 1, ...message({ text: "hi" }) }));
  const routed = routeUpdate(update, { ...audience, allowedUserIds: [] }, texts);
  expect(routed).toMatchObject({ kind: "notice", stranger: true });
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
  ["a bare command in a group", message({ chat: group, text: "/undo" })],
  ["somebody joining", message({ new_chat_members: [stranger] })],
  ["a bot's press", press({ from: { ...owner, is_bot: true } })],
  [
    "an edit",
    { edited_message: { message_id: 1, date: 1, from: owner, chat: privateChat, text: "x" } },
  ],
])("routeUpdate() ignores %s", (_, update) => {
  expect(route(update)).toEqual({ kind: "ignored" });
});

test("routeUpdate() hears a member in a group who calls the bot or answers it", () => {
  expect(route(message({ chat: group, text: "/undo@Papayu_Bot" }))).toMatchObject({
    kind: "text",
    text: "/undo",
    place: { chatId: -100 },
  });
  const answer = { message_id: 3, date: 1, chat: group, from: bot };
  expect(route(message({ chat: group, text: "yes", reply_to_message: answer }))).toMatchObject({
    kind: "text",
    text: "yes",
  });
});

test("routeUpdate() does not take a forwarded text for the sender's own, and says so", () => {
  const forward_origin = { type: "user", date: 1, sender_user: stranger };
  const routed = route(message({ text: "ok", forward_origin }));
  expect(routed).toMatchObject({ kind: "notice", stranger: false });
});

test("routeUpdate() says that it reads text only", () => {
  expect(route(message({ voice: { file_id: "x" } }))).toMatchObject({ kind: "notice" });
});

test("routeUpdate() takes a press of a listed person on a message of the bot", () => {
  expect(route(press({}))).toEqual({
    kind: "press",
    place: { chatId: 77, threadId: undefined },
    userId: 77,
    queryId: "q",
    messageId: 9,
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
});

function sessionOf(over: object): string {
  const routed = route(message({ chat: group, text: "/undo@papayu_bot", ...over }));
  return routed.kind === "text" ? toSessionId(routed.place) : routed.kind;
}
