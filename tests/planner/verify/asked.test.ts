import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askedMore, withAsked } from "../../../src/planner/verify/asked.ts";
import type { Wanted } from "../../../src/planner/verify/verify.ts";
import { undo } from "../../../src/transaction/undo/undo.ts";
import type { PreviewView } from "../../../src/transaction/views.ts";
import { isOneHost } from "../../../src/workspace/workspace.ts";
import { ASKED_HOST, FETCHING_NPM, layFetchingNpm } from "../../support/fetching-npm.ts";
import { hasOverlay, viewSandbox } from "../../support/overlay.ts";
import { tempDir } from "../../support/temp.ts";
import { readTree } from "../../support/tree.ts";
import {
  createScene,
  type Line,
  never,
  PLAN,
  type Scene,
  type SceneOptions,
  toWorkspace,
} from "../planner-scene.ts";
import { listen, sh, show, viewScene } from "./view-scene.ts";

const WRITES = "echo 1 >'a[1].gen'; echo 2 >b.gen; echo s >.env; rm -f counter";
const pathsOf = ({ changes }: PreviewView) => changes.map(({ path }) => path);

async function lookAt({ operations }: Scene, planId: string, wanted: Wanted = {}) {
  const shown = await operations.preview(planId, never, undefined, wanted);
  if (!shown.ok) throw new Error(shown.message);
  return shown.preview;
}

describe.if(hasOverlay)("files that a person asks to keep", () => {
  test("are all that were left out: shown under another id, approved, written and undone", async () => {
    using scene = viewScene(sh(WRITES));
    const before = readTree(scene.root);
    const { planId, approved } = await show(scene);
    const kept = await lookAt(scene, planId, { keep: "left out" });
    expect(kept.changeSetId).not.toBe(approved);
    expect(pathsOf(kept)).toEqual(["docs", "a[1].gen", "b.gen", "docs/new.md", "counter"]);
    const old = await scene.operations.apply(planId, { approved, signal: never });
    expect(old).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    const outcome = await scene.operations.apply(planId, {
      approved: kept.changeSetId,
      signal: never,
    });
    expect(outcome).toMatchObject({ status: "committed", changeSetId: kept.changeSetId });
    expect(existsSync(join(scene.root, ".env"))).toBe(false);
    expect(await Bun.file(join(scene.root, "a[1].gen")).text()).toBe("1\n");
    const { workspace, deps } = scene;
    await undo({ workspace, signal: never, clock: deps.clock, log: deps.log });
    expect(readTree(scene.root)).toEqual(before);
  });

  test("are those that are named, and stay so however often it is looked at", async () => {
    using scene = viewScene(sh(`${WRITES}; echo 3 >a1.gen`));
    const { planId } = await show(scene);
    const kept = await lookAt(scene, planId, { keep: ["a[1].gen"] });
    expect(pathsOf(kept)).toEqual(["docs", "a[1].gen", "docs/new.md"]);
    const { begun: runs, onProgress } = listen();
    const again = await scene.operations.preview(planId, never, onProgress);
    expect([again.ok && again.preview.changeSetId, runs]).toEqual([kept.changeSetId, []]);
    const more = await lookAt(scene, planId, { keep: ["b.gen", "nothing.gen", "../outside"] });
    expect(pathsOf(more)).toEqual(["docs", "a[1].gen", "b.gen", "docs/new.md"]);
  });

  test("are asked about again when the checks write them differently by then", async () => {
    using scene = viewScene(sh("cat a.txt >b.gen"));
    const { planId } = await show(scene);
    const { changeSetId: approved } = await lookAt(scene, planId, { keep: "left out" });
    writeFileSync(join(scene.root, "a.txt"), "other\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    const shown = await scene.operations.preview(planId, never);
    expect(shown.ok && shown.preview.diff).toContain("+other");
  });

  test("are none of a change set whose checks fail", async () => {
    using scene = viewScene(sh(`${WRITES}; exit 1`));
    const { planId } = await show(scene);
    expect(pathsOf(await lookAt(scene, planId, { keep: "left out" }))).toEqual([
      "docs",
      "docs/new.md",
    ]);
  });
});

const MANIFEST = {
  actions: [{ kind: "CREATE_FILE", path: "package.json", content: '{"name":"a"}\n' }],
  summary: "adds package.json",
};

/** A scene in which a manifest is added; this script of a shell is the check. */
function lockScene(check: string, options: SceneOptions = {}, ...corrections: readonly Line[]) {
  const rules = { ...sh(check), generate: [FETCHING_NPM] };
  const scene = createScene({}, [PLAN, MANIFEST, ...corrections], {
    rules,
    sandbox: viewSandbox,
    ...options,
  });
  layFetchingNpm(scene.root);
  return scene;
}

describe.if(hasOverlay)("hosts that a person lets commands reach", () => {
  test("are those that were asked for in vain: for this change set, in every process, and no other", async () => {
    using scene = lockScene("true");
    const { planId, preview, approved } = await show(scene);
    expect(preview.generation).toMatchObject({ kind: "failed", hosts: [ASKED_HOST] });
    const reached = await lookAt(scene, planId, { reach: [ASKED_HOST] });
    expect(reached.generation).toMatchObject({ kind: "made", paths: ["package-lock.json"] });
    expect(reached.changeSetId).not.toBe(approved);
    const again = await lookAt(scene, planId);
    expect(again.changeSetId).toBe(reached.changeSetId);
    writeFileSync(join(scene.root, "a.txt"), "other\n"); // it all runs once more
    expect((await lookAt(scene, planId)).changeSetId).toBe(reached.changeSetId);
    const outcome = await scene.operations.apply(planId, {
      approved: reached.changeSetId,
      signal: never,
    });
    expect(outcome).toMatchObject({ status: "committed" });
    expect(scene.workspace.generateHosts).toBeUndefined();
  });

  test("are asked about under full autonomy as well", async () => {
    using scene = lockScene("true", { autonomy: "full" });
    const { planId } = await show(scene);
    await lookAt(scene, planId, { reach: [ASKED_HOST] });
    const outcome = await scene.operations.apply(planId, { signal: never });
    expect(outcome).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    const approved = outcome.preview?.changeSetId ?? "";
    const done = await scene.operations.apply(planId, { approved, signal: never });
    expect(done).toMatchObject({ status: "committed" });
  });

  test.each([".com", "..com", "localhost", "127.0.0.1", "a..b.com", "com", "a b.org", ""])(
    "are never %j",
    (host) => expect(isOneHost(host)).toBe(false),
  );

  test("hold for what is corrected afterwards", async () => {
    const fixed = {
      actions: [{ kind: "CREATE_FILE", path: "fixed.txt", content: "x\n" }],
      summary: "fixes it",
    };
    using scene = lockScene("[ $(ls | wc -l) -ne 3 ]", { maxFixRounds: 1 }, fixed);
    const { planId } = await show(scene);
    const reached = await lookAt(scene, planId, { reach: [ASKED_HOST] });
    expect(reached.checked).toMatchObject({ check: { ok: true }, fixRounds: 1 });
    expect(pathsOf(reached)).toEqual(["fixed.txt", "package-lock.json", "package.json"]);
  });
});

test("askedMore() and withAsked() add what is wanted once, and as nothing but itself", () => {
  const effect = (path: string, kind: "create" | "other" | "mkdir", kept = false) => ({
    path,
    kind,
    kept,
  });
  const known = {
    kept: ["b"],
    reached: ["b.example.com"],
    sideEffects: [effect("a", "create"), effect("b", "create", true), effect("l", "other")],
    generation: {
      kind: "made",
      commands: [],
      paths: [],
      leftOut: [effect("m", "mkdir"), effect("go.mod", "create")],
    },
  } as const;
  const reached = ["b.example.com"];
  expect(askedMore(known)).toBeUndefined();
  expect(askedMore(known, { keep: ["b"], reach: reached })).toBeUndefined();
  expect(askedMore(known, { keep: ["b", "c"] })).toEqual({ kept: ["b", "c"], reached });
  expect(askedMore(known, { keep: "left out" })).toEqual({ kept: ["a", "b", "go.mod"], reached });
  expect(askedMore(undefined, { keep: "left out" })).toBeUndefined();
  expect(askedMore({ reached }, { reach: ["a.org", "b.example.com"] })).toEqual({
    reached: ["a.org", "b.example.com"],
  });
  using dir = tempDir();
  const workspace = toWorkspace(dir.path, { keep: ["*.snap"] });
  expect(withAsked(workspace, {})).toBe(workspace);
  const more = withAsked(workspace, { kept: ["a[1]{b}*"], reached });
  expect(more.keep).toEqual(["*.snap", "a\\[1\\]\\{b\\}\\*"]);
  expect(more.generateHosts).toEqual(reached);
});
