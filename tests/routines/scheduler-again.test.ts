import { describe, expect, test } from "bun:test";
import type { RunOutcome } from "../../src/routines/run.ts";
import type { SchedulerDeps } from "../../src/routines/scheduler.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { createWriter } from "../../src/store/writer/writer.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock, settle } from "./fake-clock.ts";

const HOUR = 3_600_000;

/** A run that lasts until it is ended. */
const endless: SchedulerDeps["run"] = (_routine, _dueAt, signal) =>
  new Promise<RunOutcome>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

describe("Scheduler.stop() leaves what had not begun to the next start", () => {
  /** Two on one workspace at eight, of which the first runs and is cut off. */
  async function stopped(change: Parameters<typeof routine>[0] = {}) {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const second = routine({ name: "second", workspace: "one", channel: "telegram", ...change });
    const jobs = [routine({ workspace: "one" }), second];
    const before = bench(clock, jobs, { run: endless });
    before.scheduler.start();
    await clock.advance(2000);
    return { clock, second, jobs, ...before };
  }

  test("by its schedule, as `misfire` says", async () => {
    for (const [misfire, expected] of [
      ["once", "ok"],
      ["skip", "missed"],
    ] as const) {
      const { clock, scheduler, database, jobs, states } = await stopped({ misfire });
      await scheduler.stop(AbortSignal.abort());
      await settle();
      expect(states("second")).toEqual(["05-01T08:00 due"]);
      clock.jumpTo("2026-05-01T12:00:00Z");
      const after = bench(clock, jobs, { database });
      after.scheduler.start();
      await clock.advance(1000);
      await after.scheduler.stop(patient);
      expect(after.states("second")).toEqual([`05-01T08:00 ${expected}`]);
      expect(after.sent.join().includes("second: 1 missed")).toBe(expected === "missed");
    }
  });

  test.each([
    ["a stop", true],
    ["a kill", false],
  ])(
    "for a webhook that was told it was started, with what it was sent, after %s",
    async (_, isStop) => {
      const { clock, scheduler, database, jobs, second } = await stopped({ schedule: "0 9 * * *" });
      expect(scheduler.trigger({ ...second, input: "the disk is full" }, "webhook")).toBe(true);
      await settle();
      if (isStop) await scheduler.stop(AbortSignal.abort());
      await settle();
      clock.jumpTo("2026-05-01T12:00:00Z");
      const inputs: unknown[] = [];
      const after = bench(clock, jobs, {
        database,
        run: async ({ name, input }) => {
          inputs.push([name, input]);
          return { state: "ok", output: "" };
        },
      });
      after.scheduler.start();
      await clock.advance(1000);
      await after.scheduler.stop(patient);
      expect(inputs).toEqual([
        ["second", "the disk is full"],
        ["second", undefined],
      ]);
      expect(after.states("second")).toEqual(["05-01T08:00 ok", "05-01T09:00 ok"]);
      expect(
        database.query("SELECT input FROM routine_runs WHERE input IS NOT NULL").all(),
      ).toEqual([]);
    },
  );

  test("and tells of a webhook whose routine was switched off meanwhile", async () => {
    const { clock, scheduler, database, jobs, second } = await stopped({ schedule: "0 9 * * *" });
    scheduler.trigger({ ...second, input: "x" }, "webhook");
    await scheduler.stop(AbortSignal.abort());
    await settle();
    const off = [...jobs.slice(0, 1), { ...second, enabled: false }];
    const after = bench(clock, off, { database });
    after.scheduler.start();
    await clock.advance(1000);
    await after.scheduler.stop(patient);
    expect(after.states("second")).toEqual(["05-01T08:00 missed"]);
    expect(after.sent.join()).toContain("second: 1 missed, the last at 2026-05-01 08:00");
  });

  test("also for files that were written just before", async () => {
    const { clock, scheduler, database, jobs, second } = await stopped({ schedule: "0 9 * * *" });
    scheduler.postpone(second, "files");
    await scheduler.stop(AbortSignal.abort());
    await settle();
    const after = bench(clock, jobs, { database });
    after.scheduler.start();
    await clock.advance(1000);
    await after.scheduler.stop(patient);
    expect(after.runs.list("second", 9).map(({ state, cause }) => [state, cause])).toEqual([
      ["ok", "files"],
    ]);
  });
});

test("createScheduler() runs none twice at once when the lid was closed in the middle", async () => {
  for (const cause of ["schedule", "manual", "webhook", "files"] as const) {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const job = routine({ schedule: "0 * * * *", misfire: "all" });
    const { scheduler, started, states } = bench(clock, [job], { run: endless });
    scheduler.start();
    await clock.advance(2000);
    clock.jumpTo("2026-05-01T11:30:00Z");
    if (cause === "schedule") await clock.advance(60_000);
    else expect(scheduler.trigger(job, cause)).toBe(false);
    expect(started).toHaveLength(1);
    expect(states()[0]).toBe("05-01T08:00 running");
    await scheduler.stop(AbortSignal.abort());
    await settle();
  }
});

test("createScheduler() makes up for the newest instant when a crash cut its catching up off", async () => {
  const clock = new FakeClock("2026-05-01T08:30:00Z");
  const jobs = [routine({ schedule: "0 * * * *", channel: "telegram", workspace: "one" })];
  const first = bench(clock, jobs);
  first.scheduler.start();
  await clock.advance(1000);
  await first.scheduler.stop(patient);
  const { database } = first;
  // Claimed at nine behind another one, and killed.
  first.runs.claim({
    routine: "hello",
    dues: [Date.parse("2026-05-01T09:00:00Z")],
    cause: "schedule",
    now: clock.now(),
    leaseUntil: clock.now() + HOUR,
  });
  clock.jumpTo("2026-05-01T12:30:00Z");
  const after = bench(clock, jobs, { database });
  after.scheduler.start();
  await clock.advance(1000);
  await after.scheduler.stop(patient);
  expect(after.started).toEqual(["hello 2026-05-01T12:00:00.000Z"]);
  expect(after.states()).toEqual([
    "05-01T09:00 missed",
    "05-01T10:00 missed",
    "05-01T11:00 missed",
    "05-01T12:00 ok",
  ]);
  expect(after.sent[0]).toContain("3 missed, the last at 2026-05-01 11:00; 1 run now");
});

test("createScheduler() claims again what could not begin, and tells the end that could not be written", async () => {
  const clock = new FakeClock("2026-05-01T07:59:30Z");
  const database = memoryStore();
  const refuse = (what: string) =>
    database.run(`CREATE TRIGGER full BEFORE UPDATE OF ${what} ON routine_runs
      WHEN NEW.state IN ('running', 'ok') BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
  const commit = createWriter(database, clock);
  const bare = createRoutineRuns(database, (write, signal) =>
    commit(write, { isLasting: true, ...(signal && { signal }) }),
  );
  const jobs = [routine({ channel: "telegram" })];
  const { scheduler, states, sent } = bench(clock, jobs, { database, runs: bare });
  refuse("started_at");
  scheduler.start();
  await clock.advance(31_000);
  expect(states()).toEqual(["05-01T08:00 due"]);
  database.run("DROP TRIGGER full");
  refuse("output");
  await clock.advance(300_000);
  expect([states(), sent]).toEqual([["05-01T08:00 running"], []]);
  database.run("DROP TRIGGER full");
  await clock.advance(1000);
  await scheduler.stop(patient);
  expect([states(), sent]).toEqual([["05-01T08:00 ok"], [expect.stringContaining("done")]]);
});
