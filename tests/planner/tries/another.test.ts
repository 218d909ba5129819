import { expect, test } from "bun:test";
import { bindOperations, never, scriptedAuthor } from "../planner-scene.ts";
import { lookAgain, RENAME, renameScene, renames, showRow, textsIn } from "../rows/row-scene.ts";

test("a plan in parts is planned in another way, and stays there to be made", async () => {
  using scene = renameScene(20, 3);
  const other = scriptedAuthor(
    RENAME,
    ...Array.from({ length: 9 }, () => renames("fetchUser", "getUserOrFail")),
  );
  const operations = bindOperations(scene.deps, [{ ...other, model: "script-2" }]);
  const { planId, approved } = await showRow(scene, operations);
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
