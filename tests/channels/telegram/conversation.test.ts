import { expect, test } from "bun:test";
import type { Emit, Press } from "../../../src/channels/channel.ts";
import { OWNER, openBench } from "./bench.ts";

const STRANGER = 5;
const preview = {
  planId: "plan_1",
  changeSetId: "0123456789abcdef",
  workspace: "sample",
  summary: "Fix the sum",
  changes: [],
  diff: "+a",
  notes: [],
  checks: [],
};

/** A conversation that plays the whole way from a plan to its undo. */
async function play({ act, ref }: Press, emit: Emit): Promise<void> {
  const counted = { added: 1, removed: 0, before_sha256: null, after_sha256: null } as const;
  const changes = [{ path: "a.txt", kind: "update", ...counted }] as const;
  const outcome = { ok: true, workspace: "sample", txId: "tx_1", changes } as const;
  if (act === "apply") await emit({ kind: "approval", approvalId: `appr_${ref}`, preview });
  if (act === "approve") {
    await emit({ kind: "outcome", outcome: { ...outcome, status: "committed" } });
  }
  if (act === "undo") await emit({ kind: "outcome", outcome: { ...outcome, status: "undone" } });
}

function plan(_: string, emit: Emit): Promise<void> | void {
  return emit({ kind: "plan", planId: "p1", workspace: "sample", summary: "1. fix" });
}

function never(): Promise<void> {
  return new Promise(() => undefined);
}

test("createTelegramChannel() answers with the whole text at once", async () => {
  await using bench = await openBench({
    async say(text, emit) {
      await emit({ kind: "content", text: `You said <${text}>` });
      await emit({ kind: "progress", text: "thinking" });
      await emit({ kind: "content", text: " & more" });
    },
  });
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("You said <hi> & more");
  expect(bench.api.texts()).toHaveLength(1);
  expect(bench.script.received).toEqual([
    { speaker: { sessionId: "telegram:77", userId: "telegram:77" }, text: "hi" },
  ]);
});

test("createTelegramChannel() shows that it types while nobody has been answered for a second", async () => {
  const gate = Promise.withResolvers<void>();
  await using bench = await openBench({ say: () => gate.promise });
  const saidAt = bench.clock.now();
  bench.api.say(OWNER, "hi");
  const typing = () => bench.api.calls.find(({ method }) => method === "sendChatAction");
  await bench.api.waitFor(typing);
  expect(typing()?.payload).toMatchObject({ chat_id: OWNER, action: "typing" });
  expect((typing()?.at ?? 0) - saidAt).toBeGreaterThanOrEqual(1000);
  gate.resolve();
});

test("createTelegramChannel() gives a stranger one code an hour and changes nothing", async () => {
  await using bench = await openBench();
  bench.api.say(STRANGER, "let me in");
  bench.api.say(STRANGER, "/plan wipe the disk");
  bench.api.say(OWNER, "hi");
  await bench.api.waitForText("echo: hi");
  await bench.api.waitForText(/papayu pair [A-Z2-9]{8}$/u);
  expect(bench.api.sent(STRANGER)).toHaveLength(1);
  expect(bench.script.received.map(({ text }) => text)).toEqual(["hi"]);
  expect(JSON.stringify(bench.store.query("SELECT * FROM inbox").all())).not.toContain("wipe");
});

test("createTelegramChannel() leads from plan over approval to undo, used buttons gone", async () => {
  await using bench = await openBench({ say: plan, act: play });
  bench.api.say(OWNER, "plan");
  await bench.api.tap(OWNER, "Apply");
  await bench.api.tap(OWNER, "Approve");
  await bench.api.tap(OWNER, "Undo");
  await bench.api.waitForText("Undone in sample");
  await bench.api.waitFor(() => bench.api.sent().every(({ buttons }) => buttons.length === 0));
  expect(bench.script.presses.map(({ press }) => press)).toEqual([
    { act: "apply", ref: "p1" },
    { act: "approve", ref: "appr_p1" },
    { act: "undo", ref: "tx_1" },
  ]);
  expect(bench.api.popUps.map(({ text }) => text)).toEqual(["", "", ""]);
});

test("createTelegramChannel() gives a redelivered message and a redelivered press one effect", async () => {
  await using bench = await openBench({ say: plan, act: play });
  const said = bench.api.say(OWNER, "plan");
  const pressed = await bench.api.tap(OWNER, "Apply");
  await bench.api.waitForText("Changes for sample");
  bench.api.redeliver(said);
  bench.api.redeliver(pressed);
  bench.api.say(OWNER, "again");
  await bench.api.waitFor(() => bench.script.received.length === 2);
  expect(bench.script.received.map(({ text }) => text)).toEqual(["plan", "again"]);
  expect(bench.script.presses).toHaveLength(1);
});

test("createTelegramChannel() pops up a refusal and leaves the buttons to the right person", async () => {
  await using bench = await openBench({
    say: plan,
    act: (_, emit) => emit({ kind: "error", code: "APPROVAL_INVALID", message: "It has expired" }),
  });
  bench.api.say(OWNER, "plan");
  const shown = await bench.api.waitForText("1. fix");
  using _time = bench.holdTime();
  await bench.api.tap(OWNER, "Apply");
  const popUp = await bench.api.waitFor(() => bench.api.popUps[0]);
  expect(popUp.text).toBe("It has expired");
  bench.api.say(OWNER, "plan again");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  expect(shown.buttons).toHaveLength(3);
});

test("createTelegramChannel() posts a refusal that cannot pop up any more", async () => {
  await using bench = await openBench({
    say: plan,
    act: (_, emit) => emit({ kind: "error", code: "APPROVAL_INVALID", message: "It has expired" }),
  });
  bench.api.say(OWNER, "plan");
  bench.api.fail("answerCallbackQuery", { kind: "status", status: 400 });
  await bench.api.tap(OWNER, "Apply");
  await bench.api.waitForText("It has expired\nAPPROVAL_INVALID");
});

test("createTelegramChannel() lets /cancel and buttons overtake what runs in their session", async () => {
  await using bench = await openBench({
    say: (text, emit) => (text === "hang" ? never() : plan(text, emit)),
    act: play,
  });
  bench.api.say(OWNER, "plan");
  const shown = await bench.api.waitForText("1. fix");
  bench.api.say(OWNER, "hang");
  await bench.api.waitFor(() => bench.script.received.length === 2);
  bench.api.press(OWNER, shown.messageId, "apply:p1");
  await bench.api.waitForText("Changes for sample");
  bench.api.say(OWNER, "/cancel");
  await bench.api.waitForText("Stopping what runs here.");
  expect(bench.script.cancelled).toEqual(["telegram:77"]);
});

test("createTelegramChannel() sets a message aside after three tries and goes on", async () => {
  await using bench = await openBench({
    say(text, emit) {
      if (text === "poison") throw new Error("boom");
      return emit({ kind: "content", text });
    },
  });
  bench.api.say(OWNER, "poison");
  bench.api.say(OWNER, "next");
  await bench.api.waitForText("next");
  expect(bench.script.received.map(({ text }) => text)).toEqual([
    "poison",
    "poison",
    "poison",
    "next",
  ]);
  expect(bench.api.texts()[0]).toStartWith(
    'I tried 3 times to work on this, in vain, and set it aside: "poison"',
  );
});

test("createTelegramChannel() takes up after a restart what was unfinished, and what was said meanwhile", async () => {
  let hangs = true;
  await using bench = await openBench({
    say: (text, emit) => (hangs ? never() : emit({ kind: "content", text: `late: ${text}` })),
  });
  bench.api.say(OWNER, "one");
  bench.api.say(OWNER, "two");
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 2);
  await bench.stop(0);
  bench.api.say(OWNER, "three");
  hangs = false;
  await bench.restart();
  await bench.api.waitForText("late: three");
  const answers = bench.api.texts().filter((text) => text.startsWith("late"));
  expect(answers).toEqual(["late: one", "late: two", "late: three"]);
});

test("createTelegramChannel() answers in the topic it was asked in", async () => {
  await using bench = await openBench();
  bench.api.say(OWNER, `/ws@${bench.api.username} sample`, {
    chat: { id: -100, type: "supergroup", is_forum: true, title: "Team" },
    is_topic_message: true,
    message_thread_id: 12,
  });
  const answer = await bench.api.waitForText("echo: /ws sample");
  expect(answer).toMatchObject({ chatId: -100, threadId: 12 });
  expect(bench.script.received[0]?.speaker.sessionId).toBe("telegram:-100:12");
});

test("createTelegramChannel() hands a press on, and a message, while another press is at work", async () => {
  const working = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await using bench = await openBench({
    say: plan,
    async act({ act }, emit) {
      if (act === "drop") return emit({ kind: "error", code: "APPROVAL_INVALID", message: "no" });
      begun.resolve();
      return working.promise;
    },
  });
  bench.api.say(OWNER, "plan it");
  await bench.api.waitForText("1. fix");
  const shown = bench.api.sent(OWNER)[0];
  if (!shown) throw new Error("nothing was sent");
  const data = (label: string) => shown.buttons.find((b) => b.label === label)?.data ?? "";
  bench.api.press(OWNER, shown.messageId, data("Apply"));
  await begun.promise;
  using _time = bench.holdTime();
  bench.api.press(OWNER, shown.messageId, data("Drop"));
  await bench.api.waitFor(() => bench.api.popUps.some(({ text }) => text.includes("no")));
  bench.api.say(OWNER, "and this");
  await bench.api.waitFor(() => bench.script.received.length === 2);
  working.resolve();
});
