import { describe, expect, test } from "bun:test";
import { closeInterrupted } from "../../src/agent/run-approved.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openBench as openSocket } from "../channels/socket/bench.ts";
import { OWNER, openBench as openTelegram } from "../channels/telegram/bench.ts";
import { openAttack, spy } from "./attack-scene.ts";

const GUEST = 78;
const HIDDEN = `ls${" ".repeat(5000)}\u202e\u200b; rm -rf ~`;

async function openPhone(q = "x") {
  const change = spy("change", "change");
  const scene = await openAttack({
    steps: [[["change", { q }]], "asked", "went on"],
    tools: [change],
  });
  const options = { conversation: scene.conversation, allowedUserIds: () => [OWNER, GUEST] };
  const bench = await openTelegram({ options });
  return {
    ...bench,
    change,
    scene,
    async ask() {
      bench.api.say(OWNER, "do it");
      return bench.api.waitFor(() => bench.api.sent().find(({ buttons }) => buttons.length > 0));
    },
    popUp: () => bench.api.waitFor(() => bench.api.popUps.findLast(({ text }) => text !== "")),
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      scene[Symbol.dispose]();
    },
  };
}

describe("a call's buttons in Telegram", () => {
  test("Approve runs it once, shows what came of it, and the turn goes on", async () => {
    await using phone = await openPhone();
    await phone.ask();
    const pressed = await phone.api.tap(OWNER, "Approve");
    await phone.api.waitForText("change ran");
    await phone.api.waitForText("went on");
    phone.api.redeliver(pressed);
    phone.api.say(OWNER, "bye");
    await phone.api.waitForText("end");
    expect(phone.change.runs).toHaveLength(1);
  });

  test("a yes that came in before the question was asked is no answer to it", async () => {
    const change = spy("change", "change");
    using scene = await openAttack({ steps: [[["change", {}]], "asked"], tools: [change] });
    const options = { conversation: scene.conversation, clock: systemClock };
    await using bench = await openTelegram({
      options,
      before(api) {
        api.say(OWNER, "do it");
        api.say(OWNER, "yes");
      },
    });
    await bench.api.waitForText("was sent before the question");
    expect(change.runs).toEqual([]);
    bench.api.say(OWNER, "yes");
    await bench.api.waitForText("change ran");
    expect(change.runs).toHaveLength(1);
  });

  test("Reject runs nothing and says so", async () => {
    await using phone = await openPhone();
    await phone.ask();
    await phone.api.tap(OWNER, "Reject");
    await phone.api.waitForText("Nothing was run");
    expect(phone.change.runs).toEqual([]);
  });

  test("5,000 blanks, a bidi override and a zero-width space hide nothing", async () => {
    await using phone = await openPhone(HIDDEN);
    const { text } = await phone.ask();
    expect(text).toContain("⟨5000 blanks⟩");
    expect(text).toContain("\\u{202e}\\u{200b}; rm -rf ~");
  });

  test("a long call: length and both ends, and the whole as a file with the buttons", async () => {
    await using phone = await openPhone(`begin ${"word ".repeat(2000)}end-of-it`);
    const shown = await phone.ask();
    expect(shown.document?.content).toContain(`begin ${"word ".repeat(2000)}end-of-it`);
    const head = phone.api.texts().find((text) => text.includes("characters; it begins"));
    expect(head).toContain("begin word");
    expect(head).toContain("end-of-it");
  });

  test.each([
    ["forged", "approve:ap_0000000000000000", /not known here/],
    ["of no act", "run:ap_0000000000000000", /do not know this button/],
  ])("%s: the truth, and nothing runs", async (_name, data, truth) => {
    await using phone = await openPhone();
    const { messageId } = await phone.ask();
    using _time = phone.holdTime();
    phone.api.press(OWNER, messageId, data);
    expect((await phone.popUp()).text).toMatch(truth);
    expect(phone.change.runs).toEqual([]);
  });

  test.each([
    ["another listed person", GUEST, /Only the person/],
    ["a stranger", 5, /Only the person/],
  ])("foreign, %s: the truth, and nothing runs", async (_name, user, truth) => {
    await using phone = await openPhone();
    const { messageId, buttons } = await phone.ask();
    using _time = phone.holdTime();
    phone.api.press(user, messageId, buttons[0]?.data ?? "");
    expect((await phone.popUp()).text).toMatch(truth);
    expect(phone.change.runs).toEqual([]);
  });

  test("expired: the truth, and nothing runs", async () => {
    await using phone = await openPhone();
    await phone.ask();
    phone.scene.wait(86_400_001);
    using _time = phone.holdTime();
    await phone.api.tap(OWNER, "Approve");
    expect((await phone.popUp()).text).toContain("expired");
    expect(phone.change.runs).toEqual([]);
  });

  test("after a restart the buttons still work, once", async () => {
    await using phone = await openPhone();
    await phone.ask();
    await phone.stop();
    expect(await closeInterrupted(phone.scene.app.current.agent.turns)).toEqual([]);
    await phone.restart();
    await phone.api.tap(OWNER, "Approve");
    await phone.api.waitForText("change ran");
    expect(phone.change.runs).toHaveLength(1);
  });
});

describe("a call's question on the socket", () => {
  async function openLine(q = "x") {
    const change = spy("change", "change");
    const steps = [[["change", { q }]], "asked", [["change", { q }]], "asked"] as const;
    const scene = await openAttack({ steps, tools: [change] });
    const bench = await openSocket({ conversation: scene.conversation });
    const terminal = await bench.connect();
    terminal.say("do it");
    let text = "";
    let confirm: { request_id: string; tool: string; args: unknown } | undefined;
    for (;;) {
      const line = await terminal.next();
      if (line.type === "token") text += line.content;
      if (line.type === "confirm") confirm = line;
      if (line.type === "done") break;
    }
    return {
      change,
      scene,
      bench,
      terminal,
      text,
      confirm,
      async [Symbol.asyncDispose]() {
        await bench[Symbol.asyncDispose]();
        scene[Symbol.dispose]();
      },
    };
  }

  test("a yes runs it, and the turn goes on in the same answer", async () => {
    await using line = await openLine();
    expect(line.confirm).toMatchObject({ tool: "change", args: { q: "x" } });
    const request_id = line.confirm?.request_id ?? "";
    line.terminal.send({ type: "confirm_response", request_id, approved: true });
    expect((await line.terminal.answer()).text).toContain("✓ change\nchange ran");
    line.terminal.send({ type: "confirm_response", request_id, approved: true });
    expect(await line.terminal.next("error")).toMatchObject({
      message: expect.stringContaining("has run"),
    });
    expect(line.change.runs).toHaveLength(1);
  });

  test("5,000 blanks, a bidi override and a zero-width space hide nothing", async () => {
    await using line = await openLine(HIDDEN);
    expect(line.text).toContain("⟨5000 blanks⟩");
    expect(line.text).toContain("\\u{202e}\\u{200b}; rm -rf ~");
  });

  test("a long call is shown whole, and its ends again below", async () => {
    const q = `begin ${"word ".repeat(2000)}end-of-it`;
    await using line = await openLine(q);
    expect(line.text).toContain(q);
    expect(line.text.indexOf("characters; it begins")).toBeGreaterThan(line.text.indexOf(q));
  });

  test("an answer from another connection, and a forged one, run nothing", async () => {
    await using line = await openLine();
    const other = await line.bench.connect();
    for (const request_id of [line.confirm?.request_id ?? "", "ap_0000000000000000"]) {
      other.send({ type: "confirm_response", request_id, approved: true });
      expect(await other.next("error")).toMatchObject({
        message: expect.stringContaining("APPROVAL_INVALID"),
      });
    }
    expect(line.change.runs).toEqual([]);
  });

  test("a terminal that went away said no more than that: the call can be asked for again", async () => {
    await using line = await openLine();
    line.terminal.close();
    await line.terminal.closed;
    const again = await line.bench.connect();
    again.say("again");
    expect(await again.next("confirm")).toMatchObject({ tool: "change" });
    expect(line.change.runs).toEqual([]);
  });
});
