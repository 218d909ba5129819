import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ErrorCode } from "../../src/core/error-codes.ts";
import type { Author } from "../../src/planner/author.ts";
import { setAutoUse } from "../../src/store/online/auto-use.ts";
import { tempDir } from "../support/temp.ts";
import { FOUND, hangingResearch, onlineFields, openOnline, planOnceFound } from "./online-scene.ts";
import { bindOperations, CREATE, eventsOf, never, PLAN, requestText } from "./planner-scene.ts";

const CHATTER = "I cannot answer";
const DEAD = {
  ok: false,
  code: "unavailable",
  message: 'Cannot search with "tavily": it is down',
} as const;
const forever = Array.from({ length: 40 }, () => planOnceFound);

/** An author that fails as a provider does. */
function failing(code: ErrorCode): Author {
  const answer = async () => ({ ok: false, code, message: "no answer" }) as const;
  return { name: "m", model: "m", strictJson: false, tokenBudget: 0, answer };
}

describe("planOnline() without auto-use", () => {
  test.each([
    ["ERR_JSON_EXTRACT", [CHATTER, CHATTER]],
    ["ERR_JSON_PARSE", ['{"actions": [', '{"actions": [']],
    ["ERR_SCHEMA_VALIDATION", [{ summary: "no actions" }, { summary: "none" }]],
    [
      "ERR_SCHEMA_VALIDATION",
      [
        { actions: [], summary: " " },
        { actions: [], summary: "" },
      ],
    ],
    ["NEEDS_ONLINE_RESEARCH", [{ actions: [], summary: "NEEDS_ONLINE_RESEARCH:\n" }]],
  ] as const)("suggests research for the goal after %s", async (code, lines) => {
    using scene = openOnline(lines);
    const plan = await scene.operations.plan(scene.workspace, "do  it", { signal: never });
    expect(plan).toMatchObject({ ok: false, code, onlineSuggested: "do it", onlineUsed: false });
    expect(scene.queries).toEqual([]);
    expect(eventsOf(scene, "ONLINE_FALLBACK_SUGGESTED")).toEqual([
      { event: "ONLINE_FALLBACK_SUGGESTED", fields: { reason: code, query: "do it" } },
    ]);
    expect(onlineFields(scene.traces[0])).toEqual({});
  });

  test.each([
    ["LLM_REQUEST_TIMEOUT", "do it"],
    ["LLM_REQUEST", undefined],
    ["ERR_CANCELLED", undefined],
    ["ERR_SECRET_UNAVAILABLE", undefined],
  ] as const)("after %s of the provider suggests %p", async (code, onlineSuggested) => {
    using scene = openOnline([]);
    const { deps, online, workspace } = scene;
    const operations = bindOperations({ ...deps, author: failing(code), online });
    const plan = await operations.plan(workspace, "do it", { signal: never });
    expect("onlineSuggested" in plan ? plan.onlineSuggested : undefined).toBe(onlineSuggested);
  });

  test("suggests nothing for a plan with actions, or one that is good", async () => {
    using scene = openOnline([CREATE, CREATE, PLAN]);
    const plan = () => scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(await plan()).toMatchObject({ ok: false, code: "ERR_PLAN_HAS_ACTIONS" });
    expect(await plan()).toMatchObject({ ok: true });
    expect(eventsOf(scene, "ONLINE_FALLBACK_SUGGESTED")).toEqual([]);
  });

  test("suggests nothing where research is off", async () => {
    using scene = openOnline([CHATTER, CHATTER]);
    const operations = bindOperations(scene.deps);
    const plan = await operations.plan(scene.workspace, "do it", { signal: never });
    expect(plan).not.toHaveProperty("onlineSuggested");
    expect(requestText(scene.author, 0)).not.toContain("NEEDS_ONLINE_RESEARCH");
  });

  test("suggests the model's own query, on one line, masked and no longer than 400", async () => {
    const query = `bun\u200b flags hunter2 ${"x".repeat(900)}\nFILE[a.txt]`;
    using scene = openOnline([{ actions: [], summary: `NEEDS_ONLINE_RESEARCH: ${query}` }]);
    const redact = (text: string) => text.replaceAll("hunter2", "[secret]");
    const { deps, online } = scene;
    const operations = bindOperations({ ...deps, sources: { ...deps.sources, redact }, online });
    const plan = await operations.plan(scene.workspace, "do it", { signal: never });
    const suggested = "onlineSuggested" in plan ? (plan.onlineSuggested ?? "") : "";
    expect(suggested).toMatch(/^bun flags \[secret\] x+$/);
    expect(suggested.length).toBeLessThanOrEqual(400);
  });
});

describe("planOnline() with auto-use", () => {
  test("researches and plans once more, with the findings as data", async () => {
    using scene = openOnline([CHATTER, CHATTER, PLAN], { autoUse: true });
    const plan = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(plan).toMatchObject({
      ok: true,
      onlineUsed: true,
      autoUsed: { goal: "do it", query: "do it", findings: { answerMd: "The flag is --fast." } },
    });
    expect(scene.queries).toEqual(["do it"]);
    const prompt = requestText(scene.author, 2);
    expect(prompt).toMatch(/ONLINE_RESEARCH_SUMMARY:\n\(Written by strangers[^\n]*\n<<<OUTSIDE /u);
    expect(prompt).toContain("\nThe flag is --fast.\n\nONLINE_SOURCES:\n1. https://docs.example");
    expect(prompt.indexOf("ONLINE_RESEARCH_SUMMARY:")).toBeLessThan(prompt.indexOf("GOAL: do it"));
    expect(requestText(scene.author, 0)).toContain("NEEDS_ONLINE_RESEARCH");
    expect(prompt).not.toContain("NEEDS_ONLINE_RESEARCH");
    expect(eventsOf(scene, "ONLINE_FALLBACK_SUGGESTED")).toEqual([]);
  });

  test("leaves in the trace of the second plan what came from the web", async () => {
    using scene = openOnline([CHATTER, CHATTER, PLAN], { autoUse: true });
    await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(scene.traces.map(onlineFields)).toEqual([
      {},
      {
        online_context_injected: true,
        online_context_chars: expect.any(Number),
        online_context_sources_count: 1,
        online_context_truncated: false,
        online_context_dropped: false,
        online_sources: ["https://docs.example/fast"],
        online_fallback_attempted: true,
        online_fallback_executed: true,
        online_fallback_reason: "ERR_JSON_EXTRACT",
      },
    ]);
    expect(scene.traces[1]).toMatchObject({ event: "LLM_PLAN_OK", mode: "plan" });
  });

  test("cuts the findings to their limits: 8,000 characters, 10 sources", async () => {
    const sources = Array.from({ length: 14 }, (_, n) => ({
      url: `https://a.example/${n}`,
      title: "",
    }));
    const { research } = FOUND.ok ? FOUND : { research: undefined };
    if (!research) throw new Error("no findings");
    const answerMd = "word ".repeat(4000);
    using scene = openOnline([CHATTER, CHATTER, PLAN], {
      autoUse: true,
      research: async () => ({ ok: true, research: { ...research, answerMd, sources } }),
    });
    await scene.operations.plan(scene.workspace, "do it", { signal: never });
    const fields = onlineFields(scene.traces[1]);
    const header = "ONLINE_RESEARCH_SUMMARY:\n".length;
    expect(fields["online_context_chars"]).toBeLessThanOrEqual(8000 + header);
    expect(fields["online_context_chars"]).toBeGreaterThan(7900);
    expect(fields).toMatchObject({
      online_context_sources_count: 10,
      online_context_truncated: true,
      online_context_injected: true,
    });
    expect(requestText(scene.author, 2)).toContain("10. https://a.example/9");
    expect(requestText(scene.author, 2)).not.toContain("https://a.example/10");
  });

  test("says that findings were not used where they had no room", async () => {
    using scene = openOnline([CHATTER, CHATTER, PLAN], {
      autoUse: true,
      limits: { maxTotalChars: 300 },
    });
    const plan = await scene.operations.plan(scene.workspace, "do it in a.txt", { signal: never });
    expect(plan).toMatchObject({ ok: true, onlineUsed: false });
    expect(onlineFields(scene.traces[1])).toMatchObject({
      online_context_injected: false,
      online_context_dropped: true,
      online_context_chars: 0,
    });
  });

  test("gives the second plan's own error, and tries no third time", async () => {
    const lines = [CHATTER, CHATTER, '{"a', '{"a', PLAN];
    using scene = openOnline(lines, { autoUse: true });
    const plan = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(plan).toMatchObject({
      ok: false,
      code: "ERR_JSON_PARSE",
      onlineUsed: true,
      autoUsed: {},
    });
    expect(plan).not.toHaveProperty("onlineSuggested");
    expect(scene.author.asked).toHaveLength(4);
    expect(scene.traces[1]).toMatchObject({
      event: "VALIDATION_FAILED",
      online_fallback_reason: "ERR_JSON_EXTRACT",
    });
  });

  test("does not go round when the model asks for research again", async () => {
    const again = { actions: [], summary: "NEEDS_ONLINE_RESEARCH: more" };
    using scene = openOnline([again, again, PLAN], { autoUse: true });
    const plan = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(plan).toMatchObject({ ok: false, code: "NEEDS_ONLINE_RESEARCH", autoUsed: {} });
    expect(scene.queries).toEqual(["more"]);
  });

  test("chains twice for goals A, B, A, over a restart too", async () => {
    using dir = tempDir();
    const lines = Array.from({ length: 40 }, () => CHATTER);
    using scene = openOnline(lines, { autoUse: true, storePath: join(dir.path, "state.db") });
    const plan = (goal: string, operations = scene.operations) =>
      operations.plan(scene.workspace, goal, { signal: never });
    expect(await plan("A a")).toHaveProperty("autoUsed");
    expect(await plan("B")).toHaveProperty("autoUsed");
    expect(await plan(" a  A")).not.toHaveProperty("autoUsed");
    expect(await plan("A a", scene.reopen())).not.toHaveProperty("autoUsed");
    expect(scene.queries).toEqual(["A a", "B"]);
    expect(scene.author.asked).toHaveLength(4 + 4 + 2 + 2);
  });

  test("chains once for two plans of one goal side by side", async () => {
    using scene = openOnline(forever, { autoUse: true });
    const plan = () => scene.operations.plan(scene.workspace, "do it", { signal: never });
    const both = await Promise.all([plan(), plan()]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(scene.queries).toHaveLength(1);
  });

  test("only suggests in a folder where it was switched off", async () => {
    using scene = openOnline(forever, { autoUse: true });
    setAutoUse(scene.online.settings, scene.workspace.root, false);
    const plan = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(plan).toMatchObject({ ok: false, onlineSuggested: "do it" });
    expect(scene.queries).toEqual([]);
  });

  test("gives the plan's error and one sentence more when research fails; free failures do not count", async () => {
    const outcomes = [DEAD, FOUND];
    using scene = openOnline(forever, {
      autoUse: true,
      research: async () => outcomes.shift() ?? DEAD,
    });
    const plan = () => scene.operations.plan(scene.workspace, "do it", { signal: never });
    const first = await plan();
    expect(first).toMatchObject({ ok: false, code: "ERR_JSON_EXTRACT", onlineUsed: false });
    expect(first.ok || first.message).toEndWith(`\n${DEAD.message}`);
    expect(first).not.toHaveProperty("autoUsed");
    expect(await plan()).toMatchObject({ ok: true });
  });

  test("pays no second time for a summary that was no good", async () => {
    const bad = { ok: false, code: "ERR_SCHEMA_VALIDATION", message: "Bad summary" } as const;
    using scene = openOnline(forever, { autoUse: true, research: async () => bad });
    const plan = () => scene.operations.plan(scene.workspace, "do it", { signal: never });
    const first = await plan();
    expect(first.ok || first.message).toEndWith("\nBad summary");
    await plan();
    expect(scene.queries).toHaveLength(1);
  });

  test("is over when it is cancelled during research, and may be asked again", async () => {
    const { research, begun } = hangingResearch();
    const steps = [research, async () => FOUND];
    using scene = openOnline(forever, {
      autoUse: true,
      research: (query, signal) => (steps.shift() ?? research)(query, signal),
    });
    const controller = new AbortController();
    const { signal } = controller;
    const planning = scene.operations.plan(scene.workspace, "do it", { signal });
    await begun;
    controller.abort();
    expect(await planning).toMatchObject({
      ok: false,
      code: "ERR_CANCELLED",
      message: "It was cancelled",
    });
    const again = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    expect(again).toMatchObject({ ok: true });
  });

  test("is over when it is cancelled during the second plan, and may be asked again", async () => {
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
      return CHATTER;
    };
    using scene = openOnline([CHATTER, CHATTER, cancel, ...forever], { autoUse: true });
    const plan = (signal: AbortSignal) =>
      scene.operations.plan(scene.workspace, "do it", { signal });
    expect(await plan(controller.signal)).toMatchObject({ ok: false, code: "ERR_CANCELLED" });
    expect(await plan(never)).toMatchObject({ ok: true });
  });

  test("shows the apply what the plan was shown", async () => {
    using scene = openOnline([CHATTER, CHATTER, PLAN, CREATE], { autoUse: true });
    const plan = await scene.operations.plan(scene.workspace, "do it", { signal: never });
    const shown = await scene.operations.preview(plan.ok ? plan.planId : "", never);
    expect(shown).toMatchObject({ ok: true });
    const said = scene.author.asked.at(-1)?.messages.map(({ content }) => content) ?? [];
    expect(said.filter((text) => text.includes("The flag is --fast."))).toHaveLength(1);
    expect(said.at(-1)).toContain("Now APPLY");
  });
});
