import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { isAutoUseOn } from "../../src/store/online/auto-use.ts";
import { tempDir } from "../support/temp.ts";
import {
  hangingResearch,
  type OnlineScene,
  onlineFields,
  openOnline,
  planOnceFound,
} from "./online-scene.ts";
import { bindOperations, never, reasonOf, requestText } from "./planner-scene.ts";

const ANNA = "telegram:1";
const script = Array.from({ length: 12 }, () => planOnceFound);

/** Researches a goal for Anna; the id. */
async function researchIn({ operations, workspace }: OnlineScene, goal = "do it"): Promise<string> {
  const wanted = { workspace, goal, query: `how to ${goal}`, userId: ANNA };
  const outcome = await operations.research(wanted, never);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.found.researchId;
}

/** The code and the message a promise is rejected with. */
async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const reason = await reasonOf(promise);
  return reason instanceof AppError ? `${reason.code}: ${reason.message}` : String(reason);
}

describe("planWithResearch()", () => {
  test("plans the goal with the findings, for who asked", async () => {
    using scene = openOnline(script);
    const id = await researchIn(scene);
    const { plan, workspace } = await scene.operations.planWithResearch(id, ANNA, never);
    expect(plan).toMatchObject({ ok: true, summary: "1. Use --fast", onlineUsed: true });
    expect(workspace.root).toBe(scene.workspace.root);
    expect(requestText(scene.author, 0)).toContain("GOAL: do it");
    expect(requestText(scene.author, 0)).not.toContain("NEEDS_ONLINE_RESEARCH");
    expect(onlineFields(scene.traces[0])).toMatchObject({
      online_context_injected: true,
      online_fallback_attempted: true,
      online_fallback_executed: false,
    });
  });

  test("counts once, over a restart and side by side", async () => {
    using dir = tempDir();
    using scene = openOnline(script, { storePath: join(dir.path, "state.db") });
    const id = await researchIn(scene);
    const use = (operations = scene.operations) => operations.planWithResearch(id, ANNA, never);
    const ended = await Promise.allSettled([use(), use(), use(scene.reopen())]);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const used = "APPROVAL_INVALID: These findings were used already; send the goal again";
    expect(await refusalOf(use())).toBe(used);
    expect(scene.author.asked).toHaveLength(1);
  });

  test("refuses anybody else, what nobody knows and a routine's findings, and takes nothing", async () => {
    using scene = openOnline(script);
    const { operations, workspace } = scene;
    const id = await researchIn(scene);
    const use = (ref: string, userId: string) => operations.planWithResearch(ref, userId, never);
    expect(await refusalOf(use(id, "telegram:2"))).toContain("Only the person who asked");
    expect(await refusalOf(use("res_nobody", ANNA))).toContain("These findings are gone");
    const anonymous = await operations.research({ workspace, goal: "g", query: "q" }, never);
    const ref = anonymous.ok ? anonymous.found.researchId : "";
    expect(await refusalOf(use(ref, "undefined"))).toContain("Only the person who asked");
    expect((await use(id, ANNA)).plan.ok).toBe(true);
  });

  test("gives the plan's own error, and suggests no more research", async () => {
    using scene = openOnline(["no", "no"]);
    const { plan } = await scene.operations.planWithResearch(await researchIn(scene), ANNA, never);
    expect(plan).toMatchObject({ ok: false, code: "ERR_JSON_EXTRACT", onlineUsed: true });
    expect(plan).not.toHaveProperty("onlineSuggested");
    expect(plan).not.toHaveProperty("autoUsed");
  });

  test("leaves the findings for another try when it is cancelled", async () => {
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
      return "no";
    };
    using scene = openOnline([cancel, ...script]);
    const id = await researchIn(scene);
    const { plan } = await scene.operations.planWithResearch(id, ANNA, controller.signal);
    expect(plan).toMatchObject({ ok: false, code: "ERR_CANCELLED" });
    await reasonOf(scene.operations.planWithResearch(id, ANNA, AbortSignal.abort(new Error("no"))));
    const again = await scene.operations.planWithResearch(id, ANNA, never);
    expect(again.plan.ok).toBe(true);
  });

  test("takes what a crash cut off behind the taking once more, for who asks again", async () => {
    using scene = openOnline([...script, ...script]);
    const id = await researchIn(scene);
    await scene.operations.planWithResearch(id, ANNA, never);
    const again = await scene.operations.planWithResearch(id, ANNA, never, true);
    expect(again.plan.ok).toBe(true);
  });

  test("refuses what a chain has used already", async () => {
    using scene = openOnline(script, { autoUse: true });
    const options = { signal: never, userId: ANNA };
    const plan = await scene.operations.plan(scene.workspace, "do it", options);
    const id = plan.autoUsed?.researchId ?? "";
    const use = scene.operations.planWithResearch(id, ANNA, never);
    expect(await refusalOf(use)).toContain("used already");
  });

  test("is unavailable where research is off, with what to do", async () => {
    using scene = openOnline([]);
    const operations = bindOperations(scene.deps);
    const text = "unavailable: Cannot research: set online_research.enabled = true";
    expect(await refusalOf(operations.planWithResearch("r", ANNA, never))).toBe(text);
    expect(await refusalOf(operations.stopAutoUse("r", ANNA))).toBe(text);
  });
});

describe("research()", () => {
  test("ends when it is cancelled, and keeps nothing", async () => {
    const { research, begun } = hangingResearch();
    using scene = openOnline([], { research });
    const controller = new AbortController();
    const wanted = { workspace: scene.workspace, goal: "g", query: "q" };
    const outcome = scene.operations.research(wanted, controller.signal);
    await begun;
    controller.abort();
    expect(await outcome).toMatchObject({ ok: false, code: "ERR_CANCELLED" });
  });
});

describe("stopAutoUse()", () => {
  test("holds for the folder of the research, for who asked only", async () => {
    using scene = openOnline(script, { autoUse: true });
    const { operations, online, workspace } = scene;
    const id = await researchIn(scene);
    expect(await refusalOf(operations.stopAutoUse(id, "telegram:2"))).toContain("Only the person");
    expect(await refusalOf(operations.stopAutoUse("res_x", ANNA))).toContain("/autouse off");
    expect(await operations.autoUse(workspace)).toBe("on");
    await operations.stopAutoUse(id, ANNA);
    expect(await operations.autoUse(workspace)).toBe("off");
    expect(isAutoUseOn(online.settings, "/elsewhere")).toBe(true);
  });
});

describe("autoUse()", () => {
  test("sets it, and says so when the configuration forbids it", async () => {
    using allowed = openOnline([], { autoUse: true });
    expect(await allowed.operations.autoUse(allowed.workspace, false)).toBe("off");
    expect(await allowed.operations.autoUse(allowed.workspace, true)).toBe("on");
    using forbidden = openOnline([]);
    expect(await forbidden.operations.autoUse(forbidden.workspace, true)).toBe("forbidden");
    const off = bindOperations(forbidden.deps);
    expect(await off.autoUse(forbidden.workspace)).toBe("forbidden");
  });
});
