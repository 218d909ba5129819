import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { runs } from "../../support/long.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { bindOperations, type Line, never, planIn } from "../planner-scene.ts";
import { show } from "../verify/view-scene.ts";
import { act, append, fixScene, wants } from "./fix-scene.ts";

const file = (path: string) => ({ kind: "CREATE_FILE", path, content: "x\n" });

/** What mends docs/new.md, and does this besides. */
const mends = (...others: readonly object[]): Line => append("good", 2, "docs/new.md", ...others);

const UNATTENDED = [
  ["nobody has to be asked", false],
  ["a routine runs", true],
] as const;

describe.if(hasOverlay)("a correction that touches more than the change set of the goal", () => {
  test.each(UNATTENDED)("is asked about where %s", async (_, isRoutine) => {
    const rules = { ...wants("good"), onFailingBaseline: "apply" } as const;
    using scene = fixScene(rules, [mends(file("ci.sh"))], { autonomy: "full" });
    const before = readTree(scene.root);
    const planId = await planIn(scene);
    // The second is another process, which has nothing but what was stored.
    for (const operations of [scene.operations, bindOperations(scene.deps)]) {
      const outcome = await operations.apply(planId, { isRoutine, signal: never });
      expect(outcome).toMatchObject({
        status: "rejected",
        errorCode: "CONFIRM_REQUIRED",
        error: expect.stringContaining('corrections also touched "ci.sh"'),
        check: { ok: true },
        fixPaths: ["ci.sh"],
        preview: { fixPaths: ["ci.sh"] },
      });
      expect(readTree(scene.root)).toEqual(before);
    }
    expect(scene.author.asked).toHaveLength(3);
  });

  test("is shown as such, and applied by the yes of whoever saw it", async () => {
    using scene = fixScene(wants("good"), [mends(file("more/ci.sh"))], { autonomy: "full" });
    const { planId, preview, approved } = await show(scene);
    expect(preview.fixPaths).toEqual(["more/ci.sh"]); // its folder is told by it
    const outcome = await scene.operations.apply(planId, { approved, signal: never });
    expect(outcome).toMatchObject({ status: "committed", fixPaths: ["more/ci.sh"] });
    expect(Object.keys(readTree(scene.root))).toContain("more/ci.sh");
  });

  test("is none when it touches only what the goal's touches", async () => {
    using scene = fixScene(wants("good"), [append("good")]);
    expect((await show(scene)).preview).not.toHaveProperty("fixPaths");
  });

  test("is still refused when it fails", async () => {
    using scene = fixScene(wants("good"), [act(file("x")), act(file("y"))], { autonomy: "full" });
    const outcome = await scene.operations.apply(await planIn(scene), { signal: never });
    expect(outcome).toMatchObject({ status: "rolled_back", touched: false });
  });

  const POOL = ["a1", "b/x", "b/y", "docs/z", "d/e/f"];
  const some = fc.subarray(POOL);

  test("is applied unasked exactly where all of it is the goal's, whatever the paths", async () => {
    const goalOf = (paths: readonly string[]): Line =>
      act({ kind: "CREATE_FILE", path: "docs/new.md", content: "# New\n" }, ...paths.map(file));
    await fc.assert(
      fc.asyncProperty(some, some, fc.boolean(), async (goal, fix, isRoutine) => {
        const extra = fix.filter((path) => !goal.includes(path));
        const others = fix.map((path) =>
          goal.includes(path) ? { kind: "DELETE_FILE", path } : file(path),
        );
        const options = { autonomy: "full" } as const;
        using scene = fixScene(wants("good"), [mends(...others)], options, goalOf(goal));
        const before = readTree(scene.root);
        const planId = await planIn(scene);
        const outcome = await scene.operations.apply(planId, { isRoutine, signal: never });
        expect(outcome.check?.ok).toBe(true);
        expect(outcome.fixPaths ?? []).toEqual(extra.toSorted());
        expect(outcome.status).toBe(extra.length === 0 ? "committed" : "rejected");
        if (extra.length === 0) return;
        expect(readTree(scene.root)).toEqual(before);
        const { changeSetId: approved = "" } = outcome;
        const said = await scene.operations.apply(planId, { approved, signal: never });
        expect(said.status).toBe("committed");
      }),
      { numRuns: runs(4, 200) },
    );
  });
});
