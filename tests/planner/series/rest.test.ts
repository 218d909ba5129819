import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toSeriesEndLines } from "../../../src/channels/series-lines.ts";
import type { ApplyOutcome } from "../../../src/planner/operations.ts";
import { textsIn as textsOf } from "../../../src/texts/texts.ts";
import { readHistory } from "../../../src/transaction/journal/history.ts";
import { oneOf } from "../../support/long.ts";
import { viewSandbox } from "../../support/overlay.ts";
import { writeTree } from "../../support/tree.ts";
import { applyActions } from "../../transaction/scene.ts";
import { never } from "../planner-scene.ts";
import {
  correctedScene,
  lookAgain,
  NEEDS_A_FILE,
  projectOf,
  renameScene,
  renames,
  showSeries,
  textsIn,
  withCommits,
} from "./series-scene.ts";

const DONE = { ...projectOf(30, "loadUser"), "CHANGES.md": "renamed\n" };

/** A series of four parts whose checks led to a correction, so that it has a fifth. */
const CORRECTED = {
  rules: { check: NEEDS_A_FILE },
  sandbox: viewSandbox,
  maxFixRounds: 1,
  autonomy: "full",
} as const;

test.each(oneOf(2, [1, 2, 3, 4, 5]))(
  "the rest of a series without its newest %i parts has its corrections, and nobody is asked for them again",
  async (count) => {
    using scene = correctedScene(CORRECTED);
    const { planId, approved } = await showSeries(scene);
    const made = await scene.operations.apply(planId, { approved, signal: never });
    expect(made.row?.parts).toHaveLength(5);
    const over = { errorCode: "ERR_CHANGE_SET_STALE", touched: false };
    expect(await scene.operations.apply(planId, { signal: never })).toMatchObject(over);
    for (let left = count; left > 0; left--) await scene.operations.undo(scene.workspace, never);
    const asked = scene.author.asked.length;
    // Nobody asked for what only the correction touches: also under full somebody has to look.
    const waiting = await scene.operations.apply(planId, { signal: never });
    expect(waiting).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    const rest = await lookAgain(planId, scene.operations);
    expect(rest.preview).toMatchObject({
      changeSetId: waiting.preview?.changeSetId,
      fixPaths: ["CHANGES.md"],
      checked: { check: { ok: true }, fixRounds: 1 },
      row: { done: 5 - count },
    });
    expect(rest.preview.row?.parts).toHaveLength(count);
    const all = await scene.operations.apply(planId, { approved: rest.approved, signal: never });
    expect(all).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, Object.keys(DONE))).toEqual(DONE);
    expect(scene.author.asked).toHaveLength(asked);
  },
);

test("parts whose files somebody brought back without papa-yu are made again", async () => {
  using scene = renameScene(30, 4);
  const { planId, approved, preview } = await showSeries(scene);
  await scene.operations.apply(planId, { approved, signal: never });
  const [first, second] = preview.row?.parts ?? [];
  const made = readHistory(scene.workspace).slice(0, 2);
  const paths = new Set(made.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const before = Object.entries(projectOf(30)).filter(([path]) => paths.has(path));
  writeTree(scene.root, Object.fromEntries(before));
  const rest = await lookAgain(planId, scene.operations);
  expect(rest.preview.row).toMatchObject({ done: 2 });
  expect(rest.preview.row?.parts).toMatchObject([first, second]);
  await scene.operations.apply(planId, { approved: rest.approved, signal: never });
  const done = projectOf(30, "loadUser");
  expect(textsIn(scene, Object.keys(done))).toEqual(done);
});

test("a series that was undone and redone is one series still", async () => {
  using scene = renameScene(30, 4);
  const { planId, approved } = await showSeries(scene);
  await scene.operations.apply(planId, { approved, signal: never });
  const undoAll = () => scene.operations.undo(scene.workspace, never, { isSeries: true });
  for (const _ of [1, 2]) {
    expect(await undoAll()).toMatchObject({ ok: true, status: "undone" });
    expect(textsIn(scene, Object.keys(projectOf(30)))).toEqual(projectOf(30));
    for (let left = 4; left > 0; left--) {
      const redone = await scene.operations.redo(scene.workspace, never);
      expect(redone).toMatchObject({ ok: true, status: "redone" });
    }
  }
});

describe("a series that stopped and went on", () => {
  const TEXTS = textsOf("en");
  const saysAll = (count: number, all: number) => TEXTS.tries.series.undoNewest(count, all);

  test.each([1, 2, 3, 4])(
    "is one series for the person, in so many makings of one part more: %i",
    async (makings) => {
      using scene = renameScene(30, 4);
      const { planId } = await showSeries(scene);
      let outcome: ApplyOutcome | undefined;
      for (let made = 1; made <= makings; made++) {
        const { approved } = await lookAgain(planId, scene.operations);
        outcome = await scene.operations.apply(planId, { approved, signal: never });
        expect(outcome).toMatchObject({ ok: true, row: { undoable: 4 } });
        for (let more = makings - made; more > 0; more--) {
          await scene.operations.undo(scene.workspace, never);
        }
      }
      const said = toSeriesEndLines(outcome ?? { ok: false }, TEXTS);
      expect(said).toEqual([saysAll(4, 4)]);
      const works = readHistory(scene.workspace).map(({ work = "" }) => work.split("#")[0]);
      expect(new Set(works).size).toBeGreaterThanOrEqual(makings);
      const undone = await scene.operations.undo(scene.workspace, never, { isSeries: true });
      expect(undone).toMatchObject({ ok: true, status: "undone" });
      expect(textsIn(scene, Object.keys(projectOf(30)))).toEqual(projectOf(30));
    },
  );

  test("ends for the button at another change, and the text counts what it takes", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    await scene.operations.apply(planId, { approved, signal: never });
    for (let left = 3; left > 0; left--) await scene.operations.undo(scene.workspace, never);
    await applyActions(scene.workspace, [
      { kind: "CREATE_FILE", path: "between.md", content: "mine\n" },
    ]);
    const rest = await lookAgain(planId, scene.operations);
    const options = { approved: rest.approved, signal: never };
    const outcome = await scene.operations.apply(planId, options);
    expect(toSeriesEndLines(outcome, TEXTS)).toEqual([saysAll(3, 4)]);
    await scene.operations.undo(scene.workspace, never, { isSeries: true });
    expect(textsIn(scene, ["src/part1/module1.js", "between.md"])).toEqual({
      "src/part1/module1.js": projectOf(30, "loadUser")["src/part1/module1.js"] ?? "",
      "between.md": "mine\n",
    });
  });

  test("is told how many parts the button takes back where it stopped as well", async () => {
    using scene = renameScene(30, 4);
    const { planId, approved } = await showSeries(scene);
    const mine = join(scene.root, "src/part2/module15.js");
    const operations = withCommits(scene, (count) => {
      if (count === 1) writeFileSync(mine, "//\n");
    });
    const stopped = await operations.apply(planId, { approved, signal: never });
    expect(stopped).toMatchObject({ ok: false, row: { undoable: 1 } });
    const { rest } = TEXTS.tries.series;
    expect(toSeriesEndLines(stopped, TEXTS)).toEqual([rest, saysAll(1, 4)]);
  });
});

test("what one part makes and another takes away asks as what stays does", async () => {
  const say = (kind: string, more: object = {}) => ({
    actions: [{ kind, path: "AGENTS.md", ...more }],
    summary: kind,
  });
  const rename = renames("fetchUser", "loadUser");
  const lines = [say("CREATE_FILE", { content: "Obey.\n" }), say("DELETE_FILE"), rename, rename];
  using scene = renameScene(30, 0, { autonomy: "full" }, lines);
  const { planId, preview } = await showSeries(scene);
  expect(preview.changes.map(({ path }) => path)).not.toContain("AGENTS.md");
  expect(preview.notes).toContainEqual({ kind: "passing", facts: { path: "AGENTS.md" } });
  const mustAsk = (paths: readonly string[]) => paths.includes("AGENTS.md");
  const asked = await scene.operations.apply(planId, { mustAsk, signal: never });
  expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
  expect(textsIn(scene, Object.keys(projectOf(30)))).toEqual(projectOf(30));
});
