import { describe, expect, test } from "bun:test";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasOverlay, viewSandbox } from "../../support/overlay.ts";
import { never, type Scene } from "../planner-scene.ts";
import {
  correctedScene,
  lookAgain,
  NEEDS_A_FILE,
  projectOf,
  showSeries,
  textsIn,
  withCommits,
} from "./series-scene.ts";

const DONE = projectOf(30, "loadUser");
const ALL = Object.keys(DONE);
const EARLY = "src/part1/module1.js";
const LATE = "src/part3/module25.js";

/** A check that leads to a correction, so that there is more to be found again than the parts. */
const CORRECTED = { rules: { check: NEEDS_A_FILE }, sandbox: viewSandbox, maxFixRounds: 1 };

const give = (scene: Scene, path: string, mode: number) => chmodSync(join(scene.root, path), mode);
const modesOf = (scene: Scene) =>
  [EARLY, LATE].map((path) => statSync(join(scene.root, path)).mode & 0o777);

const KINDS = [
  ["without checks", {}],
  ...(hasOverlay ? ([["with a correction", CORRECTED]] as const) : []),
] as const;

describe.each(KINDS)("a mode that a person gives a file of a series, %s", (_, options) => {
  test("stays, and the approval that was given before counts", async () => {
    using scene = correctedScene(options);
    const { planId, approved } = await showSeries(scene);
    give(scene, EARLY, 0o600);
    give(scene, LATE, 0o755);
    const asked = scene.author.asked.length;
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, ALL)).toEqual(DONE);
    expect(modesOf(scene)).toEqual([0o600, 0o755]);
    expect(scene.author.asked).toHaveLength(asked);
    const over = { errorCode: "ERR_CHANGE_SET_STALE", touched: false };
    expect(await scene.operations.apply(planId, { signal: never })).toMatchObject(over);
  });

  test.each([1, 2, 3])("stays behind a stop after part %i, before a second one", async (count) => {
    using scene = correctedScene(options);
    const { planId, approved } = await showSeries(scene);
    const stopBehind = (number: number) => {
      const controller = new AbortController();
      const operations = withCommits(scene, (made) => {
        if (made === number) controller.abort();
      });
      return { operations, signal: controller.signal };
    };
    const first = stopBehind(count);
    await first.operations.apply(planId, { approved, signal: first.signal });
    const asked = scene.author.asked.length;
    const shown = await lookAgain(planId, scene.operations);
    give(scene, EARLY, 0o600);
    give(scene, LATE, 0o755);
    const second = stopBehind(1);
    const rest = { approved: shown.approved, signal: second.signal };
    await second.operations.apply(planId, rest);
    const { preview, approved: last } = await lookAgain(planId, scene.operations).catch(() => ({
      preview: undefined,
      approved: "",
    }));
    if (preview) {
      expect(preview.row?.done).toBe(count + 1);
      const outcome = await scene.operations.apply(planId, { approved: last, signal: never });
      expect(outcome).toMatchObject({ ok: true, status: "committed" });
    }
    expect(textsIn(scene, ALL)).toEqual(DONE);
    expect(modesOf(scene)).toEqual([0o600, 0o755]);
    expect(scene.author.asked).toHaveLength(asked);
  });

  test("between two parts does not stop it", async () => {
    using scene = correctedScene(options);
    const { planId, approved } = await showSeries(scene);
    const operations = withCommits(scene, (made) => {
      if (made === 1) give(scene, LATE, 0o755);
    });
    const outcome = await operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: true, status: "committed" });
    expect(modesOf(scene)[1]).toBe(0o755);
  });

  test("does not make an edit one of it", async () => {
    using scene = correctedScene(options);
    const { planId, approved } = await showSeries(scene);
    give(scene, LATE, 0o755);
    writeFileSync(join(scene.root, LATE), "// mine\n");
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ ok: false, touched: false });
    expect(textsIn(scene, [LATE])).toEqual({ [LATE]: "// mine\n" });
  });
});
