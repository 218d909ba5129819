import { describe, expect, test } from "bun:test";
import type { Seen } from "../../../src/channels/channel.ts";
import { nameShowing, wasSeen } from "../../../src/channels/telegram/message/message.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { unlessAborted } from "../../../src/core/until-aborted.ts";
import type { ShownRow } from "../../../src/store/chats/chats.ts";
import { EN } from "../../../src/texts/en.ts";
import { openScene, WRITER } from "../../agent/scene.ts";
import type { Fault } from "../../support/bot-api-server.ts";
import { until } from "../../support/patience.ts";
import { OWNER, openBench } from "./bench.ts";

const CONFIG = "[telegram]\nallowed_user_ids = [77]\n[security]\nautonomy = ";

/** The agent on a phone; what Telegram wants to be put off waits until `goOn`. */
async function openPhone(autonomy = "supervised") {
  const scene = await openScene({ author: WRITER, config: `${CONFIG}"${autonomy}"` });
  const held = Promise.withResolvers<void>();
  const clock = {
    now: () => Date.now(),
    sleep: (ms: number, signal?: AbortSignal) =>
      ms < 600_000
        ? systemClock.sleep(ms / 50, signal)
        : unlessAborted(signal ?? new AbortController().signal, held.promise),
  };
  const bench = await openBench({ options: { conversation: scene.conversation, clock } });
  const { api } = bench;
  return {
    bench,
    scene,
    api,
    goOn: held.resolve,
    files: () => Object.keys(scene.tree()),
    /** Says it; resolves once it was worked on, whatever waits to be sent. */
    say: async (text: string, more: object = {}) => {
      const all = () => bench.store.query("SELECT count(*), sum(state = 'waiting') FROM inbox");
      const before = Number(all().values()[0]?.[0]);
      api.say(OWNER, text, { ...more });
      await until(() => {
        const [count, waiting] = all().values()[0] ?? [];
        return Number(count) > before && waiting === 0;
      });
    },
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

const PUT_OFF: Fault = { kind: "status", status: 429, retryAfterSeconds: 3600 };
const REFUSED: Fault = { kind: "status", status: 403, description: "Forbidden: blocked" };
const LONG = `b.txt: ${"new\\n".repeat(2000)}`;

/** What is asked, how, and what Telegram does with it. */
const QUESTIONS = [
  ["a plan, put off", "plan: b.txt: new", "full", "sendMessage", PUT_OFF],
  ["a plan, refused", "plan: b.txt: new", "full", "sendMessage", REFUSED],
  ["a change set, put off", "apply: b.txt: new", "supervised", "sendMessage", PUT_OFF],
  ["a change set, refused", "apply: b.txt: new", "supervised", "sendMessage", REFUSED],
  ["a change set in a file, put off", `apply: ${LONG}`, "supervised", "sendDocument", PUT_OFF],
  ["a call, put off", "/mode full", "supervised", "sendMessage", PUT_OFF],
] as const;

describe.each(QUESTIONS)("%s,", (_, words, autonomy, method, fault) => {
  test("is applied by no typed yes before it is on the phone", async () => {
    await using phone = await openPhone(autonomy);
    const { api, goOn, files, say } = phone;
    api.fail(method, fault, 1, ({ reply_markup: buttons }) => buttons !== undefined);
    await say(words);
    await say("ok");
    expect(files()).toEqual(["a.txt"]);
    expect(api.sent().filter(({ buttons }) => buttons.length > 0)).toEqual([]);
    goOn();
    if (fault === PUT_OFF) await api.waitForText(EN.console.notShownHere);
    else {
      await api.waitForText(EN.console.lostHere);
      const before = api.sent().length;
      await say("ok");
      await api.waitFor(() => api.sent().length > before);
      expect(api.texts().at(-1)).toBe(EN.console.lostHere);
      expect(files()).toEqual(["a.txt"]);
      await say("/diff");
    }
    await api.waitFor(() => api.sent().some(({ buttons }) => buttons.length > 0));
    await say("ok");
    await api.waitForText(words.startsWith("/mode") ? "✅ config" : "Applied in notes");
  });
});

describe("a yes to what the outbox knows nothing of", () => {
  test.each([
    ["a plan", "plan: b.txt: new", "full"],
    ["a change set", "apply: b.txt: new", "supervised"],
  ])("applies nothing, and is answered with the change set: %s", async (_, words, autonomy) => {
    await using phone = await openPhone(autonomy);
    const { api, bench, files, say } = phone;
    await say(words);
    await api.waitFor(() => api.sent().some(({ buttons }) => buttons.length > 0));
    // As a version before this one left them, or after a week.
    await until(
      () => bench.store.run("UPDATE outbox SET turn = NULL WHERE state = 'sent'").changes > 0,
    );
    const before = api.sent().length;
    await say("ok");
    await api.waitFor(() =>
      api
        .sent()
        .slice(before)
        .some(({ text }) => text.includes("Changes for")),
    );
    expect(files()).toEqual(["a.txt"]);
    await say("ok");
    await api.waitForText("Applied in notes");
  });

  test("since a page asked it in this conversation, shows it first; a no needs no look", async () => {
    await using phone = await openPhone();
    const { api, scene, files, say } = phone;
    await say("plan: b.txt: new");
    const { sessions } = scene.app.current.agent.core;
    const speaker = { sessionId: `telegram:${OWNER}`, userId: `telegram:${OWNER}` };
    const onPage = async () => {
      const ref = sessions.state(speaker.sessionId).planId ?? "";
      await scene.conversation.press(speaker, { act: "apply", ref }, async () => {});
      const asked = Date.now();
      await until(() => Date.now() > asked); // what comes in the same millisecond came before it
    };
    await onPage();
    await say("ok");
    await api.waitForText("Changes for notes");
    expect(files()).toEqual(["a.txt"]);
    await say("plan: c.txt: new");
    await onPage();
    await say("no");
    await api.waitForText(EN.agent.changeRejected);
    expect(files()).toEqual(["a.txt"]);
  });
});

test.each([
  ["in one message", "apply: b.txt: new", 1],
  ["in a message and a file", `apply: ${LONG}`, 2],
])("what is lost is said once, and stays open for a page: %s", async (_, words, messages) => {
  await using phone = await openPhone();
  const { bench, scene, api, say } = phone;
  const fault: Fault = { kind: "status", status: 400, description: "Bad Request: nobody knows" };
  api.fail("sendDocument", fault, 1e6);
  const isOfQuestion = /Changes for notes|could not be sent as a file/u;
  api.fail("sendMessage", fault, 1e6, ({ text }) => isOfQuestion.test(String(text)));
  const lost = () => api.texts().filter((text) => text === EN.console.lostHere).length;
  await say(words);
  await api.waitFor(() => bench.channel.status()["outbox"] === 0);
  const failed = "SELECT count(*) FROM outbox WHERE state = 'failed'";
  expect(bench.store.query(failed).values()).toEqual([[messages]]);
  expect(lost()).toBe(1);
  await say("ok");
  await api.waitFor(() => lost() === 2); // that is what such a yes is told, too
  await say("/diff");
  await api.waitFor(() => lost() === 3); // it was asked again, and lost again
  const waiting = scene.app.current.agent.core.approvals.waiting(`telegram:${OWNER}`, Date.now());
  expect(waiting?.state).toBe("waiting");
});

test("a yes to what arrived unnoticed hears that it was sent again, and the next one counts", async () => {
  await using phone = await openPhone();
  const { bench, api, goOn, files, say } = phone;
  const asks = ({ reply_markup: buttons }: object & { reply_markup?: unknown }) =>
    buttons !== undefined;
  api.fail("sendMessage", { kind: "reset" }, 1, asks);
  api.fail("sendMessage", PUT_OFF, 1, asks);
  await say("apply: b.txt: new");
  await api.waitForText("Changes for notes");
  await api.waitFor(() => bench.store.query("SELECT 1 FROM outbox WHERE in_doubt = 1").get());
  await say("ok");
  goOn();
  await api.waitForText(EN.agent.notSure);
  expect(files()).toEqual(["a.txt"]);
  expect(api.texts().filter((text) => text.includes("Changes for notes"))).toHaveLength(2);
  await say("ok");
  await api.waitForText("Applied in notes");
});

test("a question of nobody's message that is lost is said to be once, too", async () => {
  await using bench = await openBench();
  const { api, channel } = bench;
  const fault: Fault = { kind: "status", status: 400, description: "Bad Request: nobody knows" };
  api.fail("sendDocument", fault, 1e6);
  api.fail("sendMessage", fault, 1e6, ({ text }) => text !== EN.console.lostHere);
  const about = { planId: "plan_1", changeSetId: "0123456789abcdef", workspace: "sample" };
  const diff = "+x\n".repeat(2000);
  const preview = { ...about, summary: "Mend it", changes: [], notes: [], checks: [], diff };
  await channel.deliver("", [{ kind: "approval", approvalId: "ap_1", preview }]);
  await api.waitFor(() => channel.status()["outbox"] === 0);
  const failed = "SELECT count(*) FROM outbox WHERE state = 'failed'";
  expect(bench.store.query(failed).values()).toEqual([[2]]);
  expect(api.texts()).toEqual([EN.console.lostHere]);
});

test("a yes that was written before the question, and brought after it, is none to it", async () => {
  await using phone = await openPhone();
  const { api, files, say } = phone;
  await say("apply: b.txt: new");
  const { messageId } = await api.waitForText("Changes for notes");
  await say("ok", { message_id: messageId - 1 });
  await api.waitForText(EN.agent.cameLater);
  expect(files()).toEqual(["a.txt"]);
  await say("ok"); // within the same second of Telegram's clock
  await api.waitForText("Applied in notes");
});

/** A row of the message `index` of `of` that show "ap_1"; as the copy `name` of it. */
function row(at: string, messageId: number | null, more: Partial<ShownRow> = {}): ShownRow {
  const [index, of, name = "a"] = at.split(" ");
  const turn = nameShowing({ ref: "ap_1", index: Number(index), of: Number(of) }, name);
  return { turn, chatId: "5", messageId, state: "sent", inDoubt: 0, ...more };
}

const OLD_CHAT = { chatId: "-1" };
const LOST = { state: "failed" } as const;
const WAITING = { state: "waiting" } as const;
const DOUBTED = { inDoubt: 1 } as const;

/** What is known of its messages, where and behind what the yes was said, and what it is then. */
const KNOWN: readonly (readonly [string, readonly ShownRow[], readonly [number, number], Seen])[] =
  [
    ["nothing, as after a week or of an older version", [], [5, 9], "unknown"],
    ["shown before", [row("0 1", 8)], [5, 9], "seen"],
    ["shown behind", [row("0 1", 10)], [5, 9], "later"],
    ["half of it", [row("0 2", 8)], [5, 9], "unsent"],
    ["half of it behind", [row("0 2", 8), row("1 2", 10)], [5, 9], "later"],
    ["one part put off", [row("0 1", 8), row("0 1", null, WAITING)], [5, 9], "unsent"],
    ["lost", [row("0 1", null, LOST)], [5, 9], "lost"],
    ["half lost", [row("0 2", 8), row("1 2", null, LOST)], [5, 9], "lost"],
    [
      "half lost, and half on its way",
      [row("0 2", null, LOST), row("1 2", null, WAITING)],
      [5, 9],
      "lost",
    ],
    [
      "lost, and on its way again",
      [row("0 1 a", null, LOST), row("0 1 b", null, WAITING)],
      [5, 9],
      "unsent",
    ],
    ["lost, and shown again", [row("0 1 a", null, LOST), row("0 1 b", 8)], [5, 9], "seen"],
    ["shown, and lost again", [row("0 1 a", 7), row("0 1 b", null, LOST)], [5, 9], "seen"],
    ["its halves by two tries", [row("0 2 a", 6), row("1 2 b", 8)], [5, 9], "seen"],
    [
      "in doubt, and on its way again",
      [row("0 1", null, { ...WAITING, ...DOUBTED })],
      [5, 9],
      "unsure",
    ],
    ["in doubt, and there again behind", [row("0 1", 10, DOUBTED)], [5, 9], "unsure"],
    ["in doubt, and there again before", [row("0 1", 8, DOUBTED)], [5, 9], "seen"],
    ["in doubt, and lost", [row("0 1", null, { ...LOST, ...DOUBTED })], [5, 9], "lost"],
    ["half before, half in doubt", [row("0 2", 8), row("1 2", 10, DOUBTED)], [5, 9], "unsure"],
    [
      "half in doubt, half on its way",
      [row("0 2", 8, DOUBTED), row("1 2", null, WAITING)],
      [5, 9],
      "unsent",
    ],
    ["half in doubt, half behind", [row("0 2", 10, DOUBTED), row("1 2", 11)], [5, 9], "later"],
    ["a message of a file in doubt", [row("0 1", 10, { inDoubt: 2 })], [5, 9], "unsure"],
    ["elsewhere", [row("0 1", 8, { chatId: "6" })], [5, 9], "unsent"],
    ["in the group that this was", [row("0 1", 800, OLD_CHAT)], [-2, 3], "seen"],
    ["in what became of the group", [row("0 1", 3, { chatId: "-2" })], [-1, 800], "later"],
  ];

test.each(KNOWN)("wasSeen() of what is known: %s", (_, rows, [chatId, messageId], expected) => {
  const now = (id: number) => (id === -1 ? -2 : id);
  expect(wasSeen(rows, { chatId, messageId }, now)).toBe(expected);
});
