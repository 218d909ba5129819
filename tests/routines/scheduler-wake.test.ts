import { describe, expect, test } from "bun:test";
import type { Routine } from "../../src/routines/routine.ts";
import type { SchedulerDeps } from "../../src/routines/scheduler.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const HOUR = 3_600_000;

/** A scheduler whose routines a test replaces, as a saved configuration does. */
function open(clock: FakeClock, first: readonly Routine[], change: Partial<SchedulerDeps> = {}) {
  let routines = first;
  const scene = bench(clock, first, { routines: () => routines, ...change });
  const replace = (next: readonly Routine[]) => {
    routines = next;
    scene.scheduler.wake();
  };
  return { ...scene, replace };
}

describe("wake() of a scheduler", () => {
  test("starts what is new on time, drops what is gone, and runs nothing twice", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const kept = routine({ name: "kept" });
    const { scheduler, started, replace } = open(clock, [kept, routine({ name: "gone" })]);
    scheduler.start();
    await clock.advance(90 * 60_000);
    const added = routine({ name: "added", schedule: "0 9 * * *" });
    replace([kept, added]);
    expect(scheduler.status().map(({ name }) => name)).toEqual(["kept", "added"]);
    await clock.advance(24 * HOUR);
    await scheduler.stop(patient);
    expect(started).toEqual([
      "kept 2026-05-01T08:00:00.000Z",
      "gone 2026-05-01T08:00:00.000Z",
      "added 2026-05-01T09:00:00.000Z",
      "kept 2026-05-02T08:00:00.000Z",
    ]);
  });

  test("counts another schedule from then on, and wakes a scheduler that had nothing to do", async () => {
    const clock = new FakeClock("2026-05-01T07:59:58Z");
    const { scheduler, started, replace } = open(clock, []);
    scheduler.start();
    replace([routine({ misfire: "all" })]);
    await clock.advance(HOUR);
    replace([routine({ misfire: "all", schedule: "30 8 * * *" })]);
    await clock.advance(HOUR);
    replace([routine({ schedule: "30 8 * * *", enabled: false })]);
    await clock.advance(48 * HOUR);
    await scheduler.stop(patient);
    expect(started).toEqual(["hello 2026-05-01T08:00:00.000Z"]);
  });

  test("lets what runs come to its end", async () => {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const finish = Promise.withResolvers<void>();
    const run = async () => {
      await finish.promise;
      return { state: "ok", output: "late" } as const;
    };
    const { scheduler, runs, replace } = open(clock, [routine()], { run });
    scheduler.start();
    await clock.advance(2000);
    replace([]);
    finish.resolve();
    await scheduler.stop(patient);
    expect(runs.last("hello")).toMatchObject({ state: "ok", output: "late" });
  });
});
