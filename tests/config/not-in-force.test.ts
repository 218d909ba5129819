import { expect, test } from "bun:test";
import { loadFrom } from "./support.ts";

test("notInForceWarnings() names a rule that would not hold", async () => {
  const { warnings } = await loadFrom("[security]\nworkspace_only = false\n");
  expect(warnings).toEqual(["security.workspace_only: no effect in this version"]);
});

test("notInForceWarnings() is silent about defaults, written out or not", async () => {
  const { warnings } = await loadFrom("[protocol]\nversion = 2\n[agent]\nmax_cost_per_day = 0\n");
  expect(warnings).toEqual([]);
});
