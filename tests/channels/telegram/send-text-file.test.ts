import { expect, test } from "bun:test";
import type { Press } from "../../../src/channels/channel.ts";
import { type Bench, OWNER, openBench } from "./bench.ts";
import { PREVIEW } from "./preview.ts";

const NOT_SENT = "could not be sent as a file";

/** Asks about a change set whose diff is too long for a message; a text is answered after it. */
function openAsking(requestSeconds = 30, lines = 2000) {
  const approved: Press[] = [];
  const diff = `+the first line\n${"+x\n".repeat(lines)}+the last line\n`;
  const bench = openBench({
    options: { requestSeconds },
    say: (text, emit) =>
      text === "go"
        ? emit({ kind: "approval", approvalId: "ap_1", preview: { ...PREVIEW, diff } })
        : emit({ kind: "content", text: `echo: ${text}` }),
    act: async (press, emit) => {
      approved.push(press);
      await emit({ kind: "content", text: "done" });
    },
  });
  return bench.then((opened) => ({ bench: opened, approved }));
}

const documents = ({ api }: Bench) => api.calls.filter(({ method }) => method === "sendDocument");

/** The question as a message, with its buttons, and the chat behind it. */
async function expectAsked(bench: Bench, approved: readonly Press[]): Promise<void> {
  const { api } = bench;
  const asked = await api.waitForText(NOT_SENT);
  expect(asked.text).toContain("0123456789ab.diff");
  expect(asked.text).toContain("+the first line");
  expect(asked.buttons).toEqual([]);
  const last = await api.waitForText("+the last line");
  expect(last.buttons.map(({ label }) => label)).toContain("Reject");
  const lines = api.texts().join("\n").replaceAll("(may be a duplicate) ", "").split("\n");
  expect(lines.filter((line) => line === "+x")).toHaveLength(2000);
  await api.waitForText("echo: next");
  await api.tap(OWNER, "Approve");
  await api.waitForText("done");
  expect(approved).toHaveLength(1);
}

test("sendTextFile() waits for a slow line as long as for any other file, and sends it once", async () => {
  const { bench } = await openAsking(0.5);
  await using _ = bench;
  const { api } = bench;
  api.fail("sendDocument", { kind: "late", until: Bun.sleep(1500) });
  api.say(OWNER, "go");
  api.say(OWNER, "next");
  await api.waitForText("echo: next");
  expect(documents(bench)).toHaveLength(1);
});

test.each([
  [413, "Request Entity Too Large"],
  [400, "Bad Request: wrong file identifier"],
])(
  "sendRow() asks in words, with the same buttons, where a file is refused (%d)",
  async (status, description) => {
    const { bench, approved } = await openAsking();
    await using _ = bench;
    bench.api.fail("sendDocument", { kind: "status", status, description }, 1e6);
    bench.api.say(OWNER, "go");
    bench.api.say(OWNER, "next");
    await expectAsked(bench, approved);
    expect(documents(bench)).toHaveLength(1);
  },
);

test("sendTextFile() gives up a file on which the line breaks each time, and asks in words", async () => {
  const { bench, approved } = await openAsking();
  await using _ = bench;
  bench.api.fail("sendDocument", { kind: "reset" }, 1e6);
  bench.api.say(OWNER, "go");
  bench.api.say(OWNER, "next");
  await expectAsked(bench, approved);
  expect(documents(bench)).toHaveLength(5);
});

test("sendRow() drops a file for who blocked the bot", async () => {
  const { bench } = await openAsking();
  await using _ = bench;
  const refused = { kind: "status", status: 403, description: "Forbidden: blocked" } as const;
  for (const method of ["sendMessage", "sendDocument"]) bench.api.fail(method, refused, 1e6);
  bench.api.say(OWNER, "go");
  await bench.api.waitFor(
    () => documents(bench).length === 1 && bench.channel.status()["outbox"] === 0,
  );
  expect(bench.api.sent()).toEqual([]);
});

test("sendTextFile() asks for no yes where the text is too long for messages, and marks it as not shown", async () => {
  const { bench } = await openAsking(30, 20_000);
  await using _ = bench;
  const { api } = bench;
  const status = { kind: "status", status: 400, description: "Bad Request: no documents" } as const;
  api.fail("sendDocument", status, 1e6);
  api.say(OWNER, "go");
  api.say(OWNER, "next");
  await api.waitForText("echo: next");
  const { text, buttons } = await api.waitForText("cannot be approved here");
  expect(text).toContain("terminal");
  expect(buttons.map(({ label }) => label)).toEqual(["Reject"]);
  // The head of the question, ten for its diff, and the next answer.
  expect(api.texts()).toHaveLength(12);
  expect(api.texts().at(-1)).toBe("echo: next");
  const failed = bench.store.query("SELECT error FROM outbox WHERE state = 'failed'").values();
  expect(failed).toEqual([["it was not shown to its end"]]);
});

test.each([0, 1, 2, 3])(
  "sendTextFile() says of message %d alone, whose answer was lost, that it may be a duplicate",
  async (doubtful) => {
    const { bench } = await openAsking(30, 5000);
    await using _ = bench;
    const { api } = bench;
    const status = { kind: "status", status: 400, description: "Bad Request: nothing" } as const;
    api.fail("sendDocument", status, 1e6);
    let parts = 0;
    api.fail("sendMessage", { kind: "reset" }, 1, ({ text }) => {
      return /^\+x|<pre>/mu.test(String(text)) && parts++ === doubtful;
    });
    api.say(OWNER, "go");
    await api.waitForText("+the last line");
    await api.waitFor(() => bench.channel.status()["outbox"] === 0);
    const shown = api.texts().filter((text) => text.includes("+x"));
    expect(shown).toHaveLength(5);
    const begun = shown.map((text) => text.startsWith("(may be a duplicate) "));
    expect(begun).toEqual([0, 1, 2, 3, 4].map((index) => index === doubtful + 1));
  },
);
