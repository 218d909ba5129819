import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../../src/store/open/open-database.ts";
import { createPlanStore } from "../../../src/store/plans/plans.ts";
import { createVerificationStore } from "../../../src/store/verifications.ts";
import { findByWork } from "../../../src/transaction/journal/find-work.ts";
import { readHistory } from "../../../src/transaction/journal/history.ts";
import { childProgram } from "../../support/child-program.ts";
import { oneOf } from "../../support/long.ts";
import { tempDir } from "../../support/temp.ts";
import { bindOperations, never, toWorkspace } from "../planner-scene.ts";
import { lookAgain, projectOf, renameScene, showSeries, textsIn } from "./series-scene.ts";

const CHILD = await childProgram(new URL("./crash-child.ts", import.meta.url));
const ALL = Object.keys(projectOf(30));

/** A series of four parts whose process was killed when so many were committed. */
async function killedAt(parts: number) {
  const scene = renameScene(30, 4);
  const home = tempDir();
  const store = openStore(join(home.path, "state.db"));
  const operations = bindOperations({
    ...scene.deps,
    plans: createPlanStore(store),
    verifications: createVerificationStore(store),
  });
  const { planId, approved, preview } = await showSeries(scene, operations);
  const argv = [CHILD, scene.root, join(home.path, "state.db"), planId, String(parts)];
  const env = { ...process.env, TMPDIR: home.path }; // what is killed removes nothing
  const options = { stdout: "ignore", stderr: "inherit", env } as const;
  const child = Bun.spawn([process.execPath, ...argv], options);
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const made = preview.row?.parts.slice(0, parts).map(({ changeSetId }) => changeSetId) ?? [];
  return {
    scene,
    operations,
    planId,
    approved,
    made,
    [Symbol.dispose]() {
      store.close();
      home[Symbol.dispose]();
      scene[Symbol.dispose]();
    },
  };
}

const CASES = oneOf(2, [1, 2, 3]);

test.each(CASES)(
  "a series that was killed behind part %i has exactly those, and the rest is asked about",
  async (count) => {
    using killed = await killedAt(count);
    const { scene, operations, planId, approved, made } = killed;
    const history = readHistory(toWorkspace(scene.root));
    expect(history.map(({ status, changeSetId }) => [status, changeSetId])).toEqual(
      made.map((id) => ["committed", id]),
    );
    const done = new Set(history.flatMap(({ changes }) => changes.map(({ path }) => path)));
    const [before, after] = [projectOf(30), projectOf(30, "loadUser")];
    const expected = ALL.map((path) => [path, (done.has(path) ? after : before)[path]]);
    expect(textsIn(scene, ALL)).toEqual(Object.fromEntries(expected));
    // Whoever asks for the work hears what of it is there, and that it has not ended.
    expect(findByWork(scene.workspace, "work-1")).toMatchObject({
      kind: "parts",
      before: 0,
      all: 4,
    });
    const asked = await operations.apply(planId, { approved, signal: never, work: "work-1" });
    expect(asked).toMatchObject({ errorCode: "CONFIRM_REQUIRED", touched: false });
    expect(asked.preview?.row).toMatchObject({ done: count });
    const rest = await lookAgain(planId, operations);
    const made2 = await operations.apply(planId, { approved: rest.approved, signal: never });
    expect(made2).toMatchObject({ ok: true, status: "committed" });
    expect(textsIn(scene, ALL)).toEqual(after);
  },
);

test("a series that was killed is given up by undoing what is there, the newest first", async () => {
  using killed = await killedAt(2);
  const { scene, operations } = killed;
  for (let left = 2; left > 0; left--) {
    expect(await operations.undo(scene.workspace, never)).toMatchObject({ status: "undone" });
  }
  expect(textsIn(scene, ALL)).toEqual(projectOf(30));
});
