import { describe, expect, test } from "bun:test";
import { createRoutineTable } from "../../src/store/routines/routine-table.ts";
import { createRoutineRuns, type RoutineRuns } from "../../src/store/routines/routines.ts";
import { nameProcess } from "../../src/system/processes/processes.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { cross, expectEach, fill, type Row, rowsOf, type Value } from "./grid.ts";

const ME = `${nameProcess()} memory`;
const STATES = ["due", "running", "ok", "failed", "skipped", "missed", "unknown"];
const NOW = 10;

/** The same instants of two routines, in every state. */
const AXES = {
  routine: ["tidy", "other"],
  state: STATES,
  delivery: ["none", "pending", "queued"],
  lease_until: [NOW, NOW + 1],
  started_at: [null, NOW - 1, NOW],
  finished_at: [NOW - 1, NOW],
};
const RUNS = cross(AXES, (_, index, count) => ({
  due_at: (index % (count / 2)) + 1,
  cause: "schedule",
  error: "before",
}));

function filled(rows: readonly Row[] = RUNS) {
  const store = memoryStore();
  fill(store, "routine_runs", rows);
  return { store, runs: createRoutineRuns(store), [Symbol.dispose]: () => store.close() };
}

/** Every other instant of one of the two routines. */
const DUES = RUNS.filter(({ routine, due_at: dueAt }) => routine === "tidy" && dueAt % 2 === 0).map(
  ({ due_at: dueAt }) => dueAt,
);
const isNamed = ({ routine, due_at: dueAt }: Row) => routine === "tidy" && Number(dueAt) % 2 === 0;
const isOneOf = (value: Value | undefined, ...values: readonly string[]) =>
  values.includes(String(value));

const END = { state: "ok", delivery: "queued", output: "out" } as const;
const CLAIM = { routine: "tidy", dues: DUES, cause: "manual", leaseUntil: 99 } as const;

type Write = readonly [
  name: string,
  act: (runs: RoutineRuns) => unknown,
  become: (row: Row) => Row | undefined,
];

const WRITES: readonly Write[] = [
  [
    "setDelivery()",
    (runs) => DUES.forEach((dueAt) => runs.setDelivery("tidy", dueAt, "delivered")),
    (row) => (isNamed(row) ? { ...row, delivery: "delivered" } : row),
  ],
  [
    "begin()",
    (runs) => DUES.forEach((dueAt) => runs.begin("tidy", dueAt, NOW, 99)),
    (row) =>
      isNamed(row) && row["state"] === "due"
        ? { ...row, state: "running", started_at: NOW, lease_until: 99 }
        : row,
  ],
  [
    "finish()",
    (runs) => DUES.forEach((dueAt) => runs.finish("tidy", dueAt, 55, END)),
    (row) =>
      isNamed(row) && isOneOf(row["state"] ?? null, "due", "running", "unknown")
        ? { ...row, ...END, error: null, finished_at: 55 }
        : row,
  ],
  ["recordMissed()", (runs) => runs.recordMissed("tidy", DUES, 55), (row) => row],
  ["claim() while a run is alive", (runs) => runs.claim({ ...CLAIM, now: NOW }), (row) => row],
  [
    "claim() when none is",
    (runs) => runs.claim({ ...CLAIM, now: NOW + 1 }),
    (row) =>
      isNamed(row) && isOneOf(row["state"] ?? null, "missed", "due")
        ? { ...row, state: "due", lease_until: 99, runner: ME, finished_at: null, error: null }
        : row,
  ],
  [
    "markUnknown() beside others",
    (runs) => runs.markUnknown(NOW, false),
    (row) => (Number(row["lease_until"]) <= NOW ? givenUp(row) : row),
  ],
  [
    "markUnknown() alone",
    (runs) => runs.markUnknown(NOW, true),
    (row) => givenUp(row["delivery"] === "pending" ? { ...row, delivery: "unknown" } : row),
  ],
];

function givenUp(row: Row): Row {
  if (row["state"] === "due") {
    return { ...row, state: "missed", finished_at: NOW, error: "papa-yu stopped before its turn" };
  }
  if (row["state"] !== "running") return row;
  return { ...row, state: "unknown", finished_at: NOW, error: "papa-yu stopped while it ran" };
}

describe("RoutineRuns, over runs of every kind,", () => {
  test.each(WRITES)("%s changes those it names, and no other", (_, act, become) => {
    using scene = filled();
    expectEach(scene.store, "routine_runs", () => act(scene.runs), become);
  });

  test("recordMissed() gives those that it recorded", () => {
    using scene = filled();
    const [known = 0] = DUES;
    expect(scene.runs.recordMissed("tidy", [known, 5_000], NOW)).toEqual([5_000]);
    expect(scene.runs.get("tidy", 5_000)).toMatchObject({ state: "missed", finishedAt: NOW });
  });

  test("get() gives the one it is asked for", () => {
    using scene = filled();
    for (const { routine, due_at: dueAt, state } of RUNS) {
      const found = scene.runs.get(routine, dueAt);
      expect(found).toMatchObject({ routine, dueAt, state });
    }
    expect(scene.runs.get("tidy", RUNS.length)).toBeUndefined();
  });

  test("claim() is held up by a living run of that routine alone", () => {
    const axes = { routine: ["tidy", "other"], state: STATES, lease_until: [10, 11] };
    for (const run of cross(axes, () => ({ due_at: 1, cause: "schedule", delivery: "none" }))) {
      using scene = filled([run]);
      const { state, lease_until: leaseUntil, routine } = run;
      const isHeldUp = routine === "tidy" && isOneOf(state, "due", "running");
      const expected = isHeldUp && leaseUntil === 11 ? [] : [2];
      expect(scene.runs.claim({ ...CLAIM, dues: [2], now: NOW })).toEqual(expected);
    }
  });

  test("countStarted() and wasSkipReported() count what began or ended since", () => {
    using scene = filled();
    const began = RUNS.filter(
      ({ routine, state, started_at: at }) =>
        routine === "tidy" && state !== "skipped" && at === NOW,
    );
    expect(scene.runs.countStarted("tidy", NOW, -1)).toBe(began.length);
    expect(scene.runs.countStarted("tidy", NOW, began[0]?.due_at ?? 0)).toBe(began.length - 1);
    const axes = { ...AXES, delivery: ["none", "queued"], lease_until: [0], started_at: [null] };
    for (const run of cross(axes, () => ({ due_at: 1, cause: "schedule" }))) {
      using one = filled([run]);
      const isReported = run.routine === "tidy" && run.state === "skipped";
      const isNew = run.delivery === "queued" && run.finished_at === NOW;
      expect(one.runs.wasSkipReported("tidy", NOW)).toBe(isReported && isNew);
    }
  });

  test("lastOutcome() and failuresInARow() go by the newest of that routine alone", () => {
    const said = (...states: readonly (readonly [routine: string, state: string])[]) => {
      const rows = states.map(([routine, state], index) => {
        return {
          routine,
          state,
          due_at: index + 1,
          cause: "schedule",
          delivery: "none",
          finished_at: index,
        };
      });
      using scene = filled(rows);
      return [scene.runs.lastOutcome("tidy", 0), scene.runs.failuresInARow("tidy", 1)];
    };
    const mixed = STATES.map((state) => ["tidy", state] as const);
    expect(said(["tidy", "ok"], ["tidy", "failed"], ["other", "ok"])).toEqual(["failed", 1]);
    expect(said(["tidy", "failed"], ["tidy", "failed"], ["other", "failed"])).toEqual([
      "failed",
      1,
    ]);
    expect(said(["tidy", "failed"], ["tidy", "failed"], ["tidy", "ok"])).toEqual(["ok", 0]);
    expect(said(...mixed)).toEqual(["failed", 1]);
    expect(said(["other", "ok"], ["other", "failed"])).toEqual([undefined, 0]);
  });

  test("watch() goes on after a routine's own scheduled instants", () => {
    const axes = { routine: ["tidy", "other"], cause: ["schedule", "manual"] };
    const ended = { state: "ok", delivery: "none" };
    // 20 and 30 of the one, 40 and 50 of the other.
    using scene = filled(cross(axes, (_, index) => ({ ...ended, due_at: 20 + 10 * index })));
    const since = (routines: readonly { name: string; schedule: string }[], now: number) =>
      Object.fromEntries(
        [...scene.runs.watch(routines, now)].map(([name, { since: at }]) => [name, at]),
      );
    const watched = ["tidy", "other", "new"].map((name) => ({ name, schedule: "daily" }));
    expect(since(watched, 10)).toEqual({
      tidy: 10,
      other: 10,
      new: 10,
    });
    const later = { tidy: 20, other: 40, new: 10 };
    expect(since(watched, 40)).toEqual(later);
    const before = since(watched, 39);
    expect(before).toEqual({ ...later, other: 10 });
    const hourly = [...watched.slice(0, 2), { name: "new", schedule: "hourly" }];
    expect(since(hourly, 45)).toEqual({ ...later, new: 45 });
    expect(rowsOf(scene.store, "routine_watch").map(({ schedule }) => schedule)).toEqual([
      "daily",
      "daily",
      "hourly",
    ]);
  });

  test("what is too old goes, but never what is under way nor of another routine", () => {
    const rows = Array.from({ length: 2_010 }, (_, index) => {
      const state = ["due", "running"][index] ?? "ok";
      return { routine: "tidy", due_at: index, cause: "schedule", state, delivery: "none" };
    });
    const other = { routine: "other", cause: "schedule", state: "ok", delivery: "none" };
    using scene = filled([...rows, { ...other, due_at: 0 }, { ...other, due_at: 5_000 }]);
    scene.runs.claim({ ...CLAIM, dues: [], now: NOW });
    const left = rowsOf(scene.store, "routine_runs").filter(({ routine }) => routine === "tidy");
    const dues = left.map(({ due_at: dueAt }) => Number(dueAt)).toSorted((a, b) => a - b);
    expect(dues.slice(0, 3)).toEqual([0, 1, 10]);
    expect(dues).toHaveLength(2_002);
    expect(scene.runs.get("other", 0)).toBeDefined();
  });
});

describe("RoutineTable", () => {
  test("adds, switches and removes a routine by its name", () => {
    using store = memoryStore();
    const table = createRoutineTable(store);
    const jobs = ["b", "a", "c"].map((name) => ({ name, jobJson: `{"of":"${name}"}` }));
    expect(jobs.map((job) => table.add(job, 5))).toEqual([true, true, true]);
    expect(table.add({ name: "a", jobJson: "{}" }, 6)).toBe(false);
    expect(table.add({ name: "first", jobJson: "{}" }, 4)).toBe(true);
    expect(table.jobs().map(({ name }) => name)).toEqual(["first", "a", "b", "c"]);
    const off = { enabled: false, reason: "it failed", switchedAt: 7 };
    for (const routine of ["a", "b"]) table.turn({ routine, ...off });
    table.turn({ routine: "a", enabled: true, reason: null, switchedAt: 8 });
    expect(table.switches().toSorted((x, y) => (x.routine < y.routine ? -1 : 1))).toEqual([
      { routine: "a", enabled: true, reason: null, switchedAt: 8 },
      { routine: "b", ...off },
    ]);
    expect([table.remove("a"), table.remove("a")]).toEqual([true, false]);
    expect(table.jobs().map(({ name, jobJson }) => [name, jobJson])).toEqual([
      ["first", "{}"],
      ["b", '{"of":"b"}'],
      ["c", '{"of":"c"}'],
    ]);
    expect(table.replace({ name: "b", jobJson: "{}" }, "{}", 9)).toBe(false);
    expect(table.replace({ name: "b", jobJson: "{}" }, '{"of":"b"}', 9)).toBe(true);
    expect(table.jobs().map(({ changedAt }) => changedAt)).toEqual([4, 9, 5]);
    expect(table.switches()).toEqual([{ routine: "b", ...off }]);
  });
});
