import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { MOST_APPLY_REQUESTS } from "../../../src/protocol/fallback.ts";
import { runs } from "../../support/long.ts";
import { hasOverlay } from "../../support/overlay.ts";
import { readTree } from "../../support/tree.ts";
import { type Line, never, planIn } from "../planner-scene.ts";
import { act, append, fixScene, NOTHING, wants } from "./fix-scene.ts";

/** What an author may answer when it is asked for a correction, good and bad. */
const ANSWERS: Readonly<Record<string, Line>> = {
  good: append("good"),
  bad: append("bad"),
  beyond: append("bad", 9),
  nothing: NOTHING,
  silent: { actions: [], summary: "" },
  rubbish: "I would rather not",
  test: act({ kind: "CREATE_FILE", path: "tests/x.test.ts", content: "x\n" }),
  lock: act({ kind: "CREATE_FILE", path: "package-lock.json", content: "x\n" }),
  back: act({ kind: "DELETE_FILE", path: "docs/new.md" }, { kind: "DELETE_DIR", path: "docs" }),
  rename: act(
    { kind: "DELETE_FILE", path: "docs/new.md" },
    { kind: "CREATE_FILE", path: "n", content: "n\n" },
  ),
  unseen: act({
    kind: "PATCH_FILE",
    path: "counter",
    base_sha256: "0".repeat(64),
    patch: "@@ -1 +1 @@\n-a\n+b\n",
  }),
  whole: act({ kind: "UPDATE_FILE", path: "docs/new.md", content: "# New\nbad\n" }),
};

const scripts = fc.record({
  names: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { maxLength: 16 }),
  maxFixRounds: fc.integer({ min: 0, max: 3 }),
});

describe.if(hasOverlay)("corrections, whatever the author answers", () => {
  test("take no more requests than the bound, and write nothing that is not green", async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async ({ names, maxFixRounds }) => {
        const lines = names.flatMap((name) => ANSWERS[name] ?? []);
        using scene = fixScene(wants("good"), lines, { autonomy: "full", maxFixRounds });
        const before = readTree(scene.root);
        const planId = await planIn(scene);
        const outcome = await scene.operations.apply(planId, { signal: never });
        const requests = scene.author.asked.length - 1; // the plan's own
        expect(requests).toBeLessThanOrEqual(MOST_APPLY_REQUESTS * (1 + maxFixRounds));
        expect(outcome.fixRounds ?? 0).toBeLessThanOrEqual(maxFixRounds);
        const passed = outcome.fixPaths ? "rejected" : "committed"; // more than was asked for
        expect(outcome.status).toBe(outcome.check?.ok === true ? passed : "rolled_back");
        const after = readTree(scene.root);
        if (outcome.ok) expect(after).not.toEqual(before);
        else expect({ after, touched: outcome.touched }).toEqual({ after: before, touched: false });
        if (outcome.ok) return;
        await scene.operations.apply(planId, { signal: never });
        expect(scene.author.asked.length - 1).toBe(requests);
      }),
      { numRuns: runs(4, 300) },
    );
  });
});
