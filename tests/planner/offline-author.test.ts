import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { createOfflineAuthor } from "../../src/planner/offline/offline.ts";
import { BUG, NODE } from "./offline-support.ts";
import {
  bindOperations,
  createScene,
  never,
  planIn,
  reasonOf,
  type SceneOptions,
} from "./planner-scene.ts";

/** A scene whose author is the built-in one. */
function openOffline(files: Readonly<Record<string, string>>, options: SceneOptions = {}) {
  const scene = createScene(files, [], { autonomy: "full", ...options });
  const author = createOfflineAuthor(() => Date.UTC(2031, 5, 1));
  return { ...scene, operations: bindOperations({ ...scene.deps, author }) };
}

describe("createOfflineAuthor()", () => {
  test("plans, asks to see what it will patch, and applies, all through the protocol", async () => {
    using scene = openOffline({ ...NODE, "src/sum.js": BUG });
    const plan = await scene.operations.plan(scene.workspace, "fix the bug", { signal: never });
    expect(plan).toMatchObject({ ok: true, requestsServed: 1 });
    const planId = plan.ok ? plan.planId : "";
    expect(Object.keys(scene.plans.loadPlan(planId)?.files ?? {})).toContain("src/sum.js");
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ status: "committed", changes: [{ path: "src/sum.js" }] });
    const text = await Bun.file(join(scene.root, "src/sum.js")).text();
    expect(text).toBe(BUG.replace("<=", "<"));
  });

  test("speaks the goal's language and dates a licence by its clock", async () => {
    using scene = openOffline(NODE);
    const planId = await planIn(scene, "добавь лицензию");
    expect(scene.plans.loadPlan(planId)?.summary).toContain("LICENSE");
    expect(scene.plans.loadPlan(planId)?.summary).toMatch(/[а-я]/u);
    await scene.operations.apply(planId, { signal: never });
    expect(await Bun.file(join(scene.root, "LICENSE")).text()).toContain("2031");
  });

  test("says NO_CHANGES: when there is nothing to do", async () => {
    using scene = openOffline({ "README.md": "" });
    const planId = await planIn(scene, "add what a newcomer would miss");
    expect(scene.plans.loadPlan(planId)?.summary).toStartWith("NO_CHANGES: ");
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "no_changes" });
  });

  test("patches what there was room to show, and the rest with the next plan", async () => {
    const names = Array.from({ length: 5 }, (_, i) => `src/s${i}.js`);
    using scene = openOffline(
      { ...NODE, ...Object.fromEntries(names.map((name) => [name, BUG])) },
      { limits: { maxFiles: 3 } },
    );
    const fix = async () =>
      scene.operations.apply(await planIn(scene, "fix the bugs"), { signal: never });
    const first = await fix();
    expect(first).toMatchObject({ ok: true, status: "committed" });
    const second = await fix();
    expect([...first.changes, ...second.changes].map(({ path }) => path)).toEqual(
      expect.arrayContaining(names.slice(0, 4)),
    );
  });

  test("does not patch a file that was edited after the plan", async () => {
    using scene = openOffline({ ...NODE, "src/sum.js": BUG });
    const planId = await planIn(scene, "fix the bug");
    await Bun.write(join(scene.root, "src/sum.js"), `// mine\n${BUG}`);
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ status: "rejected", errorCode: "ERR_BASE_MISMATCH" });
  });

  test("stops when it is cancelled", async () => {
    using scene = openOffline({ ...NODE, "src/sum.js": BUG });
    const reason = new AppError("ERR_CANCELLED", "Cancelled");
    const planId = await planIn(scene, "fix the bug");
    const applying = scene.operations.apply(planId, { signal: AbortSignal.abort(reason) });
    expect(await reasonOf(applying)).toBe(reason);
  });
});
