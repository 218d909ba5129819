import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../../src/store/open/open-database.ts";
import { createPlanStore } from "../../../src/store/plans/plans.ts";
import { tempDir } from "../../support/temp.ts";
import { bindOperations, createScene, eventsOf, never, scriptedAuthor } from "../planner-scene.ts";

const note = (text: string) => ({ "project.ci_notes": text });
const plan = (text: string) => ({ actions: [], summary: "1. Do it", memory_patch: note(text) });
const make = (text: string) => ({
  actions: [{ kind: "CREATE_FILE", path: "new.md", content: `${text}\n` }],
  summary: "does it",
  memory_patch: note(`${text} made`),
});

/** Two authors, and what was remembered of them. */
function open() {
  const scene = createScene({ "a.txt": "one\n" }, [plan("first"), make("first")]);
  const other = scriptedAuthor(plan("second"), make("second"));
  const remembered: unknown[] = [];
  const remember = (_: unknown, patch: unknown) => void remembered.push(patch);
  const operations = bindOperations({ ...scene.deps, remember }, [other]);
  return { scene, operations, remembered };
}

test("of several ways only what the author of the one that is made wants is remembered", async () => {
  const { scene, operations, remembered } = open();
  using _scene = scene;
  const { order } = await operations.tryWays(scene.workspace, "do it", 2, { signal: never });
  expect(order.map(({ end }) => end.kind)).toEqual(["changes", "changes"]);
  expect(remembered).toEqual([]);
  const [, second] = order;
  if (second?.end.kind !== "changes") throw new Error("no second way");
  const { planId, changeSetId } = second.end.preview;
  const options = { signal: never, approved: changeSetId };
  expect(await operations.apply(planId, options)).toMatchObject({ status: "committed" });
  expect(remembered).toEqual([note("second"), note("second made")]);
});

test("of a plan that is the only one it is remembered at once", async () => {
  const { scene, operations, remembered } = open();
  using _scene = scene;
  const made = await operations.plan(scene.workspace, "do it", { signal: never });
  expect(remembered).toEqual([note("first")]);
  if (!made.ok) throw new Error(made.message);
  await operations.preview(made.planId, never);
  expect(remembered).toEqual([note("first"), note("first made")]);
});

test("a change is told as made though what it led to cannot be noted any more", async () => {
  using home = tempDir();
  using scene = createScene({ "a.txt": "one\n" }, [plan("first"), make("first")]);
  using store = openStore(join(home.path, "state.db"));
  const operations = bindOperations({
    ...scene.deps,
    plans: createPlanStore(store),
    log: (event, fields) => {
      scene.deps.log(event, fields);
      if (event === "APPLY_SUCCESS") store.run("DROP TABLE ways");
    },
  });
  const made = await operations.plan(scene.workspace, "do it", { signal: never });
  if (!made.ok) throw new Error(made.message);
  const shown = await operations.preview(made.planId, never);
  const approved = shown.ok ? shown.preview.changeSetId : "";
  const outcome = await operations.apply(made.planId, { signal: never, approved });
  expect(outcome).toMatchObject({ ok: true, status: "committed", touched: true });
  expect(eventsOf(scene, "NOTE_FAILED")).toHaveLength(1);
});
