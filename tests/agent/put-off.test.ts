import { describe, expect, setSystemTime, test } from "bun:test";
import { chatTurn } from "../../src/agent/chat.ts";
import { lastSent, openAttack, pageTool, type Step, spy } from "../security/attack-scene.ts";
import { ANNA, type Scene } from "./scene.ts";
import { call, OPEN, play, run, tool } from "./turn-play.ts";

const ask: Step = [["change", { q: "x" }]];
const propose: Step = [["propose_changes", { goal: "b.txt: new" }]];

function turnOf(scene: Scene) {
  const signal = new AbortController().signal;
  const request = {
    speaker: ANNA,
    texts: scene.app.current.texts(),
    emit: () => {},
    signal,
    work: { id: "w", isKept: false },
  };
  return chatTurn({ ...request, hasApprover: true }, scene.app.current.agent.turns, "do it");
}

describe("a call that was put off", () => {
  test("is no call that ran: not in reports, traces or what was done, and no event", async () => {
    const tools = [spy("change", "change")];
    using scene = await openAttack({ steps: [ask, "asked", ask, "asked"], tools });
    expect((await turnOf(scene)).toolCalls).toEqual([]);
    const reply = await scene.say("again");
    expect(reply.kinds).toEqual(["call_approval", "content", "done"]);
  });

  test("says nothing of its tool: failures before and after it are in a row", async () => {
    const authorize = async (_tool: unknown, { q }: { readonly q?: unknown }) =>
      q === "2"
        ? ({ kind: "put_off", answer: "later" } as const)
        : ({ kind: "run", hasEffect: false } as const);
    const broken = { ok: false, error: "busy", errorCode: "timeout", retryable: false } as const;
    const look = tool("look", () => broken);
    const provider = play(call(1), call(2), call(3), call(4), "gave up");
    const { turn } = await run(provider, [look], { gate: { ...OPEN, authorize } });
    expect(look.runs).toHaveLength(2);
    expect(turn.toolCalls.map(({ ok }) => ok)).toEqual([false, false]);
  });

  test("is kept in the conversation, and not made again in the same turn", async () => {
    const change = spy("change", "change");
    using scene = await openAttack({ steps: [ask, ask, "asked", "later"], tools: [change] });
    const reply = await scene.say("do it");
    expect(reply.kinds.filter((kind) => kind === "call_approval")).toHaveLength(1);
    expect(lastSent(scene.model.asked[2], "tool")).toContain("answered above");
    await scene.say("and now?");
    expect(lastSent(scene.model.asked[3], "tool")).toContain("has not run");
  });

  test("a model that only goes on asking ends its turn without a fault, in three rounds", async () => {
    const steps = Array.from({ length: 9 }, (_, i): Step => [["change", { q: String(i) }]]);
    using scene = await openAttack({ steps, tools: [spy("change", "change")] });
    const turn = await turnOf(scene);
    expect(turn).toMatchObject({ modelCalls: 3, toolCalls: [] });
    expect(turn.error).toBeUndefined();
  });

  test("an answer of nothing behind a question is no fault either", async () => {
    using scene = await openAttack({ steps: [ask, ""], tools: [spy("change", "change")] });
    expect((await scene.say("do it")).kinds).not.toContain("error");
  });
});

describe("one question at a time", () => {
  test("a proposal does not take the place of a call that is asked about in the same turn", async () => {
    using scene = await openAttack({
      steps: [ask, propose, "asked"],
      tools: [spy("change", "change")],
    });
    const reply = await scene.say("do both");
    expect(reply.kinds).not.toContain("approval");
    expect(lastSent(scene.model.asked[2], "tool")).toContain("another one waits");
    const { approvalId } = reply.last("call_approval");
    expect((await scene.press("approve", approvalId)).last("call_result").ok).toBe(true);
  });

  test("nor under full autonomy, where it would be applied at once", async () => {
    using scene = await openAttack({
      steps: [[["fetch", { q: "x" }]], [["note", {}]], propose, "asked"],
      tools: [pageTool("a page"), spy("note", "note")],
      autonomy: "full",
    });
    const { approvalId } = (await scene.say("do both")).last("call_approval");
    expect(scene.tree()["b.txt"]).toBeUndefined();
    expect((await scene.press("approve", approvalId)).last("call_result").ok).toBe(true);
  });

  test("a call does not take the place of a proposal of the same turn", async () => {
    const change = spy("change", "change");
    using scene = await openAttack({ steps: [propose, ask, "asked"], tools: [change] });
    const reply = await scene.say("do both");
    expect(reply.kinds).not.toContain("call_approval");
    await scene.press("approve", reply.last("approval").approvalId);
    expect(scene.tree()["b.txt"]).toBeString();
  });

  test.each([
    ["a second later", 1000],
    ["in the same millisecond", 0],
    ["by a clock that was set back", -60_000],
  ])(
    "what a newer message asks %s takes the place of an older question",
    async (_when, laterMs) => {
      const at = Date.now();
      using _clock = { [Symbol.dispose]: () => setSystemTime() };
      setSystemTime(at);
      using scene = await openAttack({
        steps: [ask, "asked", propose, "asked"],
        tools: [spy("change", "change")],
      });
      const { approvalId } = (await scene.say("do it")).last("call_approval");
      setSystemTime(at + laterMs);
      expect((await scene.say("rather this")).kinds).toContain("approval");
      expect((await scene.press("approve", approvalId)).last("error").message).toContain("newer");
    },
  );
});
