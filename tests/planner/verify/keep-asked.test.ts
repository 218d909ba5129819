import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askedPaths, withAsked } from "../../../src/planner/verify/keep-asked.ts";
import { undo } from "../../../src/transaction/undo/undo.ts";
import type { PreviewView } from "../../../src/transaction/views.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { tempDir } from "../../support/temp.ts";
import { readTree } from "../../support/tree.ts";
import { never, type Scene, toWorkspace } from "../planner-scene.ts";
import { sh, show, viewScene } from "./view-scene.ts";

const WRITES = "echo 1 >'a[1].gen'; echo 2 >b.gen; echo s >.env; rm -f counter";
const pathsOf = ({ changes }: PreviewView) => changes.map(({ path }) => path);

async function keepIn({ operations }: Scene, planId: string, keep: readonly string[] | "left out") {
  const shown = await operations.preview(planId, never, undefined, keep);
  if (!shown.ok) throw new Error(shown.message);
  return shown.preview;
}

describe.if(hasOverlay)("files that a person asks to keep", () => {
  test("are all that were left out: shown under another id, approved, written and undone", async () => {
    using scene = viewScene(sh(WRITES));
    const before = readTree(scene.root);
    const { planId, approved } = await show(scene);
    const kept = await keepIn(scene, planId, "left out");
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
    const kept = await keepIn(scene, planId, ["a[1].gen"]);
    expect(pathsOf(kept)).toEqual(["docs", "a[1].gen", "docs/new.md"]);
    const runs: string[] = [];
    const again = await scene.operations.preview(planId, never, (name) => runs.push(name));
    expect([again.ok && again.preview.changeSetId, runs]).toEqual([kept.changeSetId, []]);
    const more = await keepIn(scene, planId, ["b.gen", "nothing.gen", "../outside"]);
    expect(pathsOf(more)).toEqual(["docs", "a[1].gen", "b.gen", "docs/new.md"]);
  });

  test("are asked about again when the checks write them differently by then", async () => {
    using scene = viewScene(sh("cat a.txt >b.gen"));
    const { planId } = await show(scene);
    const { changeSetId: approved } = await keepIn(scene, planId, "left out");
    writeFileSync(join(scene.root, "a.txt"), "other\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    const shown = await scene.operations.preview(planId, never);
    expect(shown.ok && shown.preview.diff).toContain("+other");
  });

  test("are none of a change set whose checks fail", async () => {
    using scene = viewScene(sh(`${WRITES}; exit 1`));
    const { planId } = await show(scene);
    expect(pathsOf(await keepIn(scene, planId, "left out"))).toEqual(["docs", "docs/new.md"]);
  });
});

test("askedPaths() and withAsked() add paths once, and as nothing but themselves", () => {
  const effect = (path: string, kind: "create" | "other" | "mkdir", kept = false) => ({
    path,
    kind,
    kept,
  });
  const known = {
    asked: ["b"],
    sideEffects: [effect("a", "create"), effect("b", "create", true), effect("l", "other")],
    generation: {
      kind: "made",
      commands: [],
      paths: [],
      leftOut: [effect("m", "mkdir"), effect("go.mod", "create")],
    },
  } as const;
  expect(askedPaths(known)).toEqual(["b"]);
  expect(askedPaths(known, ["b", "c"])).toEqual(["b", "c"]);
  expect(askedPaths(known, "left out")).toEqual(["a", "b", "go.mod"]);
  expect(askedPaths(undefined, "left out")).toEqual([]);
  using dir = tempDir();
  const workspace = toWorkspace(dir.path, { keep: ["*.snap"] });
  expect(withAsked(workspace, [])).toBe(workspace);
  expect(withAsked(workspace, ["a[1]{b}*"]).keep).toEqual(["*.snap", "a\\[1\\]\\{b\\}\\*"]);
});
