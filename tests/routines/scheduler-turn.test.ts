import { describe, expect, test } from "bun:test";
import type { Routine } from "../../src/routines/routine.ts";
import type { SchedulerDeps } from "../../src/routines/scheduler.ts";
import { createRoutineTable } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { bench, patient, routine } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const MINUTE = 60_000;

describe("createScheduler(), when the turn of what was claimed comes,", () => {
  /** A long run of one routine, behind which another of its workspace waits while `change` is made. */
  async function waited(change: (it: Routine) => readonly Routine[]) {
    const clock = new FakeClock("2026-05-01T07:59:59Z");
    const first = routine({ name: "first", workspace: "one" });
    const second = routine({ workspace: "one", mode: "apply", channel: "telegram" });
    let jobs: readonly Routine[] = [first, second];
    const ran: Routine[] = [];
    const run: SchedulerDeps["run"] = async (it) => {
      ran.push(it);
      if (it.name !== "hello") await clock.sleep(MINUTE);
      return { state: "ok", output: "" };
    };
    const it = bench(clock, [], { routines: () => jobs, run });
    it.scheduler.start();
    await clock.advance(2000);
    expect(it.states()).toEqual(["05-01T08:00 due"]);
    jobs = [first, ...change(second)];
    it.scheduler.wake();
    await clock.advance(5 * MINUTE);
    await it.scheduler.stop(patient);
    return { ...it, ran: ran.filter(({ name }) => name === "hello") };
  }

  test.each<[string, (it: Routine) => readonly Routine[]]>([
    ["removed", () => []],
    ["switched off", (it) => [{ ...it, enabled: false }]],
    ["made one that cannot run", (it) => [{ ...it, schedule: "whenever" }]],
  ])("runs nothing of a routine that was %s meanwhile, and tells it", async (_what, change) => {
    const { ran, states, sent } = await waited(change);
    expect(ran).toEqual([]);
    expect(states()).toEqual(["05-01T08:00 skipped"]);
    expect(sent).toEqual([expect.stringContaining('Routine "hello" did not run: when its turn')]);
  });

  test("runs a routine as it is by then, in its workspace of then", async () => {
    const now = { mode: "ask", task: "Only look", workspace: "two" } as const;
    const { ran, states } = await waited((it) => [{ ...it, ...now }]);
    expect(ran).toEqual([expect.objectContaining(now)]);
    expect(states()).toEqual(["05-01T08:00 ok"]);
  });

  test("waits for the turn of the workspace that it has by then", async () => {
    const third = routine({ name: "third", workspace: "two", schedule: "30 0 8 * * *" });
    const { ran, runs } = await waited((it) => [third, { ...it, workspace: "two" }]);
    expect(ran).toHaveLength(1);
    const [ends, begins] = [runs.last("third")?.finishedAt, runs.last("hello")?.startedAt];
    expect(begins).toBeGreaterThanOrEqual(ends ?? Infinity);
  });
});

describe("createScheduler() after a kill", () => {
  const BODY = "a stranger's words";
  const hook = routine({ channel: "telegram", triggerSecret: "env:HOOK", schedule: "0 * * * *" });

  /** A database in which a webhook, or an instant, was claimed and never began. */
  async function killed(cause: "webhook" | "schedule") {
    const clock = new FakeClock("2026-05-01T08:59:30Z");
    const database = memoryStore();
    const busy = routine({ name: "busy", workspace: "one" });
    const job = { ...hook, workspace: "one" };
    const run = () => new Promise<never>(() => {});
    const before = bench(clock, [busy, job], { database, run });
    before.scheduler.start();
    await clock.advance(1000);
    before.scheduler.trigger(busy, "webhook");
    if (cause === "webhook") before.scheduler.trigger({ ...job, input: BODY }, cause);
    else await clock.advance(MINUTE);
    expect(before.runs.last("hello")).toMatchObject({ state: "due", cause });
    return database;
  }

  test.each(["webhook", "schedule"] as const)(
    "drops for good what a %s made due of a routine that is off at the start, or gone",
    async (cause) => {
      for (const start of [[{ ...hook, enabled: false }], []]) {
        const database = await killed(cause);
        const clock = new FakeClock("2026-05-01T09:02:00Z");
        let jobs: readonly Routine[] = start;
        const inputs: unknown[] = [];
        const run: SchedulerDeps["run"] = async ({ input }) => {
          inputs.push(input);
          return { state: "ok", output: "" };
        };
        const after = bench(clock, [], { database, routines: () => jobs, run });
        after.scheduler.start();
        await clock.advance(2000);
        jobs = [{ ...hook, task: "another one" }];
        after.scheduler.wake();
        await clock.advance(MINUTE);
        expect(inputs).toEqual([]);
        expect(after.states()).toEqual([expect.stringContaining("missed")]);
        const rest = database.query(
          "SELECT count(*) AS n FROM routine_runs WHERE input IS NOT NULL",
        );
        expect(rest.get()).toEqual({ n: 0 });
        await after.scheduler.stop(patient);
      }
    },
  );

  test("gives a routine that is added anew nothing that the removed one of its name was sent", async () => {
    const database = await killed("webhook");
    const table = createRoutineTable(database);
    table.add({ name: "hello", jobJson: "{}" }, 1);
    table.remove("hello");
    const clock = new FakeClock("2026-05-01T09:02:00Z");
    const after = bench(clock, [{ ...hook, schedule: "0 8 1 1 *" }], { database });
    after.scheduler.start();
    await clock.advance(2000);
    await after.scheduler.stop(patient);
    expect(after.started).toEqual([]);
    expect(after.runs.last("hello")).toMatchObject({
      state: "skipped",
      error: "the routine was removed",
    });
  });
});
