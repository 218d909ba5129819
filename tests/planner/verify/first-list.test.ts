import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../../src/system/sandbox/sandbox.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import {
  CREATE,
  createScene,
  type Line,
  never,
  PLAN,
  planIn,
  type Scene,
  type SceneOptions,
} from "../planner-scene.ts";
import { listen } from "./view-scene.ts";

const manifest = (scripts: Record<string, string>) =>
  JSON.stringify({ packageManager: "bun@1.4.5", scripts });

const sandbox = createSandbox({ mode: "auto", env: process.env, hidden: [] });

/** A folder that says itself what it is checked with, and the author adds docs/new.md. */
function found(
  scripts: Record<string, string> = { test: "true" },
  options: SceneOptions = {},
  answers: readonly Line[] = [PLAN, CREATE, PLAN, CREATE],
): Scene {
  const rules: Partial<Workspace> = { check: "detect", ...options.rules };
  return createScene({ "package.json": manifest(scripts) }, answers, {
    sandbox,
    ...options,
    rules,
  });
}

async function show(scene: Scene) {
  const planId = await planIn(scene);
  const { begun: ran, onProgress } = listen();
  const outcome = await scene.operations.preview(planId, never, onProgress);
  if (!outcome.ok) throw new Error(outcome.message);
  return { planId, ran, preview: outcome.preview };
}

async function approve(scene: Scene, planId: string, approved: string) {
  const { begun: ran, onProgress } = listen();
  const outcome = await scene.operations.apply(planId, { approved, signal: never, onProgress });
  return { outcome, ran };
}

const DOCS = "docs/new.md";
const has = ({ root }: Scene, path: string) => path in readTree(root);

describe.if(hasOverlay)("checks that were found in a folder", () => {
  test("are shown with the first plan and run after a yes, and before the question from then on", async () => {
    using scene = found();
    const first = await show(scene);
    expect(first.ran).toEqual([]);
    expect(first.preview).toMatchObject({
      checks: [{ command: "bun run test", from: "package.json: test" }],
      unseen: "before",
    });
    expect(first.preview.checked).toBeUndefined();
    const { outcome, ran } = await approve(scene, first.planId, first.preview.changeSetId);
    expect(ran).toEqual(["test: bun run test"]);
    expect(outcome).toMatchObject({ status: "committed", touched: true, check: { ok: true } });

    rmSync(join(scene.root, "docs"), { recursive: true });
    const second = await show(scene);
    expect(second.ran).toEqual(["test: bun run test"]);
    expect(second.preview).toMatchObject({ checked: { check: { ok: true } } });
    expect(second.preview.unseen).toBeUndefined();
    expect(second.preview.checks[0]?.tookMs).toBeGreaterThanOrEqual(0);
  });

  test("that fail after the first yes leave the folder as it is", async () => {
    using scene = found({ test: "test ! -e docs/new.md" });
    const { planId, preview } = await show(scene);
    const { outcome } = await approve(scene, planId, preview.changeSetId);
    expect(outcome).toMatchObject({
      status: "rolled_back",
      touched: false,
      errorCode: "AUTO_CHECK_FAILED_ROLLED_BACK",
      check: { ok: false, baseline: { ok: true } },
    });
    expect(has(scene, DOCS)).toBe(false);
  });

  test("that fail without the change as well are asked about once more", async () => {
    using scene = found({ test: "false" });
    const { planId, preview } = await show(scene);
    const { outcome } = await approve(scene, planId, preview.changeSetId);
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(outcome.preview?.checked?.check).toMatchObject({
      ok: false,
      baseline: { isSame: true },
    });
    expect(has(scene, DOCS)).toBe(false);
    const again = await approve(scene, planId, preview.changeSetId);
    expect(again).toMatchObject({ ran: [], outcome: { status: "committed" } });
  });

  test("and keep a file when they run first are asked about once more, with that file", async () => {
    using scene = found({ test: "echo 1 > made.snap" }, { rules: { keep: ["*.snap"] } });
    const { planId, preview } = await show(scene);
    const { outcome } = await approve(scene, planId, preview.changeSetId);
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(outcome.preview?.diff).toContain("made.snap");
    const id = outcome.preview?.changeSetId ?? "";
    expect(id).not.toBe(preview.changeSetId);
    expect((await approve(scene, planId, id)).outcome.status).toBe("committed");
    expect(has(scene, "made.snap")).toBe(true);
  });

  test.each(["full", "supervised"] as const)(
    "run unasked under %s for nobody",
    async (autonomy) => {
      for (const isRoutine of [true, false]) {
        using scene = found({ test: "true" }, { autonomy });
        const planId = await planIn(scene);
        const { begun: ran, onProgress } = listen();
        const outcome = await scene.operations.apply(planId, {
          isRoutine,
          signal: never,
          onProgress,
        });
        expect(ran).toEqual([]);
        expect(outcome).toMatchObject({
          errorCode: "CONFIRM_REQUIRED",
          touched: false,
          preview: { unseen: "before" },
          error: expect.stringContaining("bun run test"),
        });
        expect(has(scene, DOCS)).toBe(false);
      }
    },
  );

  test("run before the question as soon as the list was seen, without any yes to the change", async () => {
    using scene = found();
    const { planId } = await show(scene);
    await scene.operations.seeChecks(planId);
    const { begun: ran, onProgress } = listen();
    const outcome = await scene.operations.preview(planId, never, onProgress);
    expect(ran).toEqual(["test: bun run test"]);
    expect(outcome).toMatchObject({ ok: true, preview: { checked: { check: { ok: true } } } });
    expect(has(scene, DOCS)).toBe(false);
  });
});

test.if(hasOverlay)(
  "what makes a lock file is shown first as well, and its file asked about",
  async () => {
    const change: Line = ({ messages }) => {
      const said = messages.map(({ content }) => content).join("\n");
      const base_sha256 = /FILE\[package\.json\] \(sha256=([0-9a-f]{64})/u.exec(said)?.[1];
      const content = JSON.stringify({ packageManager: "bun@1.4.5", dependencies: { b: "1" } });
      return {
        actions: [{ kind: "UPDATE_FILE", path: "package.json", base_sha256, content }],
        summary: "x",
      };
    };
    using scene = found({}, { rules: { check: "none" }, version: 1 }, [PLAN, change]);
    writeFileSync(join(scene.root, "bun.lock"), "");
    const planId = await planIn(scene, "change package.json");
    const { begun: ran, onProgress } = listen();
    const outcome = await scene.operations.preview(planId, never, onProgress);
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({
      preview: {
        unseen: "before",
        checks: [{ command: "bun install --lockfile-only --ignore-scripts" }],
      },
    });
  },
);

describe.if(hasOverlay)("a command that comes to a list", () => {
  const changed = manifest({ test: "true", build: "true" });

  test("between the question and the yes is shown before it runs", async () => {
    using scene = found();
    const { planId, preview } = await show(scene);
    writeFileSync(join(scene.root, "package.json"), changed); // as `git pull` does
    const { outcome, ran } = await approve(scene, planId, preview.changeSetId);
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(outcome.preview?.checks.map(({ command }) => command)).toEqual([
      "bun run build",
      "bun run test",
    ]);
    expect(has(scene, DOCS)).toBe(false);
    const again = await approve(scene, planId, preview.changeSetId);
    expect(again.outcome.status).toBe("committed");
    expect(again.ran).toHaveLength(2);
  });

  test("after the checks passed stops the yes that was given to them", async () => {
    using scene = found();
    const { planId } = await show(scene);
    await scene.operations.seeChecks(planId);
    const second = await scene.operations.preview(planId, never);
    if (!second.ok) throw new Error(second.message);
    expect(second.preview.checked?.check.ok).toBe(true);
    writeFileSync(join(scene.root, "package.json"), changed);
    const { outcome, ran } = await approve(scene, planId, second.preview.changeSetId);
    expect({ ran, code: outcome.errorCode }).toEqual({ ran: [], code: "CONFIRM_REQUIRED" });
    expect(has(scene, DOCS)).toBe(false);
  });

  test("by a change set that was approved is shown before it runs", async () => {
    const patch: Line = {
      actions: [{ kind: "CREATE_FILE", path: "deno.json", content: '{"tasks":{"test":"true"}}' }],
      summary: "adds a check",
    };
    using scene = found({}, {}, [PLAN, patch, PLAN, CREATE]);
    const first = await show(scene);
    expect(first.preview).toMatchObject({ checks: [] });
    expect(first.preview.unseen).toBeUndefined();
    await approve(scene, first.planId, first.preview.changeSetId);
    const second = await show(scene);
    expect(second).toMatchObject({
      ran: [],
      preview: { unseen: "before", checks: [{ command: "deno task test" }] },
    });
  });

  test.each([
    ["is taken away", { test: "true" }, false],
    ["does something else", { test: "exit 0", build: "exit 0" }, false],
    ["has another name", { test: "true", typecheck: "true" }, true],
  ])("and %s", async (_, scripts, isAsked) => {
    using scene = found({ test: "true", build: "true" });
    await scene.operations.seeChecks((await show(scene)).planId);
    writeFileSync(join(scene.root, "package.json"), manifest(scripts));
    const { preview } = await show(scene);
    expect(preview.unseen === "before").toBe(isAsked);
    expect(preview.checked === undefined).toBe(isAsked);
  });
});

describe.if(hasOverlay)("what was seen", () => {
  test("is of that folder, and of no other at its path", async () => {
    using scene = found();
    await scene.operations.seeChecks((await show(scene)).planId);
    const other = `${scene.root}-other`;
    mkdirSync(other);
    writeFileSync(join(other, "package.json"), manifest({ test: "true" }));
    renameSync(scene.root, `${scene.root}-old`);
    renameSync(other, scene.root);
    const { preview, ran } = await show(scene);
    expect({ ran, unseen: preview.unseen }).toEqual({ ran: [], unseen: "before" });
    rmSync(`${scene.root}-old`, { recursive: true });
  });

  test("by a plan of another folder counts for nothing here", async () => {
    using scene = found();
    const { planId, preview } = await show(scene);
    const other = `${scene.root}-other`;
    mkdirSync(other);
    writeFileSync(join(other, "package.json"), manifest({ test: "true" }));
    renameSync(scene.root, `${scene.root}-old`);
    renameSync(other, scene.root);
    const { outcome, ran } = await approve(scene, planId, preview.changeSetId);
    expect({ ran, code: outcome.errorCode }).toEqual({ ran: [], code: "CONFIRM_REQUIRED" });
    rmSync(`${scene.root}-old`, { recursive: true });
  });

  test("is in the home: nothing in the folder says so", async () => {
    using scene = found();
    const before = readTree(scene.root);
    await scene.operations.seeChecks((await show(scene)).planId);
    expect(readTree(scene.root)).toEqual(before);
  });
});

describe("where checks run after the swap", () => {
  test.each(["full", "supervised"] as const)(
    "under %s the list is shown first",
    async (autonomy) => {
      using scene = found({ test: "true" }, { autonomy, rules: { checkWhen: "after" } });
      const planId = await planIn(scene);
      const { begun: ran, onProgress } = listen();
      const asked = await scene.operations.apply(planId, { signal: never, onProgress });
      expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", preview: { unseen: "after" } });
      expect(ran).toEqual([]);
      const id = asked.preview?.changeSetId ?? "";
      const { outcome } = await approve(scene, planId, id);
      expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
    },
  );

  test("what is configured needs no list", async () => {
    const rules = { check: [["true"]], checkWhen: "after" } as const;
    using scene = found({}, { autonomy: "full", rules });
    const planId = await planIn(scene);
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
  });
});

test("listChecks() says how long each took, and counts as seen only where it is shown", async () => {
  using scene = found();
  const { workspace, operations } = scene;
  expect(await operations.listChecks(workspace, false)).toEqual([
    { command: "bun run test", from: "package.json: test" },
  ]);
  expect((await show(scene)).preview.unseen).toBeDefined();
  await operations.listChecks(workspace, true);
  expect((await show(scene)).preview.unseen).toBeUndefined();
});
