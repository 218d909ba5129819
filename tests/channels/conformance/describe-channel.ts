import { describe, expect, test } from "bun:test";
import { openEventSink } from "../../../src/agent/session/session.ts";
import type { AgentEvent } from "../../../src/channels/channel.ts";
import { createRedactor } from "../../../src/security/redact/redact.ts";
import { PATIENCE_MS, until } from "../../support/patience.ts";
import type { Behaviour } from "../script.ts";
import { EVENTS, EVIL, EXACT, spoil } from "./events.ts";
import type { ChannelKind } from "./harness.ts";

const HIDDEN = /[\u202e\u200b]/u;
const SECRET = "hunter2-of-the-house";
/** What a slow reader is sent, and what may be under way meanwhile: buffers of both sides. */
const PIECES = 300;
const PIECE = "x".repeat(100_000);
/** What lies in the buffers of two processes and the kernel: 15 to 90 pieces were seen, by load. */
const MOST_UNDER_WAY = 200;

const echo: Behaviour["say"] = (text, emit) => emit({ kind: "content", text: `echo ${text}` });
/** Works until it is cancelled, when told to hang. */
const hangOn: Behaviour["say"] = async (text, emit, _, cancelled) => {
  if (text === "hang") await cancelled;
  await emit({ kind: "content", text: text === "hang" ? "was cancelled" : `echo ${text}` });
};

function sayAll(...events: readonly AgentEvent[]): Behaviour["say"] {
  return async (_text, emit) => {
    for (const event of events) if (event.kind !== "done") await emit(event);
  };
}

/** Holds for a channel what every channel promises; see `Channel` and `Conversation`. */
export function describeChannel(name: string, kind: ChannelKind): void {
  describe(`${name}: messages`, () => {
    test("reach the conversation with their session and their person, in order", async () => {
      await using harness = await kind.open(echo);
      for (const text of ["first", "second", "third"]) await harness.say("one", text);
      await until(() => harness.ends("one") === 3);
      expect(harness.script.received).toEqual(
        ["first", "second", "third"].map((text) => ({ speaker: harness.speaker("one"), text })),
      );
      expect(harness.shown("one")).toMatch(/echo first\s*echo second\s*echo third/u);
      expect(harness.channel.status()["state"]).toBeString();
    });

    test("of two sessions do not mix, and one that hangs does not hold up the other", async () => {
      await using harness = await kind.open(hangOn);
      await harness.say("one", "hang");
      await until(() => harness.script.received.length === 1);
      await harness.say("two", "hello");
      await until(() => harness.ends("two") === 1);
      expect(harness.shown("two")).toContain("echo hello");
      expect(harness.shown("one")).not.toContain("hello");
      expect(harness.script.received.map(({ speaker }) => speaker)).toEqual([
        harness.speaker("one"),
        harness.speaker("two"),
      ]);
    });

    test("are cancelled while they are worked on, and no others", async () => {
      await using harness = await kind.open(hangOn);
      await harness.say("one", "hang");
      await harness.say("two", "hang");
      await until(() => harness.script.received.length === 2);
      await harness.cancel("one");
      await until(() => harness.shown("one").includes("was cancelled"));
      expect(harness.script.cancelled).toEqual([harness.speaker("one").sessionId]);
      expect(harness.shown("two")).not.toContain("was cancelled");
    });

    test("of a client that goes away end for nobody else", async () => {
      await using harness = await kind.open(hangOn);
      await harness.say("one", "hang");
      await harness.say("two", "hang");
      await until(() => harness.script.received.length === 2);
      const expected = kind.leaveCancels ? [harness.speaker("one").sessionId] : [];
      harness.leave("one");
      await until(() => harness.script.cancelled.length === expected.length);
      await harness.cancel("two");
      await until(() => harness.shown("two").includes("was cancelled"));
      const second = harness.speaker("two").sessionId;
      expect(harness.script.cancelled).toEqual([...expected, second]);
    });
  });

  describe(`${name}: events`, () => {
    test.each(Object.values(EVENTS).map((row) => [row.event.kind, row] as const))(
      "%s is shown whole, and the exchange goes on to its one end",
      async (_, { event, shows, asks }) => {
        const rest: AgentEvent = { kind: "content", text: "goes on" };
        const act = sayAll(event, rest);
        await using harness = await kind.open(act);
        await harness.say("one", "go");
        await until(() => harness.ends("one") === 1);
        for (const text of [...shows, "goes on"]) expect(harness.shown("one")).toContain(text);
        if (asks !== undefined) await harness.answer("one", "approve");
        else await harness.say("one", "again");
        await until(() => harness.ends("one") >= 2);
        expect(harness.ends("one")).toBe(2);
        const asked = asks === undefined ? [] : [{ act: "approve" as const, ref: asks }];
        const speaker = harness.speaker("one");
        expect(harness.script.presses).toEqual(asked.map((press) => ({ speaker, press })));
      },
    );

    test.each(Object.values(EVENTS).map(({ event }) => [event.kind, event] as const))(
      "%s with orders to the surface in every text commands nothing and hides nothing",
      async (eventKind, event) => {
        await using harness = await kind.open(sayAll(spoil(event, EVIL)));
        await harness.say("one", "go");
        await harness.say("one", EVIL);
        await until(() => harness.ends("one") >= 2);
        expect(harness.ends("one")).toBe(2);
        expect(harness.obeyed("one")).toEqual([]);
        if (!EXACT.has(eventKind)) return;
        expect(harness.shown("one")).not.toMatch(HIDDEN);
        expect(harness.shown("one")).toContain("\\u{202e}");
      },
    );

    test("show no secret that the agent masks", async () => {
      const redactor = createRedactor();
      redactor.add(SECRET);
      await using harness = await kind.open(async (_text, emit) => {
        const masked = openEventSink(emit, redactor.redact);
        for (const { event } of Object.values(EVENTS)) {
          if (event.kind !== "done") await masked.emit(spoil(event, SECRET));
        }
      });
      await harness.say("one", "go");
      await until(() => harness.ends("one") === 1);
      expect(harness.shown("one")).toContain("[secret]");
      expect(harness.shown("one")).not.toContain(SECRET);
    });

    test("of very long text arrive whole", async () => {
      const text = Array.from({ length: 20_000 }, (_, i) => `word ${i} «ё» 🙂`).join("\n");
      await using harness = await kind.open(sayAll({ kind: "content", text }));
      await harness.say("one", "go");
      await until(() => harness.ends("one") === 1);
      expect(harness.shown("one")).toContain(text);
    });

    test("wait for a slow reader, or take no room, and arrive in order", async () => {
      let sent = 0;
      await using harness = await kind.open(async (_text, emit) => {
        while (sent < PIECES) await emit({ kind: "content", text: `${sent++}:${PIECE}\n` });
      });
      harness.pause("one");
      await harness.say("one", "go");
      harness.pause("one");
      await until(() => sent > 0);
      for (let before = -1; before < sent; await Bun.sleep(30)) before = sent;
      const waiting = Number(harness.channel.status()["outbox"] ?? Number.NaN);
      expect(sent < MOST_UNDER_WAY || waiting < 10).toBe(true);
      harness.resume("one");
      await until(() => harness.ends("one") === 1);
      const numbers = harness
        .shown("one")
        .match(/\d+(?=:x)/gu)
        ?.map(Number);
      expect(numbers?.slice(-PIECES)).toEqual(Array.from({ length: PIECES }, (_, i) => i));
    });

    test("of a conversation that breaks end with an error, and the next is answered", async () => {
      await using harness = await kind.open((text, emit) => {
        if (text === "break") throw new Error("sk-this-is-nobodys-business");
        return emit({ kind: "content", text: `echo ${text}` });
      });
      await harness.say("one", "break");
      await harness.say("one", "next");
      await until(() => harness.ends("one") >= 2);
      expect(harness.ends("one")).toBe(2);
      expect(harness.shown("one")).toMatch(/ERR_INTERNAL|failed|in vain/u);
      expect(harness.shown("one")).toContain("echo next");
      expect(harness.shown("one")).not.toContain("nobodys-business");
    });
  });

  test(`${name}: a question is not answered by somebody else`, async () => {
    await using harness = await kind.open(sayAll(EVENTS.call_approval.event));
    await harness.say("one", "go");
    await until(() => harness.ends("one") === 1);
    await harness.answerAsStranger?.("one");
    await harness.answer("one", "reject");
    await until(() => harness.ends("one") === 2);
    const press = { act: "reject", ref: "ap_2" } as const;
    expect(harness.script.presses).toEqual([{ speaker: harness.speaker("one"), press }]);
  });

  describe(`${name}: life`, () => {
    test("deliver() says what became of the text", async () => {
      await using harness = await kind.open(echo);
      await harness.say("one", "hi");
      await until(() => harness.ends("one") === 1);
      expect(await harness.channel.deliver(`a routine ran ${EVIL}`)).toBe(kind.delivers);
      if (kind.delivers !== "nobody") {
        await until(() => harness.shown("one").includes("a routine ran"));
      }
      expect(harness.obeyed("one")).toEqual([]);
      await using empty = await kind.openEmpty();
      expect(await empty.channel.deliver("x")).toBe("nobody");
    });

    test("start() and stop() may come twice, and start() again after stop()", async () => {
      await using harness = await kind.open(echo);
      const { channel } = harness;
      const before = channel.status();
      await Promise.all([channel.start(), channel.start()]);
      expect(channel.status()).toMatchObject(before);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      await Promise.all([channel.stop(signal), channel.stop(signal)]);
      await channel.stop(signal);
      expect(channel.status()["state"]).toBe("stopped");
      await Promise.all([channel.start(), channel.start()]);
      await harness.say("one", "anew");
      await until(() => harness.ends("one") === 1);
      expect(harness.shown("one")).toContain("echo anew");
      expect(harness.script.received).toHaveLength(1);
    });

    test("stop() lets work end, and waits no longer than its signal", async () => {
      const gate = Promise.withResolvers<void>();
      await using harness = await kind.open(async (text, emit) => {
        await (text === "for ever" ? new Promise(() => undefined) : gate.promise);
        await emit({ kind: "content", text: `echo ${text}` });
      });
      await harness.say("one", "soon");
      await harness.say("two", "for ever");
      await until(() => harness.script.received.length === 2);
      const patience = new AbortController();
      const stopped = harness.channel.stop(patience.signal);
      gate.resolve();
      await until(() => harness.shown("one").includes("echo soon"));
      patience.abort();
      await stopped;
    });

    test("what happens after stop() harms nobody, and is not lost where it is kept", async () => {
      const gate = Promise.withResolvers<void>();
      const said = Promise.withResolvers<void>();
      await using harness = await kind.open(async (text, emit) => {
        await gate.promise;
        await emit({ kind: "content", text: `echo ${text}` });
        said.resolve();
      });
      await harness.say("one", "late");
      await until(() => harness.script.received.length === 1);
      await harness.channel.stop(AbortSignal.abort());
      gate.resolve();
      await said.promise;
      await harness.restart();
      if (!kind.isDurable) await harness.say("one", "anew");
      const answer = kind.isDurable ? "echo late" : "echo anew";
      await until(() => harness.shown("one").includes(answer));
      expect(harness.script.received).toHaveLength(2);
      expect(harness.shown("one")).toMatch(kind.isDurable ? /^echo late$/u : /echo anew/u);
    });
  });
}
