import { describe, expect, test } from "bun:test";
import { createConversation } from "../../src/agent/conversation.ts";
import { makeChange, noteMade } from "../../src/agent/interrupted/begun-change.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { openScene, WRITER } from "./scene.ts";

const { signal } = new AbortController();
const OWNER = { sessionId: "http:s", userId: "owner" };

/** Makes a change for a work and does not live to see its outcome, as a crash leaves it. */
async function dieBehind(scene: Awaited<ReturnType<typeof openScene>>, workId: string) {
  const { agent } = scene.app.current;
  const { operations } = agent.plans;
  const plan = await operations.plan(agent.core.workspaces.get("notes"), `b.txt: ${workId}`, {
    signal,
  });
  if (!plan.ok) throw new Error(plan.message);
  const { planId } = plan;
  const asked = await operations.apply(planId, { signal });
  const approved = asked.preview?.changeSetId ?? "";
  const die = async (): Promise<never> => {
    const done = await operations.apply(planId, { signal, approved, work: workId });
    expect(done).toMatchObject({ ok: true, status: "committed" });
    throw new Error("killed");
  };
  await makeChange({ work: { id: workId }, signal }, agent.core, { planId }, die).catch(() => {});
}

describe("Conversation.workState()", () => {
  test("knows after a crash what a request committed, by the id that it was given", async () => {
    using scene = await openScene({ author: WRITER });
    await dieBehind(scene, "http:mine");
    const conversation = createConversation(scene.app.current.agent);
    expect(conversation.workState("http:mine")).toMatchObject({
      state: "ended",
      outcomes: [{ ok: true, status: "committed", changes: [{ path: "b.txt" }] }],
    });
    expect(conversation.workState("http:min")).toEqual({ state: "unknown" });
  });

  test("knows what a call of the request's turn committed", async () => {
    using scene = await openScene({ author: WRITER });
    const { agent } = scene.app.current;
    noteMade({ work: { id: "http:turn" } }, agent.core, "call_1");
    await dieBehind(scene, "call_1");
    expect(createConversation(agent).workState("http:turn")).toMatchObject({
      state: "ended",
      outcomes: [{ ok: true, status: "committed" }],
    });
  });

  test("says of one that was cut off while a command ran that it may have run", async () => {
    using scene = await openScene({ author: WRITER });
    const { approvals } = scene.app.current.agent.core;
    const call = { ...OWNER, tool: "run_command", argsJson: "{}", createdAt: 1 };
    approvals.allow({ ...call, approvalId: "ap_cut", turnId: "http:cut" });
    approvals.allow({ ...call, approvalId: "ap_done", turnId: "http:done" });
    approvals.finish("ap_done");
    const { workState } = createConversation(scene.app.current.agent);
    expect(workState("http:cut")).toEqual({ state: "unknown", mayHaveRun: true });
    expect(workState("http:done")).toEqual({ state: "unknown" });
  });

  test("says of a press that was cut off while what it allowed ran that it may have run", async () => {
    using scene = await openScene({ author: WRITER });
    const { core } = scene.app.current.agent;
    const common = { ...OWNER, callSha256: "", argsJson: "{}", createdAt: 1, expiresAt: 9e15 };
    for (const [tool, ref] of [
      ["run_command", "ap_cut"],
      ["run_command", "ap_done"],
      ["propose_changes", "ap_plan"],
    ] as const) {
      core.approvals.ask({ ...common, kind: "tool_call", tool, approvalId: ref });
      core.approvals.settle(ref, "approved");
      noteMade({ work: { id: `http:${ref}` } }, core, ref);
      core.approvals.begin(ref);
    }
    core.approvals.finish("ap_done");
    const { workState } = createConversation(scene.app.current.agent);
    expect(workState("http:ap_cut")).toEqual({ state: "unknown", mayHaveRun: true });
    expect(workState("http:ap_done")).toEqual({ state: "unknown" });
    // Of a change the journals know.
    expect(workState("http:ap_plan")).toEqual({ state: "unknown" });
  });

  test("says so of a routine that was run for a work, and beside what is known", async () => {
    using scene = await openScene({ author: WRITER });
    const { core } = scene.app.current.agent;
    noteMade({ work: { id: "http:run" } }, core, "routine:tidy:1");
    const call = { ...OWNER, tool: "run_command", argsJson: "{}", createdAt: 1 };
    core.approvals.allow({ ...call, approvalId: "ap_in", turnId: "routine:tidy:1" });
    const { workState } = createConversation(scene.app.current.agent);
    expect(workState("http:run")).toEqual({ state: "unknown", mayHaveRun: true });
    await dieBehind(scene, "routine:tidy:1");
    expect(workState("http:run")).toMatchObject({
      state: "ended",
      outcomes: [{ status: "committed" }],
      mayHaveRun: true,
    });
  });

  test("says of one that is worked on that it runs, and of one that changed nothing nothing", async () => {
    using scene = await openScene({ author: WRITER });
    const conversation = createConversation(scene.app.current.agent);
    const states: string[] = [];
    const look = () => void states.push(conversation.workState("http:mine").state);
    await conversation.message(OWNER, "/help", look, { workId: "http:mine", digest: "d" });
    expect(states[0]).toBe("running");
    expect(conversation.workState("http:mine")).toMatchObject({ state: "unknown" });
  });

  test("names the question that came of a request, until and after it is answered, also after a restart", async () => {
    using scene = await openScene({ author: WRITER });
    const first = createConversation(scene.app.current.agent);
    const events: AgentEvent[] = [];
    const hear = (event: AgentEvent) => void events.push(event);
    const waits: unknown[] = [];
    const look: typeof hear = (event) => {
      hear(event);
      if (event.kind === "approval") waits.push(first.workState("http:mine").question);
    };
    await first.message(OWNER, "apply: b.txt: x", look, { workId: "http:mine", digest: "d" });
    const asked = events.find((event) => event.kind === "approval");
    if (!asked) throw new Error("nothing was asked");
    const { approvalId, preview } = asked;
    const about = {
      kind: "change_set",
      planId: preview.planId,
      changeSetId: preview.changeSetId,
    } as const;
    const question = { approvalId, isWaiting: true, about };
    expect(waits).toEqual([question]); // before it is shown
    const second = createConversation(scene.app.current.agent);
    expect(second.workState("http:mine")).toEqual({
      asked: { sessionId: OWNER.sessionId, digest: "d" },
      question,
      state: "unknown",
    });
    // A press that asks something else instead has that for its question; the one before waits no more.
    const written = { path: "b.txt", side: "after", line: 1, text: "y", instead: true } as const;
    const press = { act: "revise", ref: approvalId, revision: { comments: [written] } } as const;
    await second.press(OWNER, press, hear, { workId: "http:other", digest: "e" });
    const over = { ...question, isWaiting: false };
    expect(second.workState("http:mine").question).toEqual(over);
    const next = second.workState("http:other").question;
    expect(next).toMatchObject({ isWaiting: true, about: { kind: "change_set" } });
    expect(next?.approvalId).not.toBe(approvalId);
    // Nobody answers what is too old.
    scene.wait(365 * 24 * 3_600_000);
    expect(second.workState("http:other").question).toMatchObject({ isWaiting: false });
    // What asks nothing has none, nor has what has no name.
    await second.message(OWNER, "/help", hear, { workId: "http:help", digest: "f" });
    expect(second.workState("http:help").question).toBeUndefined();
  });

  test("names the question about a call", async () => {
    using scene = await openScene({ author: WRITER });
    const { core } = scene.app.current.agent;
    const common = { ...OWNER, callSha256: "", argsJson: "{}", createdAt: 1, expiresAt: 9e15 };
    const call = {
      ...common,
      kind: "tool_call",
      tool: "run_command",
      approvalId: "ap_call",
    } as const;
    core.approvals.ask(call);
    const row = { sessionId: OWNER.sessionId, digest: "d", approvalId: "ap_call" };
    core.settings.of("asked.").set("http:mine", row);
    const { workState } = createConversation(scene.app.current.agent);
    expect(workState("http:mine").question).toEqual({
      approvalId: "ap_call",
      isWaiting: true,
      about: { kind: "tool_call", tool: "run_command" },
    });
  });

  test("knows after a restart of whom and of what the id is, also of a press", async () => {
    using scene = await openScene({ author: WRITER });
    const first = createConversation(scene.app.current.agent);
    const quiet = () => {};
    await first.message(OWNER, "/help", quiet, { workId: "http:mine", digest: "d1" });
    const press = { act: "drop", ref: "plan_0" } as const;
    await first.press(OWNER, press, quiet, { workId: "http:press", digest: "d2" });
    const { workState } = createConversation(scene.app.current.agent);
    const { sessionId } = OWNER;
    expect(workState("http:mine").asked).toEqual({ sessionId, digest: "d1" });
    expect(workState("http:press").asked).toEqual({ sessionId, digest: "d2" });
  });
});
