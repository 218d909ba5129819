import { describe, expect, test } from "bun:test";
import type { Routine } from "../../src/routines/routine.ts";
import type { RunOutcome } from "../../src/routines/run.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FAILED: RunOutcome = { state: "failed", output: "", error: "no network" };
const OK: RunOutcome = { state: "ok", output: "done" };

describe("createScheduler() tries again", () => {
  test("what did nothing yet, with growing pauses, and runs it once in the log", async () => {
    const left: RunOutcome[] = [
      { ...FAILED, isRetryable: true },
      { ...FAILED, isRetryable: true },
      OK,
    ];
    const { started, states, sent } = await daily(1, () => left.shift() ?? FAILED);
    expect(started).toHaveLength(3);
    expect(states()).toEqual(["05-01T08:00 ok"]);
    expect(sent).toEqual(['telegram: Routine "hello"\ndone']);
  });

  test("three times at most, and never what may have done something", async () => {
    expect((await daily(1, () => ({ ...FAILED, isRetryable: true }))).started).toHaveLength(4);
    expect((await daily(1, () => FAILED)).started).toHaveLength(1);
  });
});

describe("createScheduler() switches off", () => {
  test("after ten failures in a row, with one message", async () => {
    const { sent, logged, started } = await daily(12, () => FAILED);
    expect(logged[0]).toBe("OFF hello: it failed 10 times in a row");
    expect(started.length).toBe(10);
    expect(sent).toEqual([
      expect.stringContaining("failed: no network"),
      expect.stringContaining("is switched off: it failed 10 times in a row"),
    ]);
  });

  test("not when a good run or an enabling came in between", async () => {
    let day = 0;
    const mixed = await daily(15, () => (++day === 8 ? OK : FAILED));
    expect(mixed.logged.filter((line) => line.startsWith("OFF"))).toEqual([]);
    const countsSince = Date.parse("2026-05-08T12:00:00Z");
    const enabled = await daily(15, () => FAILED, { countsSince });
    expect(enabled.logged.filter((line) => line.startsWith("OFF"))).toEqual([]);
  });
});

describe("createScheduler() keeps the cap", () => {
  test("of runs a day: more are skipped with the reason and reported once", async () => {
    const caps = { runs: 2, tokens: 0, cost: 0 };
    const { states, sent, runs } = await daily(2, () => OK, { schedule: "0 */6 * * *", caps });
    const first = states().filter((line) => line.startsWith("05-01"));
    expect(first).toEqual(["05-01T06:00 ok", "05-01T12:00 ok", "05-01T18:00 skipped"]);
    expect(sent.filter((line) => line.includes("did not run: max_runs_per_day = 2"))).toHaveLength(
      2,
    );
    expect(runs.last("hello")?.error).toBeNull();
  });

  test("of tokens and cost: a refusal of the budget is a skipped run, reported once a day", async () => {
    const over: RunOutcome = {
      state: "skipped",
      output: "",
      error: "no tokens left",
      isCapped: true,
    };
    const { states, sent } = await daily(2, () => over, { schedule: "0 */6 * * *" });
    expect(new Set(states().map((line) => line.slice(12)))).toEqual(new Set(["skipped"]));
    expect(sent).toHaveLength(3); // the first of May, the second, and midnight of the third
  });
});

describe("createScheduler() tells", () => {
  test("all that was missed in one message a channel, with what is made up for", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const jobs = [
      routine({ channel: "telegram", timezone: "Europe/Berlin" }),
      routine({ name: "late", channel: "telegram", misfire: "skip" }),
      routine({ name: "silent", misfire: "skip" }),
    ];
    const before = bench(clock, jobs);
    before.scheduler.start();
    await clock.advance(60_000);
    await before.scheduler.stop(patient);
    clock.jumpTo("2026-05-04T12:00:00Z");
    const after = bench(clock, jobs, { database: before.database });
    after.scheduler.start();
    await clock.advance(60_000);
    await after.scheduler.stop(patient);
    expect(after.sent[0]).toBe(
      "telegram: Routines missed while papa-yu was not running:\n" +
        "- hello: 2 missed, the last at 2026-05-03 08:00; 1 run now\n" +
        "- late: 4 missed, the last at 2026-05-04 08:00",
    );
    expect(after.sent.slice(1)).toEqual(['telegram: Routine "hello"\ndone']);
  });

  test("of nothing made up for that could not be started", async () => {
    const clock = new FakeClock("2026-05-01T08:00:30Z");
    const job = routine({ schedule: "* * * * *", channel: "telegram" });
    const { scheduler, sent, states } = bench(clock, [job], { run: () => new Promise(() => {}) });
    scheduler.start();
    await clock.advance(60_000);
    clock.jumpTo("2026-05-01T08:05:30Z");
    await clock.advance(60_000);
    expect(sent).toEqual([
      "telegram: Routines missed while papa-yu was not running:\n" +
        "- hello: 4 missed, the last at 2026-05-01 08:05",
    ]);
    expect(states().at(-1)).toBe("05-01T08:06 skipped");
    await scheduler.stop(AbortSignal.abort());
  });

  test("of a run that a crash left in doubt", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const jobs = [routine({ channel: "telegram" })];
    const crashed = bench(clock, jobs, { run: () => new Promise(() => {}) });
    crashed.scheduler.start();
    await clock.advance(120_000);
    const later = new FakeClock("2026-05-01T08:01:30Z");
    const after = bench(later, jobs, { database: crashed.database, texts: () => textsIn("ru") });
    after.scheduler.start();
    await later.advance(1000);
    await after.scheduler.stop(patient);
    expect(after.sent).toEqual([
      expect.stringContaining("hello: papa-yu остановился во время запуска 2026-05-01 08:00"),
    ]);
  });
});

describe("Scheduler.wake()", () => {
  test("takes over what was added, changed and removed", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    let jobs: readonly Routine[] = [];
    const { scheduler, started } = bench(clock, [], { routines: () => jobs });
    scheduler.start();
    await clock.advance(1000);
    jobs = [routine({ schedule: "0 9 * * *" })];
    scheduler.wake();
    await clock.advance(1000);
    expect(scheduler.status()[0]?.next_at).toBe("2026-05-01T09:00:00.000Z");
    jobs = [routine({ schedule: "30 7 * * *" })];
    scheduler.wake();
    await clock.advance(HOUR);
    jobs = [];
    scheduler.wake();
    await clock.advance(2 * DAY);
    await scheduler.stop(patient);
    expect(started).toEqual(["hello 2026-05-01T07:30:00.000Z"]);
  });
});

describe("Scheduler.trigger()", () => {
  test("runs a routine now, not concurrently with itself, and not after a stop", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const job = routine();
    const { scheduler, runs } = bench(clock, [job], {
      async run() {
        await clock.sleep(5000);
        return OK;
      },
    });
    scheduler.start();
    expect(scheduler.trigger(job, "webhook")).toBe(true);
    await clock.advance(1000);
    expect(scheduler.trigger(job, "webhook")).toBe(false);
    await clock.advance(10_000);
    expect(runs.list("hello", 9).map(({ state, cause }) => `${state} ${cause}`)).toEqual([
      "skipped webhook",
      "ok webhook",
    ]);
    await scheduler.stop(patient);
    expect(scheduler.trigger(job, "webhook")).toBe(false);
  });
});

/** A routine that runs for some days, with messages to Telegram; switched off it stays off. */
async function daily(days: number, next: () => RunOutcome, change: Partial<Routine> = {}) {
  const clock = new FakeClock("2026-05-01T00:00:00Z");
  let enabled = true;
  const off: string[] = [];
  const result = bench(clock, [], {
    routines: () => [routine({ channel: "telegram", ...change, enabled })],
    switchOff(name, reason) {
      enabled = false;
      off.push(`OFF ${name}: ${reason}`);
    },
    run: async () => next(),
  });
  result.scheduler.start();
  await clock.advance(days * DAY);
  await result.scheduler.stop(patient);
  return { ...result, logged: off };
}
