import { describe, expect, test } from "bun:test";
import type { RunOutcome } from "../../src/routines/run.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock, settle } from "./fake-clock.ts";

const HOUR = 3_600_000;

describe("createScheduler() keeps apart", () => {
  test("a run from the next of the same routine, which is skipped and recorded", async () => {
    const clock = new FakeClock("2026-05-01T08:00:30Z");
    const { scheduler, states } = bench(clock, [routine({ schedule: "* * * * *" })], {
      async run() {
        await clock.sleep(150_000);
        return { state: "ok", output: "" };
      },
    });
    scheduler.start();
    await clock.advance(6.25 * 60_000);
    await scheduler.stop(patient);
    expect(states()).toEqual([
      "05-01T08:01 ok",
      "05-01T08:02 skipped",
      "05-01T08:03 skipped",
      "05-01T08:04 ok",
      "05-01T08:05 skipped",
      "05-01T08:06 skipped",
    ]);
  });

  test("two routines on one workspace, but not those on another or none", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const events: string[] = [];
    const jobs = [
      routine({ name: "a", workspace: "one" }),
      routine({ name: "b", workspace: "one" }),
      routine({ name: "c", workspace: "two" }),
      routine({ name: "d" }),
      routine({ name: "e" }),
    ];
    const { scheduler } = bench(clock, jobs, {
      async run({ name }) {
        events.push(`${name} starts`);
        await clock.sleep(1000);
        events.push(`${name} ends`);
        return { state: "ok", output: "" };
      },
    });
    scheduler.start();
    await clock.advance(120_000);
    await scheduler.stop(patient);
    expect(events.slice(0, 4).toSorted()).toEqual(["a", "c", "d", "e"].map((it) => `${it} starts`));
    expect(events.indexOf("b starts")).toBeGreaterThan(events.indexOf("a ends"));
    expect(events).toHaveLength(10);
  });

  test("an invalid routine and a second one of a name from the others, with the reason", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const jobs = [
      routine({ name: "bad", schedule: "whenever" }),
      routine(),
      routine({ schedule: "30 8 * * *" }),
      routine({ name: "off", enabled: false }),
    ];
    const { scheduler, started, logged } = bench(clock, jobs);
    scheduler.start();
    await clock.advance(HOUR);
    expect(started).toEqual(["hello 2026-05-01T08:00:00.000Z"]);
    const invalid = logged.filter((line) => line.startsWith("ROUTINE_INVALID"));
    expect(invalid.map((line) => line.replace(/"reason":".*"\}/u, ""))).toEqual([
      'ROUTINE_INVALID {"routine":"bad",',
      'ROUTINE_INVALID {"routine":"hello",',
    ]);
    expect(logged).toContain('ROUTINES_READ {"routines":4,"active":1}');
    expect(scheduler.status()).toMatchObject([
      { name: "bad", next_at: null, state: "invalid", reason: expect.stringContaining("whenever") },
      { name: "hello", next_at: "2026-05-02T08:00:00.000Z", state: "waiting" },
      { name: "hello", state: "invalid", reason: expect.stringContaining("twice") },
      { name: "off", next_at: null, state: "disabled" },
    ]);
    await scheduler.stop(patient);
  });

  test("why papa-yu switched a routine off from one that its owner left off", () => {
    const jobs = [
      routine({ name: "off", enabled: false }),
      routine({ name: "failed", enabled: false, offReason: "it failed 10 times" }),
    ];
    const { scheduler } = bench(new FakeClock("2026-05-01T07:59:00Z"), jobs);
    expect(scheduler.status()).toEqual([
      { name: "off", next_at: null, state: "disabled" },
      { name: "failed", next_at: null, state: "disabled", reason: "it failed 10 times" },
    ]);
  });

  test("trouble with the database from the loop, which tries again", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const { scheduler, database, states, logged } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(1000);
    database.run("ALTER TABLE routine_runs RENAME TO away");
    await clock.advance(60_000);
    database.run("ALTER TABLE away RENAME TO routine_runs");
    await clock.advance(60_000);
    await scheduler.stop(patient);
    expect(logged.filter((line) => line.startsWith("ROUTINE_ERROR"))).toEqual([
      'ROUTINE_ERROR {"routine":"","error":"no such table: routine_runs"}',
      'ROUTINE_ERROR {"routine":"hello","error":"no such table: routine_runs"}',
    ]);
    expect(states()).toEqual(["05-01T08:00 ok"]);
  });
});

describe("createScheduler().stop() ends", () => {
  test("its waiting for a run that finishes in time", async () => {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const { scheduler, states } = bench(clock, [routine()], {
      async run() {
        await clock.sleep(5000);
        return { state: "ok", output: "" };
      },
    });
    scheduler.start();
    await clock.advance(2000);
    expect(scheduler.status()[0]?.state).toBe("running");
    const stopped = scheduler.stop(patient);
    await clock.advance(10_000);
    await stopped;
    expect(states()).toEqual(["05-01T08:00 ok"]);
  });

  test("its waiting when told to; the run is unknown and what waited stays due", async () => {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const jobs = [routine({ workspace: "one" }), routine({ name: "second", workspace: "one" })];
    const { scheduler, states, sent } = bench(clock, jobs, {
      run: (_routine, _dueAt, signal) =>
        new Promise<RunOutcome>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    scheduler.start();
    await clock.advance(2000);
    const hurry = new AbortController();
    const stopped = scheduler.stop(hurry.signal);
    await settle();
    expect(states()).toEqual(["05-01T08:00 running"]);
    hurry.abort(new Error("ten seconds are over"));
    await stopped;
    await settle();
    expect(states()).toEqual(["05-01T08:00 unknown"]);
    expect(states("second")).toEqual(["05-01T08:00 due"]);
    expect(sent).toEqual([]);
  });

  test("at once when it never started anything", async () => {
    const { scheduler } = bench(new FakeClock("2026-05-01T07:00:00Z"), []);
    scheduler.start();
    await scheduler.stop(patient);
    expect(scheduler.status()).toEqual([]);
  });
});
