import { expect, test } from "bun:test";
import { loadFrom } from "./support.ts";

test("notInForceWarnings() names a cap that would not hold", async () => {
  const { warnings } = await loadFrom("[agent]\nmax_tokens_per_day = 1\n");
  expect(warnings).toEqual(["agent.max_tokens_per_day: no effect in this version"]);
});

test("notInForceWarnings() is silent about defaults, written out or not", async () => {
  const { warnings } = await loadFrom("[protocol]\nversion = 2\n[agent]\nmax_cost_per_day = 0\n");
  expect(warnings).toEqual([]);
});
