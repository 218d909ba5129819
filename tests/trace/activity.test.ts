import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createActivity } from "../../src/trace/report/activity.ts";
import { createDurations } from "../../src/trace/report/latencies.ts";
import { applyTrace } from "./traces-scene.ts";

const DAY = 86_400_000;

describe("createActivity()", () => {
  test("has each apply once by how it ended, and every trace in its day and model", () => {
    const activity = createActivity();
    const tokens = { input: 10, output: 1 };
    activity.add(applyTrace(0, { tokens, cost: 0.5, model: "a", duration_ms: 100 }));
    activity.add(applyTrace(0, { protocol_repair_attempt: 1, model: "a" }));
    activity.add(applyTrace(0, { protocol_repair_attempt: 1, protocol_fallback_attempted: true }));
    activity.add(applyTrace(DAY, { event: "VALIDATION_FAILED", protocol_repair_attempt: 1 }));
    activity.add(applyTrace(DAY, { fix: {}, tokens }));
    activity.add({ ...applyTrace(DAY), mode: "chat", tokens, model: "b" });
    const { days, models, all } = activity.sumUp();
    expect(days).toMatchObject([
      {
        day: "2026-11-20",
        apply_count: 1,
        endings: { clean: 0, repaired: 0, fell_back: 0, failed: 1 },
        repair_count: 1,
        trace_count: 3,
        tokens: { input: 20, output: 2 },
        cost: null,
      },
      {
        day: "2026-11-21",
        apply_count: 3,
        endings: { clean: 1, repaired: 1, fell_back: 1, failed: 0 },
        repair_count: 2,
        fallback_count: 1,
        cost: 0.5,
        latency: { apply: { count: 1, p50_ms: 100 }, plan: null },
        models: [
          { provider: "", model: "a", tokens: { input: 10, output: 1 }, cost: 0.5 },
          { provider: "", model: "", tokens: { input: 0, output: 0 }, cost: null },
        ],
      },
    ]);
    expect(models.map(({ model }) => model).toSorted()).toEqual(["", "a", "b"]);
    expect(all).toMatchObject({ trace_count: 6, tokens: { input: 30, output: 3 } });
  });

  test("keeps to so many days and models, whatever strangers' files say", () => {
    const activity = createActivity();
    for (let n = 0; n < 1000; n++) activity.add(applyTrace(n * DAY, { model: `m${n}` }));
    const { days, models, unlisted_count: unlisted, all } = activity.sumUp();
    expect([days.length, models.length, unlisted]).toEqual([400, 50, 950]);
    expect(all.trace_count).toBe(1000);
    // A day names no model that the list of all does not.
    expect(days.flatMap(({ models: of }) => of)).toHaveLength(50);
  });
});

test("percentiles are those of the durations, rounded to two digits", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1 }), (all) => {
      const durations = createDurations();
      for (const ms of all) durations.add(ms);
      const rounded = all.map((ms) => Number(ms.toPrecision(2))).toSorted((a, b) => a - b);
      const at = (share: number) => rounded[Math.ceil(share * all.length) - 1];
      expect(durations.sumUp()).toEqual({
        count: all.length,
        p50_ms: at(0.5) ?? -1,
        p90_ms: at(0.9) ?? -1,
        p99_ms: at(0.99) ?? -1,
      });
    }),
  );
});
