import { beforeEach, describe, expect, test } from "bun:test";
import {
  type RoutineCommand,
  routineList,
  routineLogs,
  routineRun,
} from "../../src/cli/routine/routine.ts";
import { errorMessage } from "../../src/core/app-error.ts";
import type { Routine } from "../../src/routines/routine.ts";
import type { RoutineServiceDeps } from "../../src/routines/routine-service.ts";
import type { RunOutcome } from "../../src/routines/run.ts";
import { createRoutineRuns, type RoutineRuns } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { routineService } from "../support/routine-service.ts";
import { patient, routine, toJob } from "./bench.ts";
import { FakeClock } from "./fake-clock.ts";

const EIGHT = Date.parse("2026-05-01T08:00:00Z");
const ROUTINES = [
  routine(),
  routine({ name: "off", enabled: false }),
  routine({ name: "bad", schedule: "x" }),
];
const DONE = { state: "ok", output: "" } as const;
let printed: string[];
let noted: string[];
let clock: FakeClock;
let runs: RoutineRuns;
let command: RoutineCommand;

beforeEach(() => {
  clock = new FakeClock("2026-05-01T12:00:00Z");
  runs = createRoutineRuns(memoryStore());
  printed = [];
  noted = [];
  command = open(ROUTINES, async () => DONE);
});

/** The commands on these routines, each of which comes to what `perform` gives. */
function open(
  routines: readonly Routine[],
  perform: RoutineServiceDeps["perform"],
): RoutineCommand {
  const service = routineService(routines.map(toJob), { clock, runs, perform });
  return {
    routines: service,
    json: true,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  };
}

function addRun(output: string, at = EIGHT): void {
  const claim = { routine: "hello", dues: [at], cause: "schedule", now: at } as const;
  runs.claim({ ...claim, leaseUntil: at + 1 });
  runs.begin("hello", at, at, at + 1);
  void runs.finish("hello", at, at + 500, { state: "ok", delivery: "queued", output });
}

function run(name: string, outcome: RunOutcome): Promise<boolean> {
  return routineRun(
    name,
    open(ROUTINES, async () => outcome),
    patient,
  );
}

const LOG_ROW = {
  due_at: "2026-05-01T08:00:00.000Z",
  started_at: "2026-05-01T08:00:00.000Z",
  finished_at: "2026-05-01T08:00:00.500Z",
  state: "ok",
  delivery: "queued",
};

describe("routineList()", () => {
  test("prints three next instants and the last run with a cut output as JSON", () => {
    addRun("x".repeat(500));
    routineList(command);
    const common = { source: "config", timezone: "UTC", mode: "ask" };
    expect(JSON.parse(printed.join(""))).toEqual([
      {
        ...common,
        name: "hello",
        schedule: "0 8 * * *",
        enabled: true,
        next_at: [
          "2026-05-02T08:00:00.000Z",
          "2026-05-03T08:00:00.000Z",
          "2026-05-04T08:00:00.000Z",
        ],
        last: { ...LOG_ROW, output: `${"x".repeat(200)}…` },
      },
      { ...common, name: "off", schedule: "0 8 * * *", enabled: false, next_at: [], last: null },
      {
        ...common,
        name: "bad",
        schedule: "x",
        enabled: false,
        reason: expect.stringContaining('"x"'),
        next_at: [],
        last: null,
      },
    ]);
  });

  test("prints a table for people", () => {
    addRun("done");
    routineList({ ...command, json: false });
    const [head, hello, off, bad] = printed.join("").split("\n");
    expect(head).toMatch(/^NAME +SCHEDULE +TIMEZONE +MODE +NEXT +LAST$/);
    expect(hello).toMatch(/^hello +0 8 \* \* \* +UTC +ask +2026-05-02T08:00:00.000Z +ok$/);
    expect(off).toMatch(/disabled +never ran$/);
    expect(bad).toContain("Cannot use the schedule");
  });
});

const HELLO = { name: "hello", last: undefined } as const;

describe("routineLogs()", () => {
  test("is whole as JSON, and says in a terminal how many there are and how to get them", () => {
    for (let n = 1; n <= 60; n++) addRun(`run ${n}`, EIGHT + n * 60_000);
    const length = () => JSON.parse(printed.pop() ?? "").length;
    routineLogs(HELLO, command);
    expect([length(), noted]).toEqual([60, []]);
    routineLogs({ ...HELLO, last: 7 }, command);
    expect([length(), noted]).toEqual([7, ["… only the newest 7 of 60: --last 60 lists all"]]);
    routineLogs(HELLO, { ...command, json: false });
    expect(printed.pop()).toEndWith("\n… only the newest 50 of 60: --last 60 lists all");
    routineLogs({ name: undefined, last: 60 }, { ...command, json: false });
    expect(printed.pop()).not.toContain("…");
  });

  test("prints the whole output as JSON", () => {
    addRun("x".repeat(500));
    routineLogs(HELLO, command);
    expect(JSON.parse(printed.join(""))).toEqual([{ ...LOG_ROW, output: "x".repeat(500) }]);
  });

  test("names the routine when all are asked for", () => {
    addRun("done");
    routineLogs({ name: undefined, last: undefined }, command);
    expect(JSON.parse(printed.join(""))).toEqual([{ name: "hello", ...LOG_ROW, output: "done" }]);
  });

  test("prints lines for people", () => {
    routineLogs(HELLO, { ...command, json: false });
    addRun("one\n\ntwo");
    routineLogs(HELLO, { ...command, json: false });
    expect(printed).toEqual([
      "No runs yet",
      "2026-05-01T08:00:00.000Z  hello  ok, message queued\n  one\n\n  two",
    ]);
  });

  test("refuses an unknown name and tells the known ones", () => {
    expect(() => routineLogs({ name: "helo", last: undefined }, command)).toThrow(
      'known are "hello", "off", "bad"',
    );
  });
});

describe("routineRun()", () => {
  test("runs a routine now, records it and prints the result", async () => {
    expect(await run("off", { state: "ok", output: "hi" })).toBe(true);
    const row = JSON.parse(printed.join(""));
    expect(row).toEqual({
      ok: true,
      due_at: "2026-05-01T12:00:00.000Z",
      started_at: "2026-05-01T12:00:00.000Z",
      finished_at: "2026-05-01T12:00:00.000Z",
      state: "ok",
      delivery: "none",
      output: "hi",
    });
    expect(runs.last("off")?.state).toBe("ok");
  });

  test("hands over a routine that asks for no delivery and skips nothing", async () => {
    const seen: unknown[] = [];
    const routines = [routine({ channel: "telegram", onlyIfChanged: true })];
    const seeing = open(routines, async (it) => (seen.push(it), DONE));
    await routineRun("hello", seeing, patient);
    expect(seen).toMatchObject([{ channel: "none", onlyIfChanged: false }]);
  });

  test("says that it failed", async () => {
    expect(await run("hello", { state: "failed", output: "", error: "no provider" })).toBe(false);
    expect(JSON.parse(printed.join(""))).toMatchObject({ ok: false, error: "no provider" });
  });

  test("does not run concurrently with a run of the same routine", async () => {
    const now = clock.now();
    const other = { routine: "hello", dues: [now - 1], cause: "schedule", now } as const;
    runs.claim({ ...other, leaseUntil: now + 1000 });
    expect(await run("hello", DONE)).toBe(false);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      state: "skipped",
      error: "the previous run had not finished",
    });
  });

  test("refuses what is unknown or invalid", async () => {
    expect(await run("nope", DONE).catch(errorMessage)).toContain('the routine "nope"');
    expect(await run("bad", DONE).catch(errorMessage)).toContain('the schedule "x"');
  });
});
