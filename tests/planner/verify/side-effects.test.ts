import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { undo } from "../../../src/transaction/undo/undo.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { never } from "../planner-scene.ts";
import { listen, sh, show, viewScene } from "./view-scene.ts";

describe.if(hasOverlay)("what checks change in their view", () => {
  const WRITES =
    "echo x > report.txt; mkdir -p gen; echo y > gen/made.ts; echo 1 > bun.lock; rm a.txt";

  test("is left out and told", async () => {
    using scene = viewScene(sh(WRITES));
    const { planId, preview, approved } = await show(scene);
    const reported = preview.checked?.sideEffects.filter(({ kind }) => kind !== "mkdir") ?? [];
    expect(reported.map(({ path, kind, kept }) => `${kind} ${path} ${kept}`).toSorted()).toEqual([
      "create bun.lock false",
      "create gen/made.ts false",
      "create report.txt false",
      "delete a.txt false",
    ]);
    await scene.operations.apply(planId, { approved, signal: never });
    expect(Object.keys(readTree(scene.root))).toEqual([
      ".gitignore",
      "a.txt",
      "counter",
      "docs/",
      "docs/new.md",
    ]);
  });

  test("is shown, approved, written and undone with it where keep names it", async () => {
    using scene = viewScene({ ...sh(WRITES), keep: ["gen/**", "bun.lock", ".git/**"] });
    const before = readTree(scene.root);
    const { planId, preview, approved } = await show(scene);
    expect(preview.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "mkdir docs",
      "mkdir gen",
      "create bun.lock",
      "create docs/new.md",
      "create gen/made.ts",
    ]);
    expect(preview.diff).toContain("+y");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", changeSetId: approved });
    expect(await Bun.file(join(scene.root, "bun.lock")).text()).toBe("1\n");
    const { workspace, deps } = scene;
    const undone = await undo({ workspace, signal: never, clock: deps.clock, log: deps.log });
    expect(undone.ok).toBe(true);
    expect(readTree(scene.root)).toEqual(before);
  });

  test("never is a secret or what papa-yu and git keep, whatever keep says", async () => {
    using scene = viewScene({
      ...sh("echo s > .env; echo k > id_rsa; exit 0"),
      keep: ["**", ".*"],
    });
    const { preview } = await show(scene);
    expect(preview.changes.map(({ path }) => path)).toEqual(["docs", "docs/new.md"]);
    expect(preview.checked?.sideEffects.every(({ kept }) => !kept)).toBe(true);
  });

  test("voids a yes when it differs from what was shown", async () => {
    using scene = viewScene({ ...sh("cat counter > made.gen"), keep: ["*.gen"] });
    const { planId, approved } = await show(scene);
    writeFileSync(join(scene.root, "counter"), "other\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ errorCode: "ERR_CHANGE_SET_STALE", touched: false });
    expect(existsSync(join(scene.root, "made.gen"))).toBe(false);
  });
});

describe.if(hasOverlay)("what is stored of checks", () => {
  test("is none when somebody changed it, and then the checks run again", async () => {
    using scene = viewScene({ ...sh("echo 1 > made.gen"), keep: ["*.gen"] });
    const { planId, approved } = await show(scene);
    const { verifications } = scene.deps;
    const stored = verifications.load(planId);
    if (!stored?.addedJson) throw new Error("nothing was stored");
    const evil = Buffer.from("evil\n").toString("base64");
    for (const wrong of [
      { ...stored, resultJson: "{}" },
      { ...stored, addedJson: undefined },
      {
        ...stored,
        addedJson: stored.addedJson.replace(
          /"contents":\{"([0-9a-f]+)":"[^"]*"/u,
          `"contents":{"$1":"${evil}"`,
        ),
      },
      { ...stored, addedJson: stored.addedJson.replace("made.gen", "../made") },
    ]) {
      verifications.save(wrong);
      const { begun: runs, onProgress } = listen();
      const shown = await scene.operations.preview(planId, never, onProgress);
      expect([shown.ok && shown.preview.changeSetId, runs.length]).toEqual([approved, 1]);
    }
  });
});
