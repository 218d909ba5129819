import { expect, test } from "bun:test";
import { createCatalog } from "../../src/routines/catalog.ts";
import { createRoutineTable } from "../../src/store/routines/routines.ts";
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
  const { scheduler, sent } = bench(clock, [], {
    database,
    routines: () => catalog.list(),
    switchOff: (off, reason) => void catalog.turn(off, false, reason),
    run: async () => ({ state: "failed", output: "", error: "no network" }),
  });
  scheduler.start();
  await clock.advanceTo("2026-05-09T12:00:00Z");
  await become({ catalog, job, jobs, pass: () => clock.advance(120_000) });
  sent.length = 0;
  await clock.advanceTo("2026-05-11T12:00:00Z");
  await scheduler.stop(patient);
  return sent.map((text) => text.split("\n")[0]);
}

interface World {
  readonly catalog: ReturnType<typeof createCatalog>;
  readonly job: Readonly<Record<string, unknown>>;
  readonly jobs: ReturnType<typeof entry>[];
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
  expect(told).toEqual([expect.stringContaining("is switched off")]);
});
