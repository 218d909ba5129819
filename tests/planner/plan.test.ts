import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { toMaxFiles } from "../../src/planner/context/context.ts";
import { changeSetOf, leaveUnfinished } from "../transaction/scene.ts";
import {
  createScene,
  eventsOf,
  type Line,
  never,
  PLAN,
  planIn,
  reasonOf,
  requestText,
} from "./planner-scene.ts";

const read = (path: string, start_line?: number) => ({
  type: "read_file",
  path,
  ...(start_line && { start_line }),
});

const ask = (...context_requests: object[]) => ({ actions: [], summary: "?", context_requests });

describe("makePlan()", () => {
  test("stores the goal, the answer, what was shown and the sha256 of every file seen", async () => {
    using scene = createScene({ "a.txt": "a\n", "b.txt": "b\n" }, [ask(read("./b.txt")), PLAN]);
    const outcome = await scene.operations.plan(scene.workspace, "fix a.txt", { signal: never });
    expect(outcome).toMatchObject({
      ok: true,
      summary: "1. Do it",
      requestsServed: 1,
      protocolVersion: 2,
    });
    const stored = scene.plans.loadPlan(outcome.ok ? outcome.planId : "");
    expect(stored).toMatchObject({
      goal: "fix a.txt",
      summary: "1. Do it",
      workspaceRoot: scene.root,
      files: { "a.txt": sha256("a\n"), "b.txt": sha256("b\n") },
      traceId: outcome.traceId,
    });
    expect(stored?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(stored?.messages.at(-1)?.content).toContain("FILE[b.txt]");
  });

  test("asks once when the plan comes at once", async () => {
    using scene = createScene({}, [PLAN]);
    const outcome = await scene.operations.plan(scene.workspace, "begin", { signal: never });
    expect(outcome).toMatchObject({ ok: true, requestsServed: 0 });
    expect(scene.author.asked).toHaveLength(1);
  });

  test("takes no answer without a summary for a plan", async () => {
    using scene = createScene({}, [{ actions: [] }, { actions: [], summary: " " }]);
    const outcome = await scene.operations.plan(scene.workspace, "begin", { signal: never });
    expect(outcome).toMatchObject({ ok: false, code: "ERR_SCHEMA_VALIDATION" });
    expect(requestText(scene.author, 1)).toContain("summary must hold the plan");
  });

  test("puts back what a crash left before it reads the folder, and says so", async () => {
    using scene = createScene({ "a.txt": "a" }, [PLAN]);
    const actions = [{ kind: "CREATE_FILE", path: "left.txt", content: "half" }] as const;
    leaveUnfinished(scene.workspace, changeSetOf(scene.workspace, actions).changes);
    await Bun.write(join(scene.root, "left.txt"), "half");
    const outcome = await scene.operations.plan(scene.workspace, "begin", { signal: never });
    expect(outcome.ok).toBe(true);
    expect(existsSync(join(scene.root, "left.txt"))).toBe(false);
    expect(scene.notices).toEqual([expect.stringContaining("in the middle of")]);
  });

  test("serves two rounds of requests, says which is the last, and ignores a third", async () => {
    using scene = createScene({ "a.txt": "a", "b.txt": "b", "c.txt": "c" }, [
      ask(read("a.txt")),
      ask(read("b.txt")),
      ask(read("c.txt")),
      PLAN,
    ]);
    const plan = await scene.operations.plan(scene.workspace, "g", { signal: never });
    expect(plan).toMatchObject({ ok: true, requestsServed: 2, summary: "?" });
    expect(scene.author.asked).toHaveLength(3);
    expect(requestText(scene.author, 1)).toContain("FILE[a.txt]");
    expect(requestText(scene.author, 1)).not.toContain("Nothing more can be shown");
    expect(requestText(scene.author, 2)).toContain("Nothing more can be shown");
  });

  test("never asks more than four times: the plan, two rounds, one repair", async () => {
    const scripts: readonly (readonly Line[])[] = [
      ["bad", ask(read("a")), ask(read("b")), ask(read("c")), PLAN],
      [ask(read("a")), "bad", ask(read("b")), ask(read("c")), PLAN],
      [ask(read("a")), ask(read("b")), "bad", PLAN, PLAN],
    ];
    for (const lines of scripts) {
      using scene = createScene({}, lines);
      expect((await scene.operations.plan(scene.workspace, "g", { signal: never })).ok).toBe(true);
      expect(scene.author.asked).toHaveLength(4);
    }
    using stubborn = createScene({}, ["bad", ask(read("a")), "bad", PLAN]);
    const plan = await stubborn.operations.plan(stubborn.workspace, "g", { signal: never });
    expect(plan).toMatchObject({ ok: false, code: "ERR_JSON_EXTRACT" });
    expect(stubborn.author.asked).toHaveLength(3);
  });

  test("keeps the repaired answer in the conversation, not the bad one", async () => {
    using scene = createScene({ a: "" }, ["BAD", ask(read("a")), PLAN]);
    await planIn(scene);
    const said = scene.author.asked[2]?.messages.map(({ role, content }) => role + content);
    expect(said?.join()).not.toContain("BAD");
    expect(said?.[2]).toStartWith("assistant{");
  });

  test("turns actions in a plan into one repair and then an error; nothing is stored", async () => {
    const bad = { actions: [{ kind: "CREATE_DIR", path: "x" }], summary: "s" };
    using scene = createScene({}, [bad, bad]);
    const plan = await scene.operations.plan(scene.workspace, "g", { signal: never });
    expect(plan).toMatchObject({ ok: false, code: "ERR_PLAN_HAS_ACTIONS" });
    expect(requestText(scene.author, 1)).toContain("actions must be [] in a plan");
    expect(Object.keys(plan)).not.toContain("planId");
  });

  test("shows a file once, however often it is asked for, and counts the lookups", async () => {
    using scene = createScene({ a: "needle" }, [ask(read("a"), read("a")), ask(read("a")), PLAN]);
    await planIn(scene);
    expect(requestText(scene.author, 1).match(/FILE\[a\]/g)).toHaveLength(1);
    expect(requestText(scene.author, 2)).toStartWith("All that you asked for is shown above.");
    expect(scene.traces[0]).toMatchObject({
      cache_stats: { read_hits: 2, read_misses: 1, hit_rate: 2 / 3 },
    });
  });

  test("answers requests for protected, outside and missing files with refusals only", async () => {
    using scene = createScene({ ".env": "KEY=hunter2" }, [
      ask(read(".env"), read("../x"), read("/etc/passwd"), read("none")),
      PLAN,
    ]);
    const planId = await planIn(scene);
    expect(requestText(scene.author, 1).match(/^REFUSED/gm)).toHaveLength(4);
    const said = JSON.stringify(scene.author.asked.map(({ messages }) => messages));
    expect(said).not.toContain("hunter2");
    expect(said).not.toContain(scene.root);
    expect(scene.plans.loadPlan(planId)?.files).toEqual({});
  });
});

describe("makePlan() on its context limits", () => {
  const big = (size: number) => `${"x".repeat(99)}\n`.repeat(size / 100);

  test("holds them over all rounds and says what had no room", async () => {
    const files = {
      "a.txt": big(9000),
      "b.txt": big(9000),
      "c.txt": big(9000),
      "d.txt": big(9000),
    };
    using scene = createScene(
      files,
      [ask(read("c.txt"), read("d.txt")), ask(read("b.txt", 2)), PLAN],
      { limits: { maxFiles: 3, maxFileChars: 6000, maxTotalChars: 15_000 } },
    );
    const planId = await planIn(scene, "compare a.txt with b.txt");
    const shown = scene.author.asked[2]?.messages.map(({ content }) => content).join("\n") ?? "";
    expect(shown.match(/^FILE\[.\.txt\]/gm)).toEqual(["FILE[a.txt]", "FILE[b.txt]", "FILE[c.txt]"]);
    expect(shown).toContain("NO ROOM for: d.txt");
    expect(shown).toContain("NO ROOM for: b.txt");
    expect(shown.length).toBeLessThan(25_000);
    expect(Object.keys(scene.plans.loadPlan(planId)?.files ?? {})).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
    ]);
    expect(eventsOf(scene, "CONTEXT_DIET_APPLIED").map(({ fields }) => fields)).toMatchObject([
      { files: 2, dropped: 0, truncated: 2 },
      { files: 1, dropped: 1, truncated: 1 },
      { files: 0, dropped: 1, truncated: 0 },
    ]);
    expect(scene.traces[0]).toMatchObject({
      context_stats: {
        context_files_count: 3,
        context_files_dropped_count: 2,
        context_truncated_files_count: 3,
      },
    });
  });

  const goal = `rename x in ${Array.from({ length: 20 }, (_, i) => `src/f${i}.ts`).join(", ")}`;
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`src/f${i}.ts`, big(i < 10 ? 300 : 9000)]),
  );

  test("brings in all twenty files that a goal names, and no other", async () => {
    using scene = createScene(many, [PLAN], { limits: { maxFiles: toMaxFiles(0, 120_000) } });
    await planIn(scene, goal);
    const shown = requestText(scene.author, 0).match(/^FILE\[src\/f\d+\.ts\]/gm) ?? [];
    expect(new Set(shown).size).toBe(20);
    expect(requestText(scene.author, 0).length).toBeLessThan(125_000);
  });

  test("keeps to a small number that is set, and names what is left", async () => {
    using scene = createScene(many, [PLAN], { limits: { maxFiles: toMaxFiles(2, 120_000) } });
    await planIn(scene, goal);
    expect(requestText(scene.author, 0).match(/^FILE\[/gm)).toHaveLength(2);
    expect(requestText(scene.author, 0)).toContain("NO ROOM for: src/f");
  });

  test("shows a small goal no more than with eight files", async () => {
    const promptWith = async (maxFiles: number) => {
      using scene = createScene(many, [PLAN], { limits: { maxFiles } });
      await planIn(scene, "rename x in src/f1.ts");
      const text = requestText(scene.author, 0).replace(scene.workspace.name, "w");
      return text.replace(/FILES [0-9a-f]{8}/gu, "FILES");
    };
    expect(await promptWith(toMaxFiles(0, 120_000))).toBe(await promptWith(8));
  });

  test("says so when a search has no room left, though it would have had it alone", async () => {
    using scene = createScene(
      { "a.txt": big(9000) },
      [ask({ type: "search", query: "xxx" }), PLAN],
      { limits: { maxTotalChars: 8000 } },
    );
    await planIn(scene, "a.txt");
    expect(requestText(scene.author, 1)).toStartWith(
      'NO ROOM for: SEARCH["xxx"]: the first 50 of 90 hits',
    );
    expect(eventsOf(scene, "CONTEXT_DIET_APPLIED")).toHaveLength(2);
  });

  test("is silent within them", async () => {
    using scene = createScene({ "a.txt": "a" }, [PLAN]);
    await planIn(scene, "a.txt");
    expect(eventsOf(scene, "CONTEXT_DIET_APPLIED")).toEqual([]);
  });
});

describe("makePlan() refuses", () => {
  test.each([
    ["", "without a goal"],
    [" \n\t", "without a goal"],
    ["x".repeat(1024 * 1024), "1048576 characters: at most 40000"],
  ])("an empty or an over-long goal, before anything is asked", async (goal, reason) => {
    using scene = createScene({}, [PLAN]);
    const planning = scene.operations.plan(scene.workspace, goal, { signal: never });
    const message = expect.stringContaining(reason);
    expect(await reasonOf(planning)).toMatchObject({ code: "ERR_USAGE", message });
    expect(scene.author.asked).toEqual([]);
    expect(scene.traces).toEqual([]);
  });

  test("a folder that is gone", async () => {
    using scene = createScene({}, [PLAN]);
    rmSync(scene.root, { recursive: true });
    const planning = scene.operations.plan(scene.workspace, "g", { signal: never });
    expect(await reasonOf(planning)).toMatchObject({ code: "ERR_NOT_FOUND" });
  });

  test("to go on when it is cancelled: before, between and during the author's answers", async () => {
    const reason = new AppError("ERR_CANCELLED", "Cancelled");
    using before = createScene({}, [PLAN]);
    const early = before.operations.plan(before.workspace, "g", {
      signal: AbortSignal.abort(reason),
    });
    expect(await reasonOf(early)).toBe(reason);
    expect(before.author.asked).toEqual([]);

    const between = new AbortController();
    const cancel = () => {
      between.abort(reason);
      return ask(read("a"));
    };
    using scene = createScene({ a: "" }, [cancel, PLAN]);
    const late = scene.operations.plan(scene.workspace, "g", { signal: between.signal });
    expect(await reasonOf(late)).toBe(reason);
    expect(scene.author.asked).toHaveLength(1);
  });
});

describe("makePlan() leaves a trace", () => {
  test("of a provider's failure, under its own code", async () => {
    using scene = createScene({}, []);
    const plan = await scene.operations.plan(scene.workspace, "g", { signal: never });
    expect(plan).toMatchObject({ ok: false, code: "LLM_REQUEST", message: "script is over" });
    expect(scene.traces).toMatchObject([
      { trace_id: plan.traceId, event: "LLM_REQUEST", mode: "plan", error_code: "LLM_REQUEST" },
    ]);
    expect(eventsOf(scene, "VALIDATION_FAILED")).toEqual([]);
  });

  test("of a plan, with the tokens of all its calls", async () => {
    using scene = createScene({}, ["bad", PLAN]);
    await planIn(scene);
    expect(scene.traces).toMatchObject([
      {
        event: "LLM_PLAN_OK",
        protocol_repair_attempt: 1,
        tokens: { input: 200, output: 20 },
        validated_json: PLAN,
      },
    ]);
  });
});
