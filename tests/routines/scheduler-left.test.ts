import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { RunOutcome } from "../../src/routines/run.ts";
import type { SchedulerDeps } from "../../src/routines/scheduler.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock, settle } from "./fake-clock.ts";

const HOUR = 3_600_000;
const AWAY = "telegram: Routines missed while papa-yu was not running:\n";

/** A run that lasts until it is ended. */
const endless: SchedulerDeps["run"] = (_routine, _dueAt, signal) =>
  new Promise<RunOutcome>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

describe("createScheduler() after a crash", () => {
  /** What a routine that runs every hour was due for at 9, 10 and 11; the run of 9 had begun. */
  async function crashed(misfire: "skip" | "once" | "all", until: string) {
    const clock = new FakeClock("2026-05-01T08:30:00Z");
    const job = { schedule: "0 * * * *", channel: "telegram" } as const;
    const jobs = [routine({ ...job, misfire: "all" })];
    const before = bench(clock, jobs);
    before.scheduler.start();
    await clock.advance(1000);
    await before.scheduler.stop(patient);
    clock.jumpTo("2026-05-01T11:30:00Z");
    const { database } = before;
    const dying = bench(clock, jobs, { database, run: () => new Promise(() => {}) });
    dying.scheduler.start();
    await clock.advance(1000);
    expect(dying.states()).toEqual(["05-01T09:00 running", "05-01T10:00 due", "05-01T11:00 due"]);
    const later = new FakeClock(until);
    const after = bench(later, [routine({ ...job, misfire })], { database });
    after.scheduler.start();
    await later.advance(1000);
    await after.scheduler.stop(patient);
    return after;
  }
  const UNKNOWN =
    "- hello: papa-yu stopped while it ran at 2026-05-01 09:00; check what it did, it is not run again";

  test("runs all that never began, in order", async () => {
    const { started, states, sent } = await crashed("all", "2026-05-01T11:31:00Z");
    expect(started).toEqual(["hello 2026-05-01T10:00:00.000Z", "hello 2026-05-01T11:00:00.000Z"]);
    expect(states()).toEqual(["05-01T09:00 unknown", "05-01T10:00 ok", "05-01T11:00 ok"]);
    expect(sent[0]).toBe(AWAY + UNKNOWN);
  });

  test("makes up for one and tells of the others", async () => {
    const { started, states, sent } = await crashed("once", "2026-05-01T11:31:00Z");
    expect(started).toEqual(["hello 2026-05-01T11:00:00.000Z"]);
    expect(states()).toEqual(["05-01T09:00 unknown", "05-01T10:00 missed", "05-01T11:00 ok"]);
    const missed = "- hello: 1 missed, the last at 2026-05-01 10:00; 1 run now";
    expect(sent[0]).toBe(`${AWAY}${UNKNOWN}\n${missed}`);
  });

  test("tells of all that is too late to be made up for", async () => {
    const { started, states, sent } = await crashed("skip", "2026-05-01T11:31:00Z");
    expect(started).toEqual([]);
    expect(states()).toEqual(["05-01T09:00 unknown", "05-01T10:00 missed", "05-01T11:00 missed"]);
    const missed = "- hello: 2 missed, the last at 2026-05-01 11:00";
    expect(sent).toEqual([`${AWAY}${UNKNOWN}\n${missed}`]);
  });
});

describe("Scheduler.settleDead()", () => {
  test("ends what a process ran by hand that was killed, at every look too, and no other", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const { scheduler, runs, database, states } = bench(clock, [routine()]);
    await using sleeper = Bun.spawn(["sleep", "600"]);
    const runnerOf = (pid: number) => {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
      return `${pid}-${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}-${boot}`;
    };
    scheduler.start();
    const put = database.query(`INSERT INTO routine_runs
      (routine, due_at, cause, state, delivery, lease_until, runner, started_at)
      VALUES ('hello', ?, 'manual', 'running', 'none', 9e15, ?, 1)`);
    put.run(clock.now() - 2, runnerOf(sleeper.pid));
    put.run(clock.now() - 1, "1-1-gone");
    scheduler.settleDead();
    expect(states()).toEqual(["05-01T06:59 running", "05-01T06:59 unknown"]);
    sleeper.kill("SIGKILL");
    await sleeper.exited;
    await clock.advance(61_000);
    expect(states()).toEqual(["05-01T06:59 unknown", "05-01T06:59 unknown"]);
    await scheduler.stop(patient);
    expect(runs.last("hello")?.error).toBe("papa-yu stopped while it ran");
  });
});

describe("createScheduler() goes on", () => {
  test("when nobody can be told what was missed", async () => {
    const clock = new FakeClock("2026-05-01T07:30:00Z");
    const jobs = [routine({ misfire: "skip", channel: "terminal" })];
    const { scheduler, logged, states } = bench(clock, jobs, {
      deliver: () => Promise.reject(new Error("nobody there")),
    });
    scheduler.start();
    await clock.advance(1000);
    clock.jumpTo("2026-05-01T12:00:00Z");
    await clock.advance(60_000);
    expect(states()).toEqual(["05-01T08:00 missed"]);
    expect(logged).toContain(
      'ROUTINE_DELIVERY_FAILED {"channel":"terminal","error":"nobody there"}',
    );
    await clock.advanceTo("2026-05-02T08:00:00Z");
    await scheduler.stop(patient);
    expect(states()).toEqual(["05-01T08:00 missed", "05-02T08:00 ok"]);
  });

  test("when the end of a run cannot be recorded, and says so once", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const { scheduler, database, logged } = bench(clock, [routine()], {
      async run() {
        await clock.sleep(5000);
        return { state: "ok", output: "" };
      },
    });
    scheduler.start();
    await clock.advance(62_000);
    expect(scheduler.status()[0]?.state).toBe("running");
    database.run("ALTER TABLE routine_runs RENAME TO away");
    await clock.advance(10_000);
    expect(logged.filter((line) => line.startsWith("ROUTINE_ERROR"))).toEqual([
      'ROUTINE_ERROR {"routine":"hello","error":"no such table: routine_runs"}',
    ]);
    expect(scheduler.status()[0]?.state).toBe("waiting");
    await scheduler.stop(patient);
  });

  test("without a word while its routines stay the same", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const { scheduler, logged } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(3 * HOUR);
    await scheduler.stop(patient);
    expect(logged.filter((line) => !line.startsWith("ROUTINE_DONE"))).toEqual([
      'ROUTINES_READ {"routines":1,"active":1}',
    ]);
  });

  test("when what it claims can be written, and not before", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const ready = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const { scheduler, started } = bench(clock, [routine()], {
      ready: (signal) => (signals.push(signal), ready.promise),
    });
    scheduler.start();
    await clock.advance(120_000);
    expect(started).toEqual([]);
    ready.resolve();
    await clock.advance(1000);
    expect(started).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(false);
    await scheduler.stop(patient);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("Scheduler.end()", () => {
  test("ends the run of a routine that is under way, and no other", async () => {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const jobs = [routine(), routine({ name: "other" })];
    const { scheduler, runs } = bench(clock, jobs, { run: endless });
    scheduler.start();
    expect(scheduler.end("hello")).toBe(false);
    await clock.advance(2000);
    expect(scheduler.end("hello")).toBe(true);
    await settle();
    expect(runs.last("hello")).toMatchObject({
      state: "unknown",
      error: "it was stopped while it ran",
    });
    expect(runs.last("other")?.state).toBe("running");
    expect(scheduler.end("hello")).toBe(false);
    await scheduler.stop(AbortSignal.abort());
    await settle();
    expect(runs.last("other")).toMatchObject({
      state: "unknown",
      error: "papa-yu stopped while it ran",
    });
  });
});

describe("Scheduler.trigger() for files that changed", () => {
  test("waits for the end of a run of the same routine, without a row", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const [job, other] = [routine(), routine({ name: "other" })];
    const { scheduler, runs } = bench(clock, [job, other], { run: endless });
    scheduler.start();
    expect(scheduler.trigger(job, "files")).toBe(true);
    await clock.advance(1000);
    expect(scheduler.trigger(job, "files")).toBe(false);
    expect(scheduler.trigger(other, "files")).toBe(true);
    expect(runs.list(undefined, 9).map((row) => `${row.routine} ${row.cause}`)).toEqual([
      "other files",
      "hello files",
    ]);
    await scheduler.stop(AbortSignal.abort());
  });
});
