import { describe, expect, test } from "bun:test";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

describe("createScheduler() with a clock that was wrong for a moment", () => {
  const job = routine({ misfire: "all", channel: "telegram" });

  test.each([
    ["behind", "2026-04-01T12:00:00Z"],
    ["at the beginning of time", "1970-01-01T00:00:10Z"],
  ])("runs and tells nothing of before the routine was added, when it was %s", async (_, wrong) => {
    const clock = new FakeClock("2026-05-01T12:00:00Z");
    const { scheduler, states, sent, database } = bench(clock, [job]);
    scheduler.start();
    await clock.advance(120_000);
    clock.jumpTo(wrong);
    await clock.advance(120_000);
    clock.jumpTo("2026-05-01T12:30:00Z");
    await clock.advance(120_000);
    expect([states(), sent]).toEqual([[], []]);
    await scheduler.stop(patient);
    // And over restarts, of which one was while the clock was wrong.
    for (const at of [wrong, "2026-05-01T13:00:00Z"]) {
      clock.jumpTo(at);
      const again = bench(clock, [job], { database });
      again.scheduler.start();
      await clock.advance(120_000);
      await again.scheduler.stop(patient);
      expect([again.states(), again.sent]).toEqual([[], []]);
    }
    const last = bench(clock, [job], { database });
    last.scheduler.start();
    await clock.advanceTo("2026-05-02T08:01:00Z");
    await last.scheduler.stop(patient);
    expect(last.states()).toEqual(["05-02T08:00 ok"]);
  });

  test("runs what comes due all the same when it was ahead as the routine was added", async () => {
    const clock = new FakeClock("2027-01-01T12:00:00Z");
    const { scheduler, states, database } = bench(clock, [job]);
    scheduler.start();
    await clock.advance(120_000);
    clock.jumpTo("2026-05-01T12:30:00Z");
    await clock.advanceTo("2026-05-02T08:01:00Z");
    await scheduler.stop(patient);
    expect(states()).toEqual(["05-02T08:00 ok"]);
    clock.jumpTo("2026-05-04T12:00:00Z");
    const after = bench(clock, [job], { database });
    after.scheduler.start();
    await clock.advance(1000);
    await after.scheduler.stop(patient);
    expect(after.states()).toEqual(["05-02T08:00 ok", "05-03T08:00 ok", "05-04T08:00 ok"]);
  });

  test("says of no more that they run now than do", async () => {
    const clock = new FakeClock("2026-05-01T00:30:00Z");
    const hourly = routine({ schedule: "0 * * * *", channel: "telegram", misfire: "all" });
    const { scheduler, sent, started, database } = bench(clock, [hourly]);
    scheduler.start();
    await clock.advanceTo("2026-05-02T06:30:00Z");
    expect(started).toHaveLength(30);
    // Their rows are too old to be kept.
    database.run("DELETE FROM routine_runs WHERE due_at <= ?", [
      Date.parse("2026-05-01T08:00:00Z"),
    ]);
    clock.jumpTo("2026-05-01T00:40:00Z");
    await clock.advance(60_000);
    sent.length = 0;
    clock.jumpTo("2026-05-02T06:30:00Z");
    await clock.advance(60_000);
    await scheduler.stop(patient);
    expect(started).toHaveLength(32);
    expect(sent[0]).toContain("6 missed, the last at 2026-05-01 06:00; 2 run now");
  });
});
