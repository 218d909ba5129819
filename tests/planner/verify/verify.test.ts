import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHistory } from "../../../src/transaction/journal/history.ts";
import { readLastCheck } from "../../../src/transaction/last-check.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { never, planIn } from "../planner-scene.ts";
import { listen, sh, show, viewScene } from "./view-scene.ts";

describe.if(hasOverlay)("a change set that is checked before anybody is asked", () => {
  test.concurrent("is shown with what its checks came to, and nothing was written", async () => {
    using scene = viewScene(sh("test -f docs/new.md && echo seen"));
    const before = readTree(scene.root);
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked).toMatchObject({ check: { ok: true }, sideEffects: [], fixRounds: 0 });
    expect(preview.checked?.check.stages[0]?.output).toBe("seen\n");
    expect(readTree(scene.root)).toEqual(before);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({
      ok: true,
      status: "committed",
      touched: true,
      check: { ok: true, stages: [{ output: "seen\n" }] },
      sideEffects: [],
    });
    expect(await Bun.file(join(scene.root, "docs/new.md")).text()).toBe("# New\n");
    const kept = readLastCheck(scene.workspace);
    expect(kept.ok && kept.text?.split("\n")[0]).toEndWith(`passed ${outcome.txId}`);
  });

  test.concurrent("leaves its caches to the next checks when it is committed, and else nothing", async () => {
    const script = "cat cache/warm 2>/dev/null; mkdir -p cache; echo warm >>cache/warm";
    const outputOf = ({ preview }: Awaited<ReturnType<typeof show>>) =>
      preview.checked?.check.stages[0]?.output;
    using dropped = viewScene(sh(script));
    expect(outputOf(await show(dropped))).toBe("");
    expect(outputOf(await show(dropped))).toBe("");
    using scene = viewScene(sh(script));
    const { planId, approved } = await show(scene);
    await scene.operations.apply(planId, { approved, signal: never });
    await scene.operations.undo(scene.workspace, never);
    expect(outputOf(await show(scene))).toBe("warm\n");
    expect(existsSync(join(scene.root, "cache"))).toBe(false);
  });

  test.concurrent("has its checks run once, and again when any file of the folder changed", async () => {
    using scene = viewScene(sh("cat counter; test -f docs/new.md"));
    const { begun: runs, onProgress } = listen();
    const planId = await planIn(scene);
    const shown = await scene.operations.preview(planId, never, onProgress);
    await scene.operations.preview(planId, never, onProgress);
    expect(runs).toHaveLength(1);
    const approved = shown.ok ? shown.preview.changeSetId : "";
    writeFileSync(join(scene.root, "counter"), "changed\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never, onProgress });
    expect(runs).toHaveLength(2);
    expect(outcome.check?.stages[0]?.output).toBe("changed\n");
    expect(outcome.status).toBe("committed");
  });

  test.concurrent("has them run again for a file that was changed and looks as old and as long as before", async () => {
    using scene = viewScene(sh("cat a.txt"));
    const { planId, approved } = await show(scene);
    const path = join(scene.root, "a.txt");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "six\ntwo\n");
    utimesSync(path, atime, mtime);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome.check?.stages[0]?.output).toBe("six\ntwo\n");
  });

  test.concurrent("is not written when its checks fail by then, and the person is told", async () => {
    using scene = viewScene(sh("test ! -s counter"));
    const { planId, approved } = await show(scene);
    writeFileSync(join(scene.root, "counter"), "changed\n");
    rmSync(join(scene.root, "a.txt"));
    const before = readTree(scene.root);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    // Without the change it fails as well now, but that is not what was said yes to.
    expect(outcome).toMatchObject({ ok: false, errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(outcome.preview?.checked?.check).toMatchObject({
      ok: false,
      baseline: { isSame: true },
    });
    expect(readTree(scene.root)).toEqual(before);
  });

  test.concurrent("that fails its checks is not written, whoever would say yes", async () => {
    using scene = viewScene(sh("test ! -f docs/new.md || { echo 'token hunter2'; exit 3; }"));
    const before = readTree(scene.root);
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked?.check).toMatchObject({
      ok: false,
      baseline: { ok: true, isSame: false },
    });
    for (const options of [{}, { approved }]) {
      const outcome = await scene.operations.apply(planId, { ...options, signal: never });
      expect(outcome).toMatchObject({
        ok: false,
        status: "rolled_back",
        touched: false,
        errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK",
        check: { ok: false, stages: [{ exitCode: 3, output: "token [masked]\n" }] },
      });
      expect(outcome.error).toContain("nothing was written");
      expect(outcome.txId).toBeUndefined();
      const kept = readLastCheck(scene.workspace);
      expect(kept.ok && kept.text?.split("\n")[0]).toEndWith(`failed ${outcome.checkRef}`);
    }
    expect(readTree(scene.root)).toEqual(before);
    expect(readHistory(scene.workspace)).toEqual([]);
  });

  test.concurrent("keeps the order of today with check_when = after, and where no view can be had", async () => {
    for (const [rules, options] of [
      [{ checkWhen: "after" }, {}],
      [{}, { sandbox: async () => ({ kind: "none", reason: "a test" }) as const }],
    ] as const) {
      using scene = viewScene({ ...sh("echo x > left; exit 1"), ...rules }, options);
      const { planId, preview, approved } = await show(scene);
      expect(preview.checked).toBeUndefined();
      const outcome = await scene.operations.apply(planId, { approved, signal: never });
      expect(outcome).toMatchObject({ status: "rolled_back", touched: true });
      expect(outcome.txId).toBeDefined();
      expect(existsSync(join(scene.root, "left"))).toBe(true);
    }
  });

  test.concurrent("runs no check under readonly", async () => {
    using scene = viewScene(sh("exit 1"), { autonomy: "readonly" });
    const { preview } = await show(scene);
    expect(preview.checked).toBeUndefined();
  });
});

describe.if(hasOverlay)("checks that fail without the change as well", () => {
  const FAILING = sh("echo 'not ok 1 - old'; exit 1");

  test.concurrent("are said to, ask a person, and let the yes to that count", async () => {
    using scene = viewScene(FAILING, { autonomy: "full" });
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked?.check.baseline).toMatchObject({ isSame: true, before: ["old"] });
    const asked = await scene.operations.apply(planId, { signal: never });
    expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", changeSetId: approved });
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", check: { ok: false } });
    expect(existsSync(join(scene.root, "docs/new.md"))).toBe(true);
  });

  test.concurrent("ask anew where a yes was given to nothing of the kind", async () => {
    using scene = viewScene(FAILING);
    const { planId, approved } = await show(scene);
    scene.deps.verifications.drop(planId);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(existsSync(join(scene.root, "docs/new.md"))).toBe(false);
  });

  test.concurrent.each([
    ["ask", "CONFIRM_REQUIRED", false],
    ["refuse", "AUTO_CHECK_FAILED_ROLLED_BACK", false],
    ["apply", undefined, true],
  ] as const)(
    "of a routine under full do what on_failing_baseline = %s says",
    async (rule, code, isThere) => {
      using scene = viewScene({ ...FAILING, onFailingBaseline: rule }, { autonomy: "full" });
      const planId = await planIn(scene);
      const outcome = await scene.operations.apply(planId, { signal: never, isRoutine: true });
      expect(outcome.errorCode).toBe(code);
      expect(existsSync(join(scene.root, "docs/new.md"))).toBe(isThere);
    },
  );

  test.concurrent("never go on unasked for what others may have said, nor for what fails anew", async () => {
    const rules = { ...FAILING, onFailingBaseline: "apply" } as const;
    using scene = viewScene(rules, { autonomy: "full" });
    const planId = await planIn(scene);
    const options = { signal: never, isRoutine: true };
    const outcome = await scene.operations.apply(planId, { ...options, mustAsk: true });
    expect(outcome.errorCode).toBe("CONFIRM_REQUIRED");
    const broken = {
      ...sh("test -f docs/new.md && echo 'not ok 2 - new'; echo 'not ok 1 - old'; exit 1"),
    };
    using other = viewScene({ ...rules, ...broken }, { autonomy: "full" });
    const refused = await other.operations.apply(await planIn(other), options);
    expect(refused).toMatchObject({ errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK", touched: false });
    expect(refused.check?.baseline).toMatchObject({ before: ["old"], added: ["new"] });
  });

  test.concurrent("run once without the change for the same files", async () => {
    using scene = viewScene(FAILING);
    const { begun: runs, onProgress } = listen();
    for (const _ of [1, 2]) {
      const planId = await planIn(scene);
      await scene.operations.preview(planId, never, onProgress);
    }
    expect(runs).toHaveLength(3);
  });
});

describe.if(hasOverlay)("what is stored of checks", () => {
  test.concurrent("goes with its plan", async () => {
    using scene = viewScene(sh("exit 0"));
    const { planId } = await show(scene);
    expect(scene.deps.verifications.load(planId)).toBeDefined();
    scene.plans.dropPlan(planId);
    expect(scene.deps.verifications.load(planId)).toBeUndefined();
  });
});
