import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasOverlay, viewSandbox } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { type Line, never } from "../planner-scene.ts";
import {
  lookAgain,
  renameScene,
  renames,
  renamesIn,
  showSeries,
  withCommits,
} from "./series-scene.ts";

const LOCK = "package-lock.json";
const KEPT = "seen.txt";

/**
 * A series of four parts. The first brings a manifest, from which a command makes a lock file; while
 * that is not in the folder a check writes a file that is kept as well.
 */
function lockScene() {
  const rename = renames("fetchUser", "loadUser");
  const sub = { kind: "CREATE_FILE", path: "sub/package.json", content: '{"name":"sub"}\n' };
  const first: Line = ({ messages }) => {
    const text = messages.map(({ content }) => content).join("\n\n");
    const { actions } = renamesIn(text, "fetchUser", "loadUser");
    return { actions: [...actions.slice(1), sub], summary: "a manifest and a rename" };
  };
  const rules = {
    generate: [["sh", "-c", `sha256sum <sub/package.json >${LOCK}`]],
    check: [["sh", "-c", `test -f ${KEPT} || echo seen >${KEPT}`]],
    keep: [KEPT],
  };
  const options = { rules, sandbox: viewSandbox, autonomy: "full" } as const;
  return renameScene(30, 0, options, [first, rename, rename, rename]);
}

/** The same with all of its parts in the folder. */
async function madeScene() {
  const scene = lockScene();
  const { planId, approved, preview } = await showSeries(scene);
  const whole = await scene.operations.apply(planId, { approved, signal: never });
  expect(whole).toMatchObject({ ok: true, status: "committed" });
  return { scene, planId, preview, all: whole.row?.parts.length ?? 0, done: readTree(scene.root) };
}

describe.if(hasOverlay)("what commands add to all parts of a series", () => {
  test.each([1, 2, 3, 4])(
    "is in the rest without its newest %i parts, and is the same",
    async (count) => {
      const { scene, planId, preview, all, done } = await madeScene();
      using _ = scene;
      expect(all).toBe(5);
      expect(preview.changes.map(({ path }) => path)).toContain(LOCK);
      expect(preview.changes.map(({ path }) => path)).toContain(KEPT);
      for (let left = count; left > 0; left--) await scene.operations.undo(scene.workspace, never);
      expect([LOCK, KEPT].map((path) => existsSync(join(scene.root, path)))).toEqual([
        false,
        false,
      ]);
      const asked = scene.author.asked.length;
      const rest = await lookAgain(planId, scene.operations);
      const { changes, row, generation, fixPaths } = rest.preview;
      expect(row).toMatchObject({ done: all - count });
      expect(row?.parts).toHaveLength(count);
      expect(fixPaths).toBeUndefined();
      expect(generation).toMatchObject({ kind: "made", paths: [LOCK] });
      const shown = changes.filter(({ path }) => path === LOCK || path === KEPT);
      expect(shown.map(({ path, generated }) => [path, generated])).toEqual([
        [LOCK, true],
        [KEPT, undefined],
      ]);
      // All of it was allowed before, so that nobody has to be asked for the rest either.
      const outcome = await scene.operations.apply(planId, { signal: never });
      expect(outcome).toMatchObject({ ok: true, changeSetId: rest.approved });
      expect(readTree(scene.root)).toEqual(done);
      expect(scene.author.asked).toHaveLength(asked);
      const over = { errorCode: "ERR_CHANGE_SET_STALE", touched: false };
      expect(await scene.operations.apply(planId, { signal: never })).toMatchObject(over);
    },
  );

  test.each([1, 2, 3])("is in the rest of one that stopped behind part %i", async (count) => {
    using scene = lockScene();
    const { planId, approved } = await showSeries(scene);
    const controller = new AbortController();
    const operations = withCommits(scene, (number) => {
      if (number === count) controller.abort();
    });
    await operations.apply(planId, { approved, signal: controller.signal });
    expect(existsSync(join(scene.root, LOCK))).toBe(false);
    const again = await scene.operations.apply(planId, { signal: never });
    expect(again).toMatchObject({ ok: true, row: { done: count, undoable: 5 } });
    const manifest = readFileSync(join(scene.root, "sub/package.json"));
    const hash = new Bun.CryptoHasher("sha256").update(manifest).digest("hex");
    expect(readFileSync(join(scene.root, LOCK), "utf8")).toStartWith(hash);
    expect(readFileSync(join(scene.root, KEPT), "utf8")).toBe("seen\n");
  });

  test("is left to whoever made it meanwhile", async () => {
    const { scene, planId } = await madeScene();
    using _ = scene;
    for (const __ of [1, 2]) await scene.operations.undo(scene.workspace, never);
    writeFileSync(join(scene.root, LOCK), "by hand\n");
    const { approved, preview } = await lookAgain(planId, scene.operations);
    expect(preview.changes.map(({ path }) => path)).not.toContain(LOCK);
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true });
    expect(readFileSync(join(scene.root, LOCK), "utf8")).toBe("by hand\n");
  });
});
