import { describe, expect, test } from "bun:test";
import { lastSent, openAttack, pageTool, spy } from "../security/attack-scene.ts";
import { ANNA, collectReply, type Scene } from "./scene.ts";
import { call, play, retryable, run, tool } from "./turn-play.ts";

const ok = () => ({ ok: true, content: "done" }) as const;

/** The message `id` comes in, for the first time or again. */
/** Sent after whatever was shown, which a clock of milliseconds may not tell by itself. */
function bring(scene: Scene, text: string, id = "m1") {
  const origin = { messageId: id, receivedAt: Date.now() + 1 };
  return collectReply((emit) => scene.conversation.message(ANNA, text, emit, origin));
}

/** What the session would show the next turn, by role. */
function rolesOf(scene: Scene): readonly string[] {
  const { messages } = scene.app.current.agent.core.sessions.history(ANNA.sessionId, 99);
  return messages.map(({ message }) => message.role);
}

describe("a turn writes down", () => {
  test("each effect before it runs and with what came of it, looks with their round", async () => {
    const tools = [tool("look", ok), tool("write", ok, "change")];
    const both = [...call(1), ...call(2, "write"), ...call(3)];
    const { lines } = await run(play(both, "fine"), tools);
    expect(lines).toEqual([
      "begin write",
      "kept assistant",
      "kept tool",
      "kept tool",
      "end write",
      "kept assistant",
      "kept tool",
      "last assistant",
    ]);
  });

  test("an effect that failed for the turn alone, and a look that failed not at all", async () => {
    const tools = [tool("look", () => retryable), tool("write", () => retryable, "change")];
    const { lines } = await run(play([...call(1), ...call(2, "write")], "no"), tools);
    expect(lines).toEqual([
      "begin write",
      "failed assistant",
      "failed tool",
      "end write",
      "last assistant",
    ]);
  });

  test("its rows, and leaves none open", async () => {
    const change = spy("change", "change");
    const scripted = { steps: [[["change", {}]], "fine"], tools: [change] } as const;
    using scene = await openAttack({ ...scripted, autonomy: "full" });
    await scene.say("do it");
    expect(rolesOf(scene)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(scene.app.state.store.query("SELECT * FROM approvals").all()).toEqual([]);
  });
});

describe("a message that is brought again", () => {
  test("has its answer again when its turn was over, and is in the history once", async () => {
    using scene = await openAttack({ steps: ["hello"], tools: [] });
    expect((await bring(scene, "hi")).text).toBe("hello");
    expect((await bring(scene, "hi")).text).toBe("hello");
    expect(scene.model.asked).toHaveLength(1);
    expect(rolesOf(scene)).toEqual(["user", "assistant"]);
    expect((await bring(scene, "hi", "m2")).text).toBe("end");
  });

  test("goes on where its turn was cut off: says what was said, and repeats no effect", async () => {
    const change = spy("change", "change");
    const steps = [[["change", { q: "x" }]], [["change", { q: "y" }]], "fine"] as const;
    using scene = await openAttack({ steps, tools: [change], autonomy: "full" });
    const turn = { turnId: "m1" };
    const made = { id: "1", name: "change", arguments: '{"q":"x"}' };
    const { sessions } = scene.app.current.agent.core;
    sessions.append(ANNA.sessionId, [{ role: "user", content: "do it" }], 1, turn);
    const round = [
      { role: "assistant", content: "I will.", toolCalls: [made] },
      { role: "tool", toolCallId: "1", content: "change ran" },
    ] as const;
    sessions.append(ANNA.sessionId, round, 2, turn);
    expect((await bring(scene, "do it")).text).toBe("I will.\n\nfine");
    expect(lastSent(scene.model.asked[0], "tool")).toBe("change ran");
    expect(lastSent(scene.model.asked[1], "tool")).toContain("not made twice");
    expect(change.runs).toEqual([{ q: "y" }]);
    expect(rolesOf(scene).filter((role) => role === "user")).toHaveLength(1);
  });

  test("knows an effect again whose arguments held a secret", async () => {
    const change = spy("change", "change");
    const secret = `sk-${"a1".repeat(12)}`;
    const pay = [["change", { q: secret }]] as const;
    // An empty answer ends no turn, just as a crash does not.
    using scene = await openAttack({
      steps: [pay, "", pay, "fine"],
      tools: [change],
      autonomy: "full",
    });
    await bring(scene, "do it");
    expect((await bring(scene, "do it")).text).toContain("fine");
    expect(change.runs).toEqual([{ q: secret }]);
  });

  test("keeps the question of its turn: the same call is asked about by the same buttons", async () => {
    const steps = [[["change", {}]], "", [["change", {}]], "asked"] as const;
    using scene = await openAttack({ steps, tools: [spy("change", "change")] });
    const first = (await bring(scene, "do it")).last("call_approval");
    const second = (await bring(scene, "do it")).last("call_approval");
    expect(second.approvalId).toBe(first.approvalId);
  });

  test("keeps the question of its turn from another one", async () => {
    const steps = [[["change", { q: "a" }]], "", [["change", { q: "b" }]], "asked"] as const;
    using scene = await openAttack({ steps, tools: [spy("change", "change")] });
    await bring(scene, "do it");
    expect((await bring(scene, "do it")).kinds).not.toContain("call_approval");
    expect(lastSent(scene.model.asked[3], "tool")).toContain("another one waits");
  });

  test("is no yes to what its own turn asked", async () => {
    const change = spy("change", "change");
    using scene = await openAttack({ steps: [[["change", {}]], "", "again"], tools: [change] });
    expect((await bring(scene, "yes")).kinds).toContain("call_approval");
    expect((await bring(scene, "yes")).text).toBe("again");
    expect(change.runs).toEqual([]);
  });

  test("is still tainted by what was read before the crash", async () => {
    const note = spy("note", "note");
    const steps = [
      [["fetch", { url: "https://a.example/" }]],
      "",
      [["note", {}]],
      "asked",
    ] as const;
    using scene = await openAttack({ steps, tools: [pageTool("a page"), note], autonomy: "full" });
    await bring(scene, "read https://a.example/");
    expect((await bring(scene, "read https://a.example/")).kinds).toContain("call_approval");
    expect(note.runs).toEqual([]);
  });
});

test("a yes that came in before the question is no answer to it, however late it is worked on", async () => {
  const change = spy("change", "change");
  using scene = await openAttack({ steps: [[["change", {}]], "asked"], tools: [change] });
  const receivedAt = Date.now();
  await scene.say("do it");
  const early = { messageId: "m1", receivedAt };
  const reply = await collectReply((emit) => scene.conversation.message(ANNA, "yes", emit, early));
  expect(reply.text).toContain("before the question");
  expect(change.runs).toEqual([]);
});

test("a yes that is brought again approves nothing else: its turn goes on", async () => {
  const change = spy("change", "change");
  const ask = [["change", {}]] as const;
  const steps = [ask, "asked", "", [["change", { q: "other" }]], "asked more"] as const;
  using scene = await openAttack({ steps, tools: [change] });
  await scene.say("do it");
  await bring(scene, "yes");
  expect(change.runs).toEqual([{}]);
  scene.app.current.agent.core.sessions.update(
    ANNA.sessionId,
    ANNA.userId,
    { planId: "plan_1" },
    1,
  );
  const again = await bring(scene, "yes");
  expect(again.last("call_approval").args).toEqual({ q: "other" });
  expect(again.text).toBe("asked more");
  expect(change.runs).toEqual([{}]);
});
