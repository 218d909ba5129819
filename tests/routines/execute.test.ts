import { describe, expect, test } from "bun:test";
import type { RunOutcome } from "../../src/routines/run.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const HOUR = 3_600_000;

describe("execute()", () => {
  test("ends a run after 300 s, whether it obeys or not", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const { scheduler, runs } = bench(clock, [routine(), routine({ name: "deaf" })], {
      run: ({ name }, _dueAt, signal) =>
        new Promise<RunOutcome>((_, reject) => {
          if (name !== "deaf") signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    scheduler.start();
    await clock.advance(10 * 60_000);
    await scheduler.stop(patient);
    for (const [name, finishedAt] of [
      ["hello", "2026-05-01T08:05:00Z"],
      ["deaf", "2026-05-01T08:05:10Z"],
    ] as const) {
      expect(runs.last(name)).toMatchObject({
        state: "failed",
        error: "it took longer than 300 s and was stopped",
        finishedAt: Date.parse(finishedAt),
      });
    }
  });

  test("delivers results, the first of several failures, and the end of them", async () => {
    const failed: RunOutcome = { state: "failed", output: "", error: "no provider" };
    const ok: RunOutcome = { state: "ok", output: "All tidy" };
    const skipped: RunOutcome = { state: "skipped", output: "", error: "nothing changed" };
    const { sent, runs } = await daily([ok, failed, failed, skipped, failed, ok, ok, skipped]);
    expect(sent).toEqual([
      'telegram: Routine "hello"\nAll tidy',
      'telegram: Routine "hello" failed: no provider\npapayu routine logs hello shows its runs',
      'telegram: Routine "hello" works again\nAll tidy',
      'telegram: Routine "hello"\nAll tidy',
    ]);
    expect(runs.list("hello", 9).map((run) => `${run.state} ${run.delivery}`)).toEqual([
      "skipped none",
      "ok delivered",
      "ok delivered",
      "failed none",
      "skipped none",
      "failed none",
      "failed delivered",
      "ok delivered",
    ]);
  });

  test.each(["queued", "nobody"] as const)("records %s", async (delivery) => {
    const { runs } = await daily([{ state: "ok", output: "x" }], { deliver: async () => delivery });
    expect(runs.last("hello")).toMatchObject({ state: "ok", delivery });
  });

  test("keeps a good run good when delivery fails or hangs", async () => {
    const ok: RunOutcome = { state: "ok", output: "x" };
    const refused = await daily([ok], { deliver: () => Promise.reject(new Error("offline")) });
    expect(refused.runs.last("hello")).toMatchObject({ state: "ok", delivery: "failed" });
    expect(refused.logged.join()).toContain("offline");
    const hangs = await daily([ok], { deliver: () => new Promise(() => {}) });
    expect(hangs.runs.last("hello")).toMatchObject({ state: "ok", delivery: "unknown" });
  });

  test("delivers nothing when there is nothing to say", async () => {
    const { sent, runs } = await daily([{ state: "ok", output: "" }]);
    expect(sent).toEqual([]);
    expect(runs.last("hello")?.delivery).toBe("none");
  });
});

/** A routine that ends each day in one of the outcomes, with messages to Telegram. */
async function daily(outcomes: readonly RunOutcome[], change: Parameters<typeof bench>[2] = {}) {
  const clock = new FakeClock("2026-05-01T00:00:00Z");
  const left = [...outcomes];
  const result = bench(clock, [routine({ channel: "telegram" })], {
    run: async () => left.shift() ?? { state: "skipped", output: "" },
    ...change,
  });
  result.scheduler.start();
  await clock.advance(outcomes.length * 24 * HOUR);
  await result.scheduler.stop(patient);
  return result;
}
