import { expect, test } from "bun:test";
import { toTryLines } from "../../../src/planner/tries/tries.ts";
import { textsIn as textsOf } from "../../../src/texts/texts.ts";
import {
  bindOperations,
  CREATE,
  createScene,
  never,
  PLAN,
  scriptedAuthor,
} from "../planner-scene.ts";
import {
  lookAgain,
  RENAME,
  renameScene,
  renames,
  showSeries,
  textsIn,
} from "../series/series-scene.ts";

test("a plan in parts is planned in another way, and stays there to be made", async () => {
  using scene = renameScene(20, 3);
  const other = scriptedAuthor(
    RENAME,
    ...Array.from({ length: 9 }, () => renames("fetchUser", "getUserOrFail")),
  );
  const operations = bindOperations(scene.deps, [{ ...other, model: "script-2" }]);
  const { planId, approved } = await showSeries(scene, operations);
  const asked = scene.author.asked.length;
  const another = await operations.tryAnother(planId, { signal: never, work: "w" });
  if (!another.ok) throw new Error(another.why);
  expect(scene.author.asked).toHaveLength(asked);
  const ids = another.tries.order.map(({ end }) => (end.plan?.ok ? end.plan.planId : ""));
  expect(ids).toContain(planId);
  expect(another.tries.order.map(({ end }) => end.kind)).toEqual(["changes", "changes"]);
  expect(await operations.waysOf(planId)).toEqual(expect.arrayContaining(ids));
  expect((await lookAgain(planId, operations)).approved).toBe(approved);
  const made = await operations.apply(planId, { signal: never, approved });
  expect(made).toMatchObject({ status: "committed" });
  expect(textsIn(scene, ["src/user.js"])["src/user.js"]).toContain("loadUser");
});

test("ways that failed side by side with others are told with their reason at the next", async () => {
  using scene = createScene({ "a.txt": "one\n" }, [PLAN, CREATE]);
  const action = { kind: "CREATE_FILE", path: "a.txt/b", content: "x\n" };
  const others = [
    scriptedAuthor("no JSON", "nor now"), // no plan
    scriptedAuthor(PLAN, ...Array.from({ length: 4 }, () => ({ actions: [action], summary: "x" }))), // no change set
    scriptedAuthor(PLAN, CREATE),
  ].map((author, index) => Object.assign(author, { model: `script-${index + 2}` }));
  const operations = bindOperations(scene.deps, others);
  const first = await operations.tryWays(scene.workspace, "add it", 3, { signal: never });
  const planId = first.order.flatMap(({ end }) =>
    end.kind === "changes" ? end.plan.planId : "",
  )[0];
  const asked = others.slice(0, 2).map((each) => each.asked.length);
  const another = await operations.tryAnother(planId ?? "", { signal: never, work: "w" });
  if (!another.ok) throw new Error(another.why);
  const { order } = another.tries;
  const models = order.flatMap(({ model, same }) => [model].concat(same.map((each) => each.model)));
  expect(models.slice(0, 2)).toEqual(["script-1", "script-4"]);
  expect(models.slice(2).toSorted()).toEqual(["script-2", "script-3"]);
  const lines = toTryLines(another.tries, textsOf("en")).slice(-2);
  for (const line of lines)
    expect(line).toMatch(/no change set · [A-Z_]+: \S.+ \(scripted script-\d\)$/u);
  expect(lines.join("\n").split("\n")).toHaveLength(2);
  expect(others.slice(0, 2).map((each) => each.asked.length)).toEqual(asked);
  expect(another.left).toBe(0);
});
