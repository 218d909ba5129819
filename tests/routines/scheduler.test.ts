import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { tempDir } from "../support/temp.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const HOUR = 3_600_000;

describe("createScheduler() runs", () => {
  test("what came due in a month of three zones, as an independent look at every minute says", async () => {
    const clock = new FakeClock("2026-03-01T00:00:00Z");
    const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata"];
    const jobs = zones.map((timezone) =>
      routine({ name: timezone, timezone, schedule: "30 2 * * *" }),
    );
    const { scheduler, started } = bench(clock, jobs);
    scheduler.start();
    await clock.advanceTo("2026-04-01T00:00:00Z");
    await scheduler.stop(patient);
    const expected = zones.flatMap((zone) =>
      halfPastTwo(zone, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z").map(
        (at) => `${zone} ${at}`,
      ),
    );
    expect(started.toSorted()).toEqual(expected.toSorted());
    expect(started).toHaveLength(93);
    expect(started).toContain("Europe/Berlin 2026-03-29T01:00:00.000Z");
    expect(started).toContain("America/New_York 2026-03-08T07:00:00.000Z");
  });

  test("a repeated hour once", async () => {
    const clock = new FakeClock("2026-10-24T12:00:00Z");
    const job = routine({ timezone: "Europe/Berlin", schedule: "30 2 * * *" });
    const { scheduler, started } = bench(clock, [job]);
    scheduler.start();
    await clock.advanceTo("2026-10-26T12:00:00Z");
    await scheduler.stop(patient);
    expect(started).toEqual(["hello 2026-10-25T00:30:00.000Z", "hello 2026-10-26T01:30:00.000Z"]);
  });

  test("on the second, and records start, end, state and output", async () => {
    const clock = new FakeClock("2026-05-01T07:59:30.500Z");
    const { scheduler, runs } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(HOUR);
    await scheduler.stop(patient);
    const eight = Date.parse("2026-05-01T08:00:00Z");
    expect(runs.last("hello")).toEqual({
      routine: "hello",
      dueAt: eight,
      cause: "schedule",
      startedAt: eight,
      finishedAt: eight,
      state: "ok",
      delivery: "none",
      output: "done",
      error: null,
    });
  });

  test("nothing that was due before a routine was first seen, enabled or given its schedule", async () => {
    const clock = new FakeClock("2026-05-01T12:00:00Z");
    const first = bench(clock, [routine({ misfire: "all" })]);
    first.scheduler.start();
    await clock.advance(HOUR);
    await first.scheduler.stop(patient);
    expect(first.states()).toEqual([]);

    const { database } = first;
    const off = bench(clock, [routine({ misfire: "all", enabled: false })], { database });
    off.scheduler.start();
    await off.scheduler.stop(patient);
    clock.jumpTo("2026-05-05T12:00:00Z");
    const on = bench(clock, [routine({ misfire: "all" })], { database });
    on.scheduler.start();
    await clock.advance(HOUR);
    await on.scheduler.stop(patient);
    expect(on.states()).toEqual([]);

    clock.jumpTo("2026-05-06T07:00:00Z");
    const moved = routine({ misfire: "all", schedule: "0 * * * *" });
    const hourly = bench(clock, [moved], { database });
    hourly.scheduler.start();
    await clock.advance(HOUR);
    await hourly.scheduler.stop(patient);
    expect(hourly.states()).toEqual(["05-06T08:00 ok"]);
  });

  test("each instant once with two schedulers on one database file", async () => {
    using dir = tempDir();
    const clock = new FakeClock("2026-05-01T00:00:00Z");
    const jobs = [routine({ schedule: "*/10 * * * *" })];
    const [one, two] = ["a", "b"].map(() =>
      bench(clock, jobs, { database: openStore(join(dir.path, "state.db")), shared: true }),
    );
    if (one === undefined || two === undefined) throw new Error("two benches were made");
    one.scheduler.start();
    two.scheduler.start();
    await clock.advance(6 * HOUR);
    await Promise.all([one.scheduler.stop(patient), two.scheduler.stop(patient)]);
    const started = [...one.started, ...two.started];
    expect(started).toHaveLength(36);
    expect(new Set(started).size).toBe(36);
    expect(one.states()).toHaveLength(36);
  });

  test("no instant twice when the clock goes backwards, and goes on with the next", async () => {
    const clock = new FakeClock("2026-05-01T07:30:00Z");
    const { scheduler, started } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(HOUR);
    clock.jumpTo("2026-05-01T07:55:00Z");
    await clock.advance(HOUR);
    await clock.advanceTo("2026-05-02T08:30:00Z");
    await scheduler.stop(patient);
    expect(started).toEqual(["hello 2026-05-01T08:00:00.000Z", "hello 2026-05-02T08:00:00.000Z"]);
  });

  test("as if nothing had been when the clock was a month ahead at the start", async () => {
    const clock = new FakeClock("2026-05-01T07:30:00Z");
    const { scheduler, states, database } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(HOUR);
    clock.jumpTo("2026-05-31T12:00:00Z");
    await clock.advance(HOUR);
    expect(states()).toHaveLength(31);
    clock.jumpTo("2026-05-01T12:00:00Z");
    await clock.advance(HOUR);
    await scheduler.stop(patient);
    const after = bench(clock, [routine()], { database });
    after.scheduler.start();
    await clock.advanceTo("2026-05-03T12:00:00Z");
    await after.scheduler.stop(patient);
    expect(after.started).toEqual([
      "hello 2026-05-02T08:00:00.000Z",
      "hello 2026-05-03T08:00:00.000Z",
    ]);
  });
});

describe("createScheduler() after downtime", () => {
  test("skip records what was missed", async () => {
    expect(await downtime("skip")).toEqual([
      "05-01T08:00 ok",
      "05-02T08:00 missed",
      "05-03T08:00 missed",
      "05-04T08:00 missed",
    ]);
  });

  test("once runs the newest and records the others", async () => {
    expect(await downtime("once")).toEqual([
      "05-01T08:00 ok",
      "05-02T08:00 missed",
      "05-03T08:00 missed",
      "05-04T08:00 ok",
    ]);
  });

  test("all runs every one in order", async () => {
    expect(await downtime("all")).toEqual([
      "05-01T08:00 ok",
      "05-02T08:00 ok",
      "05-03T08:00 ok",
      "05-04T08:00 ok",
    ]);
  });

  test("notices a suspend within a minute", async () => {
    const clock = new FakeClock("2026-05-01T07:00:00Z");
    const { scheduler, states } = bench(clock, [routine()]);
    scheduler.start();
    await clock.advance(10_000);
    clock.jumpTo("2026-05-02T12:00:00Z");
    await clock.advance(60_000);
    await scheduler.stop(patient);
    expect(states()).toEqual(["05-01T08:00 missed", "05-02T08:00 ok"]);
  });

  test("runs what a webhook was told was started, and leaves it alone before", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const second = routine({ name: "second", workspace: "sample", schedule: "0 9 * * *" });
    const jobs = [routine({ workspace: "sample" }), second];
    const crashed = bench(clock, jobs, { run: () => new Promise(() => {}) });
    crashed.scheduler.start();
    await clock.advance(90_000);
    expect(crashed.scheduler.trigger(second, "webhook")).toBe(true);
    expect(crashed.states("second")).toEqual(["05-01T08:00 due"]);
    // It waits for its turn under a lease: another scheduler leaves it alone.
    const beside = { database: crashed.database, shared: true };
    const other = bench(new FakeClock("2026-05-01T08:01:00Z"), jobs, beside);
    other.scheduler.start();
    await other.scheduler.stop(patient);
    expect(other.states("second")).toEqual(["05-01T08:00 due"]);
    const later = new FakeClock("2026-05-01T08:01:30Z");
    const after = bench(later, jobs, { database: crashed.database });
    after.scheduler.start();
    await later.advance(60_000);
    await after.scheduler.stop(patient);
    expect(after.states("second")).toEqual(["05-01T08:00 ok"]);
    expect(after.started).toEqual(["second 2026-05-01T08:00:30.000Z"]);
  });

  test("notices on the way that another scheduler on its database is dead", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const crashed = bench(clock, [routine()], { run: () => new Promise(() => {}) });
    crashed.scheduler.start();
    await clock.advance(90_000);
    const later = new FakeClock("2026-05-01T08:00:30Z");
    const other = bench(later, [routine()], { database: crashed.database, shared: true });
    other.scheduler.start();
    await later.advance(60_000);
    expect(other.states()).toEqual(["05-01T08:00 running"]);
    await later.advance(12 * HOUR);
    expect(other.states()).toEqual(["05-01T08:00 unknown"]);
    await other.scheduler.stop(patient);
  });

  test("marks a begun run that a crash left as unknown and runs what had not begun", async () => {
    const clock = new FakeClock("2026-05-01T07:59:00Z");
    const jobs = [
      routine({ workspace: "sample" }),
      routine({ name: "second", workspace: "sample" }),
    ];
    const crashed = bench(clock, jobs, { run: () => new Promise(() => {}) });
    crashed.scheduler.start();
    await clock.advance(2 * 60_000);
    expect(crashed.states()).toEqual(["05-01T08:00 running"]);
    expect(crashed.states("second")).toEqual(["05-01T08:00 due"]);

    const later = new FakeClock("2026-05-01T08:01:30Z");
    const after = bench(later, jobs, { database: crashed.database });
    after.scheduler.start();
    expect(after.states()).toEqual(["05-01T08:00 unknown"]);
    const dueAt = '"due_at":"2026-05-01T08:00:00.000Z"';
    expect(after.logged.filter((line) => line.startsWith("ROUTINE_LEFT_BY_CRASH"))).toEqual([
      `ROUTINE_LEFT_BY_CRASH {"routine":"hello",${dueAt},"state":"unknown"}`,
      `ROUTINE_LEFT_BY_CRASH {"routine":"second",${dueAt},"state":"missed"}`,
    ]);
    await later.advance(HOUR);
    await after.scheduler.stop(patient);
    expect(after.started).toEqual(["second 2026-05-01T08:00:00.000Z"]);
    expect(after.states("second")).toEqual(["05-01T08:00 ok"]);
  });
});

/** By looking every five minutes: the first of each day at which it is 02:30 or later. */
function halfPastTwo(timeZone: string, from: string, until: string): string[] {
  const options = { timeZone, dateStyle: "short", timeStyle: "short" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", options);
  const found = new Map<string, number>();
  for (let at = Date.parse(from); at < Date.parse(until); at += 5 * 60_000) {
    const [day = "", time = ""] = format.format(at).split(" ");
    if (time >= "02:30" && !found.has(day)) found.set(day, at);
  }
  // On the first day it may have been later already.
  const instants = [...found.values()].filter((at) => at > Date.parse(from));
  return instants.map((at) => new Date(at).toISOString());
}

/** The states of three days, of which two and a half were spent stopped. */
async function downtime(misfire: "skip" | "once" | "all") {
  const clock = new FakeClock("2026-05-01T07:00:00Z");
  const before = bench(clock, [routine({ misfire })]);
  before.scheduler.start();
  await clock.advance(2 * HOUR);
  await before.scheduler.stop(patient);
  clock.jumpTo("2026-05-04T12:00:00Z");
  const after = bench(clock, [routine({ misfire })], { database: before.database });
  after.scheduler.start();
  await clock.advance(HOUR);
  await after.scheduler.stop(patient);
  return after.states();
}
