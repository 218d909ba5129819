import { expect, test } from "bun:test";
import { createCatalog } from "../../src/routines/catalog.ts";
import { createRoutineTable, type RoutineRuns } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { bench, patient, routine, toJob } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

/** As it stands in a configuration. */
function entry() {
  return { ...toJob(routine({ channel: "telegram" })), timezone: "UTC", workspace: "" };
}

/** Fails on nine days, becomes another one, and fails on: what was told of each, and how often switched off. */
async function failing(place: "added" | "config", become: (world: World) => Promise<unknown>) {
  const clock = new FakeClock("2026-05-01T07:00:00Z");
  const database = memoryStore();
  const own = entry();
  const { name, schedule, timezone, mode, task } = own;
  const job = { name, schedule, timezone, mode, task, channel: "telegram" };
  const jobs = place === "config" ? [own] : [];
  const catalog = createCatalog({
    config: () => ({ routines: { jobs }, workspaces: [] }),
    table: createRoutineTable(database),
    now: () => clock.now(),
  });
  if (place === "added") await catalog.add(job);
  const { scheduler, sent, logged, runs } = bench(clock, [], {
    database,
    routines: () => catalog.list(),
    switchOff: (off, reason) => void catalog.turn(off, false, reason),
    run: async () => ({ state: "failed", output: "", error: "no network" }),
  });
  scheduler.start();
  await clock.advanceTo("2026-05-09T12:00:00Z");
  await become({ catalog, job, jobs, runs, pass: () => clock.advance(120_000) });
  sent.length = 0;
  await clock.advanceTo("2026-05-11T12:00:00Z");
  await scheduler.stop(patient);
  const isSwitchedOff = (line: string) => line.startsWith("ROUTINE_SWITCHED_OFF");
  return [...sent.map((text) => text.split("\n")[0]), ...logged.filter(isSwitchedOff)];
}

interface World {
  readonly catalog: ReturnType<typeof createCatalog>;
  readonly job: Readonly<Record<string, unknown>>;
  readonly jobs: ReturnType<typeof entry>[];
  readonly runs: RoutineRuns;
  readonly pass: () => Promise<void>;
}

const ONCE = ['telegram: Routine "hello" failed: no network'];

test("a routine of the same name, added anew, begins with no failures", async () => {
  const told = await failing("added", async ({ catalog, job }) => {
    catalog.remove("hello");
    await catalog.add(job);
  });
  expect(told).toEqual(ONCE);
});

test("one that was changed begins with no failures", async () => {
  const told = await failing("added", async ({ catalog }) => {
    const changes = await catalog.changes();
    await changes.change("hello", { task: "Say goodbye" }, changes.entry("hello").mark);
  });
  expect(told).toEqual(ONCE);
});

test("one that was enabled tells its first failure", async () => {
  const told = await failing("config", async ({ catalog }) => catalog.turn("hello", true));
  expect(told).toEqual(ONCE);
});

test("one of config.toml that was away meanwhile begins with no failures", async () => {
  const told = await failing("config", async ({ jobs, pass }) => {
    const away = jobs.splice(0);
    await pass();
    jobs.push(...away);
    await pass();
  });
  expect(told).toEqual(ONCE);
});

test("one that is as it was goes on being silent, and is switched off", async () => {
  const told = await failing("config", async () => {});
  expect(told).toEqual([
    expect.stringContaining("is switched off"),
    'ROUTINE_SWITCHED_OFF {"routine":"hello","failures":10}',
  ]);
});

test("a good run by hand ends no row of failures", async () => {
  const told = await failing("added", async ({ runs }) => {
    const now = Date.parse("2026-05-09T12:00:00Z");
    runs.claim({ routine: "hello", dues: [now], cause: "manual", now, leaseUntil: now + 1 });
    runs.begin("hello", now, now, now + 1);
    await runs.finish("hello", now, now, { state: "ok", delivery: "none", output: "" });
  });
  expect(told).toEqual([
    expect.stringContaining("is switched off: it failed 10 times"),
    expect.stringContaining("ROUTINE_SWITCHED_OFF"),
  ]);
});

test("a failure by hand is no failure of the schedule, whose first one is told", async () => {
  const clock = new FakeClock("2026-05-01T07:00:00Z");
  const { scheduler, sent, runs } = bench(clock, [routine({ channel: "telegram" })], {
    run: async () => ({ state: "failed", output: "", error: "no network" }),
  });
  scheduler.start();
  await clock.advance(1000);
  const now = clock.now();
  runs.claim({ routine: "hello", dues: [now], cause: "manual", now, leaseUntil: now + 1 });
  await runs.finish("hello", now, now, { state: "failed", delivery: "none", output: "" });
  await clock.advanceTo("2026-05-01T08:30:00Z");
  await scheduler.stop(patient);
  expect(sent).toEqual([expect.stringContaining('Routine "hello" failed: no network')]);
  expect(runs.failuresInARow("hello", 0)).toBe(1);
});

test("one that is added under the name of an entry of config.toml that was switched off is on", async () => {
  const jobs = [entry()];
  const catalog = createCatalog({
    config: () => ({ routines: { jobs }, workspaces: [] }),
    table: createRoutineTable(memoryStore()),
    now: () => 1,
  });
  catalog.turn("hello", false, "it failed 10 times in a row");
  jobs.length = 0;
  const { name, schedule, mode, task } = entry();
  expect((await catalog.add({ name, schedule, mode, task })).enabled).toBe(true);
});
