import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHistory } from "../../../src/transaction/journal/history.ts";
import type { Step } from "../../../src/transaction/views.ts";
import { hasOverlay, viewSandbox } from "../../support/overlay.ts";
import { CREATE, createScene, never, PLAN, planIn, type Scene } from "../planner-scene.ts";
import { sh, show, viewScene } from "./view-scene.ts";

const OTHER = {
  actions: [{ kind: "CREATE_FILE", path: "docs.txt", content: "other\n" }],
  summary: "s",
};
const FULL = { autonomy: "full" } as const;

/** Counts runs of checks, and does something of the folder while each of them runs. */
function whileRunning(act: (run: number) => void = () => {}) {
  const seen = {
    runs: 0,
    onProgress: (step: Step) => {
      if (typeof step === "string" || "check" in step) act(++seen.runs); // not what it prints
    },
  };
  return seen;
}

function edit({ root }: Scene, text: string): void {
  writeFileSync(join(root, "counter"), text);
}

const hasNew = ({ root }: Scene) => existsSync(join(root, "docs/new.md"));

/** Applies as each way does where no question follows the last run of the checks. */
const WAYS = [
  ["full", FULL, async (scene: Scene) => ({ planId: await planIn(scene) })],
  [
    "a yes to an older result",
    {},
    async (scene: Scene) => {
      const { planId, approved } = await show(scene);
      edit(scene, "since\n");
      return { planId, approved };
    },
  ],
  [
    "a yes to a first list",
    { rules: { check: "detect" } as const },
    async (scene: Scene) => {
      writeFileSync(join(scene.root, "Makefile"), "test:\n\tcat counter\n");
      const { planId, preview, approved } = await show(scene);
      expect(preview.unseen).toBe("before");
      return { planId, approved };
    },
  ],
] as const;

describe.if(hasOverlay)("a file of the folder that is edited while checks run", () => {
  test.each(WAYS)("has them run again: %s", async (_, options, prepare) => {
    using scene = viewScene(sh("cat counter"), options);
    const ready = await prepare(scene);
    const seen = whileRunning((run) => run === 1 && edit(scene, "meanwhile\n"));
    const { onProgress } = seen;
    const outcome = await scene.operations.apply(ready.planId, {
      ...ready,
      signal: never,
      onProgress,
    });
    expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
    expect(outcome.check?.stages[0]?.output).toContain("meanwhile\n");
    expect(seen.runs).toBe(2);
  });

  test.each(WAYS)("each time ends it, and nothing is written: %s", async (_, options, prepare) => {
    using scene = viewScene(sh("cat counter"), options);
    const ready = await prepare(scene);
    const seen = whileRunning((run) => edit(scene, `run ${run}\n`));
    const { onProgress } = seen;
    const outcome = await scene.operations.apply(ready.planId, {
      ...ready,
      signal: never,
      onProgress,
    });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    expect(seen.runs).toBe(3);
    expect(hasNew(scene)).toBe(false);
    expect(readHistory(scene.workspace)).toEqual([]);
    const still = await scene.operations.apply(ready.planId, { ...ready, signal: never });
    expect(still.status).toBe("committed");
  });

  test("so that they fail leaves the change set out", async () => {
    using scene = viewScene(sh("test ! -s counter || test ! -f docs/new.md"), FULL);
    const { onProgress } = whileRunning(() => edit(scene, "bad\n"));
    const outcome = await scene.operations.apply(await planIn(scene), {
      signal: never,
      onProgress,
    });
    expect(outcome).toMatchObject({ errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK", touched: false });
    expect(hasNew(scene)).toBe(false);
  });

  test("by another plan: of two that exclude each other one is made", async () => {
    const rules = sh("sleep 0.5; test ! -f docs/new.md || test ! -f docs.txt");
    using scene = createScene({ "a.txt": "one\n" }, [PLAN, PLAN, CREATE, OTHER], {
      ...FULL,
      rules,
      sandbox: viewSandbox,
    });
    const plans = [await planIn(scene), await planIn(scene)];
    const apply = (planId: string) => scene.operations.apply(planId, { signal: never });
    const outcomes = await Promise.all(plans.map(apply));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["committed", "rolled_back"]);
    expect(hasNew(scene)).toBe(!existsSync(join(scene.root, "docs.txt")));
  });

  test("is none where a name that is no text can never be told to be the same", async () => {
    using scene = viewScene(sh("true"));
    writeFileSync(Buffer.concat([Buffer.from(`${scene.root}/`), Buffer.from([0xff])]), "x");
    const { planId, approved } = await show(scene);
    const seen = whileRunning();
    const { onProgress } = seen;
    const outcome = await scene.operations.apply(planId, { approved, signal: never, onProgress });
    expect(outcome.status).toBe("committed");
    expect(seen.runs).toBe(1);
  });
});

describe.if(hasOverlay)("a check that failed once", () => {
  const flaky = sh("test ! -f docs/new.md || test -f cache/calm");

  test.each(["a question", "a yes"])("runs again for %s, and not to be looked at", async (asks) => {
    using scene = viewScene(flaky);
    const { planId, preview, approved } = await show(scene);
    expect(preview.checked?.check.ok).toBe(false);
    mkdirSync(join(scene.root, "cache"));
    writeFileSync(join(scene.root, "cache/calm"), ""); // ignored: no file of the folder changed
    const seen = whileRunning();
    const { onProgress } = seen;
    const again = await scene.operations.preview(planId, never, onProgress);
    expect(again.ok && again.preview.checked?.check.ok).toBe(false);
    expect(seen.runs).toBe(0);
    if (asks === "a question") {
      const outcome = await scene.operations.apply(planId, { signal: never, onProgress });
      expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", check: { ok: true } });
    }
    const outcome = await scene.operations.apply(planId, { approved, signal: never, onProgress });
    expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
    expect(seen.runs).toBe(1);
  });
});
