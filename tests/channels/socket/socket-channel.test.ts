import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import type { Emit } from "../../../src/channels/channel.ts";
import { MAX_LINE_CHARS } from "../../../src/channels/socket/wire.ts";
import { measureEffort } from "../../support/effort.ts";
import { PATIENCE_MS, until } from "../../support/patience.ts";
import { openBench, previewOf } from "./bench.ts";

describe("createSocketChannel()", () => {
  test("is for the owner alone, takes the place of a stale socket, and is gone after stop()", async () => {
    await using bench = await openBench();
    expect((statSync(bench.path).mode & 0o777).toString(8)).toBe("600");
    await bench.channel.stop(AbortSignal.timeout(PATIENCE_MS));
    expect(existsSync(bench.path)).toBe(false);
    await Bun.write(bench.path, "stale");
    await bench.channel.start();
    const terminal = await bench.connect();
    terminal.say("hi");
    expect((await terminal.answer()).text).toBe("echo hi");
  });

  test("reads lines however they are cut, and many in one piece", async () => {
    await using bench = await openBench();
    const terminal = await bench.connect();
    const line = Buffer.from('{"type":"message","session_id":"s","content":"привет 🙂"}\n');
    for (const byte of line) {
      terminal.sendRaw(Uint8Array.of(byte));
      await Bun.sleep(0);
    }
    expect((await terminal.answer()).text).toBe("echo привет 🙂");
    terminal.sendRaw(Buffer.concat([line, Buffer.from("\r\n\n"), line, line.subarray(0, 10)]));
    await terminal.answer();
    await terminal.answer();
    terminal.sendRaw(line.subarray(10));
    expect((await terminal.answer()).text).toBe("echo привет 🙂");
    expect(bench.received).toHaveLength(4);
  });

  test("answers what it cannot understand, and goes on", async () => {
    await using bench = await openBench();
    const terminal = await bench.connect();
    for (const bad of [
      "{",
      "[]",
      '{"type":"x\\u001b[2J"}',
      '{"type":"message"}',
      "\x1b[2J",
      "\xff",
    ]) {
      terminal.sendRaw(`${bad}\n`);
      const { message } = await terminal.next("error");
      expect(message).toStartWith("ERR_SOCKET_PROTOCOL: Cannot ");
      expect(message).not.toContain("\x1b");
    }
    terminal.sendRaw("x".repeat(MAX_LINE_CHARS + 1));
    terminal.sendRaw("y\n");
    expect((await terminal.next("error")).message).toContain("over 1 MiB");
    terminal.send({ type: "status" });
    expect(await terminal.next()).toEqual({ type: "status", status: { running: true } });
  });

  test("takes a message just under the limit", async () => {
    await using bench = await openBench({ say: (text, emit) => emit({ kind: "content", text }) });
    const terminal = await bench.connect();
    const content = "é".repeat(MAX_LINE_CHARS - 100);
    terminal.sendRaw(`${JSON.stringify({ type: "message", session_id: "s", content })}\n`);
    expect((await terminal.answer()).text).toBe(content);
  });

  test("cancels by session, from any connection and while a message is worked on", async () => {
    const gate = Promise.withResolvers<void>();
    await using bench = await openBench({ say: () => gate.promise });
    const [one, two] = [await bench.connect(), await bench.connect()];
    one.say("work", "s");
    two.send({ type: "cancel", session_id: "s" });
    await until(() => bench.cancelled.length > 0);
    expect(bench.cancelled).toEqual(["terminal:s"]);
    gate.resolve();
    expect((await one.answer()).end).toEqual({ type: "done" });
  });

  test("logs what a conversation throws and keeps the connection", async () => {
    await using bench = await openBench({
      say() {
        throw new Error("broken");
      },
    });
    const terminal = await bench.connect();
    terminal.say("a");
    terminal.send({ type: "status" });
    await terminal.next("status");
    expect(bench.logged).toEqual(["SOCKET_ERROR"]);
  });
});

describe("createSocketChannel(): approvals", () => {
  const ask =
    (id: string) =>
    (_text: string, emit: Emit): Promise<void> | void =>
      emit({ kind: "approval", approvalId: id, preview: previewOf("+x\n") });

  test("says what the checks came to before the question, and after how many corrections", async () => {
    const check = { ok: true, stages: [], sandbox: "bwrap" } as const;
    const found = { sideEffects: [], judges: [], fixRounds: 2, fixNotes: [] };
    const preview = {
      ...previewOf("+x\n"),
      checked: { view: "overlay", check, ...found },
    } as const;
    await using bench = await openBench({
      say: (_, emit) => emit({ kind: "approval", approvalId: "ap_1", preview }),
    });
    const terminal = await bench.connect();
    terminal.say("go", "x");
    await terminal.next("token");
    expect(await terminal.next("confirm")).toMatchObject({
      args: { checks: "passed", fix_rounds: 2 },
    });
  });

  test("asks with the diff first, and counts the answer for the session that was asked", async () => {
    await using bench = await openBench({ say: ask("ap_1") });
    const terminal = await bench.connect();
    terminal.say("go", "x");
    expect((await terminal.next("token")).content).toContain("+x\n");
    expect(await terminal.next("confirm")).toMatchObject({
      request_id: "ap_1",
      tool: "apply_change_set",
      args: { plan_id: "plan_1", workspace: "notes", paths: ["a.txt"] },
    });
    await terminal.next("done");
    terminal.send({ type: "confirm_response", request_id: "ap_1", approved: true });
    expect((await terminal.answer()).text).toBe("approveed");
    terminal.send({ type: "confirm_response", request_id: "ap_1", approved: false });
    await terminal.answer();
    expect(bench.presses).toEqual([
      {
        speaker: { sessionId: "terminal:x", userId: "owner" },
        press: { act: "approve", ref: "ap_1" },
      },
      {
        speaker: { sessionId: "terminal:x", userId: "owner" },
        press: { act: "reject", ref: "ap_1" },
      },
    ]);
  });

  test("an answer on a connection that was not asked belongs to no session", async () => {
    await using bench = await openBench({ say: ask("ap_1") });
    const [asked, other] = [await bench.connect(), await bench.connect()];
    asked.say("go", "x");
    await asked.answer();
    other.send({ type: "confirm_response", request_id: "ap_1", approved: true });
    await other.answer();
    expect(bench.presses.map(({ speaker }) => speaker.sessionId)).toEqual([""]);
  });

  test("a broken connection takes back its own approvals and nothing else", async () => {
    let count = 0;
    await using bench = await openBench({ say: (text, emit) => ask(`ap_${++count}`)(text, emit) });
    const [one, two] = [await bench.connect(), await bench.connect()];
    one.say("go", "x");
    await one.answer();
    two.say("go", "y");
    await two.answer();
    one.close();
    await until(() => bench.presses.length > 0);
    expect(bench.presses).toEqual([
      {
        speaker: { sessionId: "terminal:x", userId: "owner" },
        press: { act: "withdraw", ref: "ap_1" },
      },
    ]);
    expect(bench.cancelled).toEqual([]);
    two.send({ type: "confirm_response", request_id: "ap_2", approved: true });
    await two.answer();
    expect(bench.presses[1]?.press).toEqual({ act: "approve", ref: "ap_2" });
  });

  test("an approval asked after the terminal left is taken back at once", async () => {
    const gate = Promise.withResolvers<void>();
    await using bench = await openBench({
      async say(text, emit) {
        await gate.promise;
        await ask("ap_1")(text, emit);
      },
    });
    const terminal = await bench.connect();
    terminal.say("go", "x");
    await until(() => bench.received.length > 0);
    terminal.close();
    await until(() => bench.channel.status()["clients"] === 0);
    gate.resolve();
    await until(() => bench.presses.length > 0);
    expect(bench.presses[0]?.press).toEqual({ act: "withdraw", ref: "ap_1" });
  });
});

describe("createSocketChannel(): slow readers", () => {
  test("sends a diff of 4 MiB whole, in lines under the limit, before it asks", async () => {
    const diff = `+${"🙂".repeat(1500)}\x07\n`.repeat(700);
    await using bench = await openBench({
      say: (_text, emit) =>
        emit({ kind: "approval", approvalId: "ap_1", preview: previewOf(diff) }),
    });
    const terminal = await bench.connect();
    terminal.say("go");
    const { text, end } = await terminal.answer();
    expect(end.type).toBe("done");
    expect(text).toEndWith(`\n\n${diff.replaceAll("\x07", "\\u{7}")}\n`);
  });

  test("cuts off a client that never reads, and the work goes on to its end", async () => {
    const ended = Promise.withResolvers<void>();
    await using bench = await openBench({
      stallMs: 50,
      async say(_text, emit) {
        for (let i = 0; i < 500; i++) await emit({ kind: "content", text: "x".repeat(10_000) });
        ended.resolve();
      },
    });
    const terminal = await bench.connect();
    const other = await bench.connect();
    terminal.pause();
    terminal.say("go");
    other.send({ type: "status" });
    await other.next("status");
    await ended.promise;
    expect(bench.logged).toEqual(["SOCKET_CLIENT_STALLED"]);
    expect(bench.channel.status()["clients"]).toBe(1);
  });

  test("writes many small pieces in time linear to their number", async () => {
    await using bench = await openBench({
      async say(_text, emit) {
        for (let i = 0; i < 60_000; i++) void emit({ kind: "content", text: "0123456789" });
        await emit({ kind: "content", text: "end" });
      },
    });
    const terminal = await bench.connect();
    terminal.pause();
    terminal.say("go");
    const effort = measureEffort();
    await until(() => bench.received.length > 0);
    expect(effort()).toBeLessThan(4000);
    terminal.resume();
    expect((await terminal.answer()).text).toHaveLength(600_003);
  });

  test("a client that leaves in the middle of an answer costs nothing more", async () => {
    const gone = Promise.withResolvers<void>();
    let sent = 0;
    await using bench = await openBench({
      async say(_text, emit) {
        await emit({ kind: "content", text: "first" });
        await gone.promise;
        for (; sent < 1000; sent++) await emit({ kind: "content", text: "x".repeat(10_000) });
      },
    });
    const terminal = await bench.connect();
    terminal.say("go");
    await terminal.next("token");
    terminal.close();
    await until(() => bench.channel.status()["clients"] === 0);
    gone.resolve();
    await until(() => sent === 1000);
    expect(bench.logged).toEqual([]);
  });
});

describe("createSocketChannel(): deliver() and stop()", () => {
  test("delivers to every terminal, escaped, or says that nobody is there", async () => {
    await using bench = await openBench();
    expect(await bench.channel.deliver("x")).toBe("nobody");
    const [one, two] = [await bench.connect(), await bench.connect()];
    await until(() => bench.channel.status()["clients"] === 2);
    expect(await bench.channel.deliver("Routine\x1b]0;evil\x07 done")).toBe("delivered");
    for (const terminal of [one, two]) {
      const { content } = await terminal.next("notice");
      expect(content).toBe("Routine\\u{1b}]0;evil\\u{7} done");
    }
  });

  test.each(["an answer", "what was asked there"])(
    "stop() says nothing of %s that it gave up, and that fails when all is closed",
    async (what) => {
      const gate = Promise.withResolvers<void>();
      const late = async () => {
        await gate.promise;
        throw new Error("Cannot use a closed database");
      };
      const isAnswer = what === "an answer";
      await using bench = await openBench({
        async say(_, emit) {
          if (isAnswer) return late();
          await emit({ kind: "approval", approvalId: "1", preview: previewOf("") });
        },
        act: late,
      });
      const terminal = await bench.connect();
      terminal.say("one");
      if (!isAnswer) await terminal.next("confirm");
      await until(() => bench.received.length === 1);
      const patience = new AbortController();
      const stopped = bench.channel.stop(patience.signal);
      if (!isAnswer) await until(() => bench.presses.length === 1);
      patience.abort();
      await stopped;
      gate.resolve();
      await gate.promise;
      await Bun.sleep(0);
      expect(bench.logged).toEqual([]);
    },
  );

  test("a failure that nobody gave up is logged as ever", async () => {
    const fail = async () => {
      throw new Error("it is broken");
    };
    await using bench = await openBench({ say: fail });
    const terminal = await bench.connect();
    terminal.say("one");
    await until(() => bench.logged.length === 1);
    expect(bench.logged).toEqual(["SOCKET_ERROR"]);
  });

  test("stop() lets an answer end, takes no new message, then closes", async () => {
    const gate = Promise.withResolvers<void>();
    await using bench = await openBench({
      async say(text, emit) {
        await gate.promise;
        await emit({ kind: "content", text: `echo ${text}` });
      },
    });
    const terminal = await bench.connect();
    terminal.say("one");
    await until(() => bench.received.length === 1);
    const stopped = bench.channel.stop(AbortSignal.timeout(PATIENCE_MS));
    terminal.say("two");
    await Bun.sleep(5);
    gate.resolve();
    expect((await terminal.answer()).text).toBe("echo one");
    await stopped;
    await terminal.closed;
    expect(bench.received).toHaveLength(1);
    expect(bench.channel.status()).toEqual({ state: "stopped", clients: 0 });
  });
});
