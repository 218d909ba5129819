import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../../src/channels/channel.ts";
import { createOutbox } from "../../../src/store/chats/outbox.ts";
import { EN } from "../../../src/texts/en.ts";
import type { Fault } from "../../support/bot-api-server.ts";
import { OWNER, openBench } from "./bench.ts";
import { PREVIEW } from "./preview.ts";

const { noButtons, noButtonsElse, noTopic, noTopicElse } = EN.telegram;
const WORDS = { asks: [noButtons, noTopic], shows: [noButtonsElse, noTopicElse] } as const;
const LONG = `+the first line\n${"+x\n".repeat(2000)}+the last line\n`;
const asked = (diff: string): AgentEvent => ({
  kind: "approval",
  approvalId: "ap_1",
  preview: { ...PREVIEW, diff },
});
const press = { act: "apply", ref: "plan_1" } as const;

/** What has buttons, and whether words answer it. */
const EVENTS: readonly (readonly [string, AgentEvent, keyof typeof WORDS])[] = [
  ["a plan", { kind: "plan", planId: "plan_1", workspace: "w", summary: "Fix it" }, "asks"],
  ["a change set", asked("+a"), "asks"],
  ["a long change set", asked(LONG), "asks"],
  [
    "a call",
    { kind: "call_approval", approvalId: "ap_1", tool: "t", args: {}, shown: "{}", reason: "r" },
    "asks",
  ],
  [
    "a long call",
    { kind: "call_approval", approvalId: "ap_1", tool: "t", args: {}, shown: LONG, reason: "r" },
    "asks",
  ],
  [
    "a choice",
    { kind: "choice", text: "Beside that", options: [{ label: "Apply", press }] },
    "shows",
  ],
  [
    "findings",
    {
      kind: "research",
      researchId: "r_1",
      workspace: "w",
      autoUsed: false,
      query: "q",
      answerMd: "An answer",
      sources: [],
    },
    "shows",
  ],
  [
    "long findings",
    {
      kind: "research",
      researchId: "r_1",
      workspace: "w",
      autoUsed: false,
      query: "q",
      answerMd: LONG,
      sources: [],
    },
    "shows",
  ],
];

const refused = (description: string): Fault => ({
  kind: "status",
  status: 400,
  description: `Bad Request: ${description}`,
});
const hasButtons = (payload: object) => "reply_markup" in payload;
const TOPIC = {
  chat: { id: -100, type: "supergroup", title: "G", is_forum: true },
  is_topic_message: true,
  message_thread_id: 9,
};
const METHODS = ["sendMessage", "sendDocument"];

describe.each(EVENTS)("%s", (_, event, kind) => {
  test("without its buttons says once what can be done instead", async () => {
    await using bench = await openBench({ say: (_words, emit) => emit(event) });
    const { api } = bench;
    for (const method of METHODS) api.fail(method, refused("BUTTON_DATA_INVALID"), 9, hasButtons);
    api.say(OWNER, "go");
    await api.waitForText(WORDS[kind][0]);
    await api.waitFor(() => bench.channel.status()["outbox"] === 0);
    const said = api.texts().filter((text) => text.includes("did not take the buttons"));
    expect(said).toHaveLength(1);
    expect(api.texts().at(-1)?.endsWith(WORDS[kind][0])).toBe(true);
    expect(api.sent().flatMap(({ buttons }) => buttons)).toEqual([]);
  });

  test("out of its topic says where words count, if they do", async () => {
    await using bench = await openBench({ say: (_words, emit) => emit(event) });
    const { api } = bench;
    const isInTopic = (payload: object) => "message_thread_id" in payload;
    for (const method of METHODS) api.fail(method, refused("TOPIC_CLOSED"), 9, isInTopic);
    api.say(OWNER, `/ws@${api.username}`, TOPIC);
    await api.waitForText(WORDS[kind][1]);
    await api.waitFor(() => bench.channel.status()["outbox"] === 0);
    for (const text of api.texts()) expect(text.endsWith(WORDS[kind][1])).toBe(true);
  });
});

test("a long change set that Telegram takes neither as a file nor with buttons comes whole, with the note at its end", async () => {
  await using bench = await openBench({ say: (_words, emit) => emit(asked(LONG)) });
  const { api } = bench;
  api.fail("sendDocument", refused("no documents"), 1e6);
  api.fail("sendMessage", refused("BUTTON_DATA_INVALID"), 9, hasButtons);
  api.say(OWNER, "go");
  await api.waitForText(noButtons);
  const shown = api.texts().join("\n");
  expect(shown.match(/^\+.*$/gmu)?.join("\n")).toBe(LONG.trim());
  expect(shown.split("+the last line")[1]?.trim()).toBe(noButtons);
});

/** What leaves no room for a note below it, as the outbox keeps it. */
const FULL = [
  ["sendMessage", { text: `${"x ".repeat(2030)}end` }],
  ["sendDocument", { filename: "a.diff", content: "+a", caption: `${"x ".repeat(495)}end` }],
] as const;

test.each(FULL)("a note that has no room in a %s comes behind it", async (method, payload) => {
  await using bench = await openBench({
    before(_api, store) {
      const keys = [[{ text: "Approve", callback_data: "approve:ap_1" }]];
      const call = { chat_id: OWNER, ...payload, reply_markup: { inline_keyboard: keys } };
      const row = { chatId: String(OWNER), method, payloadJson: JSON.stringify(call) };
      createOutbox(store).add(row, Date.now(), { turn: "ap_1/0-1/a", part: 0 });
    },
  });
  const { api } = bench;
  api.fail(method, refused("BUTTON_DATA_INVALID"), 9, hasButtons);
  await api.waitForText(noButtons);
  expect(api.texts()).toEqual([expect.stringMatching(/ end$/u), noButtons]);
  await api.waitFor(() => bench.channel.status()["outbox"] === 0);
});
