import { expect, test } from "bun:test";
import { textsIn } from "../../../src/texts/texts.ts";
import type { Call, Fault } from "../../support/bot-api-server.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";

const DOUBT = "(may be a duplicate) ";
const preview = { planId: "p1", workspace: "sample", summary: "1. fix" };

/** The texts that were sent or changed to, in order. */
function shown({ api }: Bench): string[] {
  return writes(api.calls).map(({ payload }) => String(payload["text"]));
}

function writes(calls: readonly Call[]): readonly Call[] {
  return calls.filter(({ method }) => method === "sendMessage" || method === "editMessageText");
}

/** Least time between two writes, on the channel's clock. */
function leastGapMs({ api }: Bench): number {
  const times = writes(api.calls).map(({ at }) => at);
  return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
}

function never(): Promise<void> {
  return new Promise(() => undefined);
}

test("createReply() sends an answer that is there at once as one message, and changes nothing", async () => {
  await using bench = await openBench({
    say: (_, emit) => emit({ kind: "content", text: "# Yes.\nIt is **so**." }),
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("so");
  bench.api.say(OWNER, "again");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  expect(shown(bench)).toEqual([
    "<b>Yes.</b>\n\nIt is <b>so</b>.",
    "<b>Yes.</b>\n\nIt is <b>so</b>.",
  ]);
});

test("createReply() lets one message grow, a second apart, whole at the end", async () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i} **b${i}** `);
  await using bench = await openBench({
    async say(_, emit) {
      for (const [at, text] of words.entries()) {
        await emit({ kind: "content", text });
        if (at % 20 === 10) await bench.api.waitForText(`word${at} b${at}`);
        await Bun.sleep(1);
      }
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("word59 b59");
  const looks = shown(bench);
  expect(looks.length).toBeGreaterThan(3);
  expect(new Set(looks).size).toBe(looks.length);
  expect(looks.every((each) => !each.includes("*"))).toBe(true);
  expect(looks.at(-1)).toBe(
    words
      .join("")
      .trim()
      .replaceAll(/\*\*(\w+)\*\*/g, "<b>$1</b>"),
  );
  expect(bench.api.sent()).toHaveLength(1);
  expect(leastGapMs(bench)).toBeGreaterThanOrEqual(1000);
});

test("createReply() leaves three seconds between changes in a group", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      for (let i = 0; i < 60; i++) {
        await emit({ kind: "content", text: `word${i} ` });
        if (i % 20 === 10) await bench.api.waitForText(`word${i}`);
        await Bun.sleep(1);
      }
    },
  });
  bench.api.say(OWNER, `/ws@${bench.api.username} x`, {
    chat: { id: -100, type: "supergroup", title: "Team" },
  });
  await bench.api.waitForText("word59");
  expect(shown(bench).length).toBeGreaterThan(3);
  expect(leastGapMs(bench)).toBeGreaterThanOrEqual(3000);
});

test("sendRow() waits as long as a 429 says, then changes to the newest text alone", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "First sentence. " });
      await bench.api.waitForText("First sentence.");
      bench.api.fail("editMessageText", { kind: "status", status: 429, retryAfterSeconds: 20 });
      await emit({ kind: "content", text: "word0 " });
      await bench.api.waitFor(() => bench.slept.includes(20_000));
      using _time = bench.holdTime();
      for (let i = 1; i < 40; i++) {
        await emit({ kind: "content", text: `word${i} ` });
        await Bun.sleep(1);
      }
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("word39");
  const [, refused, next] = writes(bench.api.calls);
  expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(20_000);
  // Nothing queues up: of forty texts most were never sent.
  expect(shown(bench)).toHaveLength(3);
  expect(bench.api.sent()).toHaveLength(1);
});

test("createReply() goes on after a crash in the message that was begun", async () => {
  let hangs = true;
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "It begins. " });
      if (hangs) await never();
      await emit({ kind: "content", text: "It ends." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("It begins.");
  // Only now does the channel know that it arrived.
  await bench.api.waitFor(() => bench.channel.status()["outbox"] === 0);
  await bench.stop(0);
  hangs = false;
  await bench.restart();
  await bench.api.waitForText("It begins. It ends.");
  expect(bench.api.texts()).toEqual(["It begins. It ends."]);
});

test("createReply() takes back after a crash what the next try does not say", async () => {
  let crashes = true;
  await using bench = await openBench({
    async say(_, emit) {
      if (!crashes) return emit({ kind: "content", text: "Short." });
      await emit({ kind: "content", text: "line of words\n".repeat(500) });
      await never();
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  await bench.api.waitFor(() => bench.channel.status()["outbox"] === 0);
  await bench.stop(0);
  crashes = false;
  await bench.restart();
  await bench.api.waitForText(/^Short\.$/);
  await bench.api.waitFor(() => bench.api.sent().length === 1);
});

test("workUpdate() shows after a crash only what it had not shown", async () => {
  const said = { kind: "error", code: "ERR_IO", message: "the disk is full" } as const;
  let crashes = true;
  await using bench = await openBench({
    async say(_, emit) {
      await emit(said);
      await emit(said);
      if (crashes) await never();
      await emit({ ...said, message: "and now the other one" });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  await bench.api.waitFor(() => bench.channel.status()["outbox"] === 0);
  await bench.stop(0);
  crashes = false;
  await bench.restart();
  await bench.api.waitForText("the other one");
  expect(bench.api.texts().filter((text) => text.includes("disk is full"))).toHaveLength(2);
  expect(bench.api.texts().filter((text) => text.includes(DOUBT))).toEqual([]);
});

test("sendRow() doubts a message whose first send broke off, and lets it grow all the same", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      bench.api.fail("sendMessage", { kind: "reset" });
      await emit({ kind: "content", text: "It begins. " });
      await bench.api.waitForText(DOUBT);
      await emit({ kind: "content", text: "It ends." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText(`${DOUBT}It begins. It ends.`);
  expect(bench.api.texts()).toEqual(["It begins.", `${DOUBT}It begins. It ends.`]);
});

test("sendRow() takes a change whose answer was lost for done, and doubts nothing", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "It begins. " });
      await bench.api.waitForText("It begins.");
      bench.api.fail("editMessageText", { kind: "reset" });
      await emit({ kind: "content", text: "It ends." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(() => bench.channel.status()["outbox"] === 0 && bench.logged.length > 0);
  expect(bench.api.texts()).toEqual(["It begins. It ends."]);
  expect(bench.logged.map(({ event }) => event)).toEqual(["TELEGRAM_SEND_RETRY"]);
});

test("sendRow() sends again what somebody deleted while it grew", async () => {
  const description = "Bad Request: message to edit not found";
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "It begins. " });
      await bench.api.waitForText("It begins.");
      bench.api.fail("editMessageText", { kind: "status", status: 400, description });
      await emit({ kind: "content", text: "It ends." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("It begins. It ends.");
});

test("sendRow() changes to plain text when Telegram cannot read the markup of a change", async () => {
  const description = "Bad Request: can't parse entities: no end tag";
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "content", text: "It begins. " });
      await bench.api.waitForText("It begins.");
      bench.api.fail("editMessageText", { kind: "status", status: 400, description });
      await emit({ kind: "content", text: "**1 < 2**" });
    },
  });
  bench.api.say(OWNER, "go");
  const sent = await bench.api.waitForText("1 < 2");
  expect(sent.html).toBe("It begins. 1 < 2");
});

test("createReply() goes on in a second message, and has both whole at the end", async () => {
  const lines = Array.from({ length: 400 }, (_, i) =>
    i % 9 === 0 ? `line \`${i}\`` : `line ${i} of words`,
  );
  await using bench = await openBench({
    async say(_, emit) {
      for (const line of lines) {
        await emit({ kind: "content", text: `${line}\n` });
        await Bun.sleep(0);
      }
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("line 399 of words");
  await bench.api.waitFor(() => bench.channel.status()["outbox"] === 0);
  expect(bench.api.texts().length).toBe(2);
  expect(bench.api.texts().join("").trim().split("\n")).toEqual(
    lines.map((line) => line.replaceAll("`", "")),
  );
});

test("createReply() ends a very long answer as its first message and a file", async () => {
  const text = "a line of **words**\n".repeat(2000);
  await using bench = await openBench({
    options: { texts: () => textsIn("ru") },
    async say(_, emit) {
      await emit({ kind: "content", text });
      await bench.api.waitFor(() => bench.api.sent().length === 4);
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(() => bench.api.sent().some(({ document }) => document));
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  const [first, file] = bench.api.sent();
  expect(first?.text).toStartWith("a line of words\n");
  expect(file).toMatchObject({
    text: "Ответ целиком",
    document: { filename: "answer.md", content: text },
  });
});

test("createReply() shows no half of a secret", async () => {
  await using bench = await openBench({
    options: { redact: (text) => text.replaceAll("hunter2", "[secret]") },
    async say(_, emit) {
      await emit({ kind: "content", text: "The word is. hunt" });
      await bench.api.waitForText("The word is.");
      await Bun.sleep(15);
      await emit({ kind: "content", text: "er2 now" });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("The word is. [secret] now");
  expect(shown(bench).join()).not.toContain("hunt");
});

test("createReply() shows what is being done in the message that becomes the answer", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "tool_call", id: "1", name: "read_file", args: '{"path":"a<b.ts"}' });
      await bench.api.waitForText("⏳ read_file a<b.ts");
      await emit({ kind: "content", text: "Read. " });
      await emit({ kind: "progress", text: "was asked to wait" });
      await bench.api.waitForText("Read.\n\n⏳ was asked to wait");
      await emit({ kind: "content", text: "Done." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText(/^Read\. Done\.$/);
  expect(bench.api.texts()).toEqual(["Read. Done."]);
});

test("createReply() takes mere progress back before it shows a plan below", async () => {
  await using bench = await openBench({
    async say(_, emit) {
      await emit({ kind: "progress", text: "looking" });
      await bench.api.waitForText("⏳ looking");
      await emit({ kind: "plan", ...preview });
      await emit({ kind: "content", text: "That is it." });
    },
  });
  bench.api.say(OWNER, "go");
  await bench.api.waitForText("That is it.");
  await bench.api.waitFor(() => bench.api.sent().length === 2);
  expect(bench.api.texts()).toEqual(["Plan for sample\n\n1. fix", "That is it."]);
});

test("createReply() shows markup that holds nothing as it was written", async () => {
  await using bench = await openBench({
    say: (_, emit) => emit({ kind: "content", text: "```\n```" }),
  });
  bench.api.say(OWNER, "go");
  expect((await bench.api.waitForText("```")).text).toBe("```\n```");
});

test("createReply() ends whole whatever becomes of the changes on the way", async () => {
  const faults: readonly Fault[] = [
    { kind: "status", status: 500 },
    { kind: "status", status: 429, retryAfterSeconds: 2 },
    { kind: "reset" },
    { kind: "status", status: 400, description: "Bad Request: message is not modified" },
    { kind: "status", status: 400, description: "Bad Request: can't parse entities: x" },
  ];
  const words = Array.from({ length: 80 }, (_, i) => (i % 7 ? `word${i} ` : `**${i} \`c\`**\n\n`));
  await using bench = await openBench({
    async say(_, emit) {
      for (const [at, text] of words.entries()) {
        const fault = at % 10 === 5 ? faults[(at - 5) / 10] : undefined;
        if (fault) bench.api.fail("editMessageText", fault);
        await emit({ kind: "content", text });
        await Bun.sleep(2);
      }
      bench.api.heal();
      await emit({ kind: "content", text: "The end." });
    },
  });
  bench.api.say(OWNER, "go");
  const sent = await bench.api.waitForText("The end.");
  expect(bench.api.sent()).toEqual([sent]);
  expect(sent.text).toBe(words.join("").replaceAll(/[*`]| (?=\n)/g, "") + "The end.");
});

test("deliver() shows Markdown, and a very long text as a file", async () => {
  await using bench = await openBench();
  await bench.channel.deliver("# Night\n- ok");
  await bench.api.waitForText("Night\n\n• ok");
  await bench.channel.deliver("word ".repeat(5000));
  await bench.api.waitFor(() => bench.api.sent().some(({ document }) => document));
  expect(bench.api.sent()).toHaveLength(3);
});
