import type { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns, type RoutineRuns } from "../../src/store/routines/routines.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const LEASE = 1_000;
let store: Database;
let runs: RoutineRuns;

beforeEach(() => {
  store = memoryStore();
  runs = createRoutineRuns(store);
});

function claim(
  dues: readonly number[],
  now: number,
  cause: "schedule" | "manual" = "schedule",
  routine = "tidy",
): readonly number[] {
  return runs.claim({ routine, dues, cause, now, leaseUntil: now + LEASE });
}

function end(dueAt: number, now: number, state: "ok" | "failed" | "skipped" = "ok"): void {
  runs.begin("tidy", dueAt, now, now + LEASE);
  void runs.finish("tidy", dueAt, now, { state, delivery: "none", output: "out" });
}

function states(): string[] {
  return runs.list("tidy", 10).map((run) => `${run.dueAt} ${run.state}`);
}

function since(schedule: string, now: number): number | undefined {
  return runs.watch([{ name: "tidy", schedule }], now).get("tidy")?.since;
}

describe("RoutineRuns.claim()", () => {
  test("gives an instant to the first who asks, also after it ended", () => {
    expect(claim([10], 10)).toEqual([10]);
    expect(claim([10], 10)).toEqual([]);
    expect(states()).toEqual(["10 due"]);
    end(10, 11);
    expect(claim([10], 12)).toEqual([]);
    expect(states()).toEqual(["10 ok"]);
  });

  test("records what comes due while a run is alive as skipped", () => {
    claim([10], 10);
    expect(claim([20, 30], 30)).toEqual([]);
    expect(states()).toEqual(["30 skipped", "20 skipped", "10 due"]);
    expect(claim([20], 20, "schedule", "other")).toEqual([20]);
  });

  test("is held up by what this process runs, whatever the clock says, until it is let go", () => {
    claim([10], 10);
    expect(claim([2000], 2000)).toEqual([]);
    expect(runs.letGo("tidy", [10])).toEqual([10]);
    expect(claim([3000], 3000)).toEqual([3000]);
    end(3000, 3001);
    expect(runs.letGo("tidy", [3000])).toEqual([]);
  });

  test("is held up by another process's run as long as that runs, whatever the clock says", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    using file = openStore(path);
    const script = Bun.fileURLToPath(new URL("./runner-child.ts", import.meta.url));
    await using child = Bun.spawn([process.execPath, script, path], { stdout: "pipe" });
    await child.stdout.getReader().read();
    runs = createRoutineRuns(file);
    // A daemon that starts meanwhile leaves it alone, and runs nothing beside it.
    expect(runs.markUnknown(500, true)).toEqual([]);
    expect(claim([500], 500)).toEqual([]);
    expect(states()).toEqual(["500 skipped", "10 running"]);
    child.kill("SIGKILL");
    await child.exited;
    expect(claim([600], 600)).toEqual([600]);
    expect(runs.markUnknown(601, true).map((run) => run.state)).toContain("unknown");
  });

  test("is not held up in a copy of the home by what a process runs in the first", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const script = Bun.fileURLToPath(new URL("./runner-child.ts", import.meta.url));
    await using child = Bun.spawn([process.execPath, script, path], { stdout: "pipe" });
    await child.stdout.getReader().read();
    const copied = join(dir.path, "copy.db");
    {
      using first = openStore(path);
      first.query("VACUUM INTO ?").run(copied);
    }
    using copy = openStore(copied);
    runs = createRoutineRuns(copy);
    expect(claim([500], 500)).toEqual([500]);
    expect(runs.markUnknown(501, false)).toMatchObject([{ dueAt: 10, state: "unknown" }]);
    child.kill("SIGKILL");
    await child.exited;
  });

  test("is not held up by a run of nobody whose lease has ended", () => {
    createRoutineRuns(store).claim({
      routine: "tidy",
      dues: [10],
      cause: "schedule",
      now: 10,
      leaseUntil: 20,
    });
    store.run("UPDATE routine_runs SET runner = NULL");
    runs = createRoutineRuns(store);
    expect(claim([15], 15)).toEqual([]);
    expect(claim([2000], 2000)).toEqual([2000]);
  });

  test("gives a missed instant once when it comes due after all", () => {
    runs.recordMissed("tidy", [10, 20], 5);
    expect(claim([10], 10)).toEqual([10]);
    runs.recordMissed("tidy", [10], 11);
    expect(states()).toEqual(["20 missed", "10 due"]);
    end(10, 11);
    expect(claim([10], 12)).toEqual([]);
  });

  test("keeps the newest 2,000 rows of a routine and all of the others", () => {
    runs.recordMissed("other", [1], 0);
    const dues = Array.from({ length: 2_100 }, (_, index) => index + 1);
    runs.recordMissed("tidy", dues, 0);
    claim([5_000], 5_000);
    const kept = runs.list("tidy", 5_000);
    expect(kept).toHaveLength(2_001);
    expect(kept.at(-1)?.dueAt).toBe(101);
    expect(runs.list("other", 9)).toHaveLength(1);
  });
});

describe("RoutineRuns.begin() and finish()", () => {
  test("lead one claimed instant through once", () => {
    expect(runs.begin("tidy", 10, 10, 20)).toBe(false);
    claim([10], 10);
    expect(runs.begin("tidy", 10, 11, 20)).toBe(true);
    expect(runs.begin("tidy", 10, 12, 20)).toBe(false);
    const failed = { state: "failed", delivery: "pending", output: "", error: "boom" } as const;
    void runs.finish("tidy", 10, 15, failed);
    void runs.finish("tidy", 10, 16, { state: "ok", delivery: "none", output: "late" });
    runs.setDelivery("tidy", 10, "delivered");
    expect(runs.get("tidy", 10)).toEqual({
      routine: "tidy",
      dueAt: 10,
      cause: "schedule",
      startedAt: 11,
      finishedAt: 15,
      state: "failed",
      delivery: "delivered",
      output: "",
      error: "boom",
    });
    expect(runs.get("tidy", 11)).toBeUndefined();
  });

  test("tell the truth about a run that was given up and ended after all", () => {
    claim([10], 10);
    runs.begin("tidy", 10, 10, 20);
    runs.markUnknown(30, false);
    void runs.finish("tidy", 10, 31, { state: "ok", delivery: "none", output: "" });
    expect(runs.get("tidy", 10)).toMatchObject({ state: "ok", error: null, finishedAt: 31 });
  });
});

describe("RoutineRuns.markUnknown()", () => {
  test("takes everything for dead when alone", () => {
    claim([10], 10);
    runs.begin("tidy", 10, 10, 10 + LEASE);
    claim([20], 20, "schedule", "other");
    const left = runs.markUnknown(30, true);
    expect(left.map((run) => `${run.routine} ${run.state}`).toSorted()).toEqual([
      "other missed",
      "tidy unknown",
    ]);
    expect(runs.begin("other", 20, 31, 40)).toBe(false);
    expect(runs.markUnknown(31, true)).toEqual([]);
  });

  test("leaves what is leased to others otherwise", () => {
    claim([10], 10);
    expect(runs.markUnknown(10 + LEASE, false)).toEqual([]);
    runs = createRoutineRuns(store);
    expect(runs.markUnknown(10 + LEASE - 1, false)).toEqual([]);
    expect(runs.markUnknown(10 + LEASE, false)).toHaveLength(1);
  });

  test("does not know whether a pending message went out", () => {
    claim([10], 10);
    runs.begin("tidy", 10, 10, 20);
    void runs.finish("tidy", 10, 11, { state: "ok", delivery: "pending", output: "x" });
    runs.markUnknown(12, true);
    expect(runs.get("tidy", 10)).toMatchObject({ state: "ok", delivery: "unknown" });
  });
});

describe("RoutineRuns.watch()", () => {
  test("starts now for a routine or a schedule not seen before", () => {
    expect(since("daily", 100)).toBe(100);
    expect(since("daily", 200)).toBe(100);
    expect(since("hourly", 300)).toBe(300);
  });

  test("goes on after the last scheduled instant, not after a manual one", () => {
    since("daily", 100);
    claim([150], 150);
    end(150, 150);
    claim([180], 180, "manual");
    expect(since("daily", 200)).toBe(150);
  });

  test("starts over for a routine that was left out meanwhile", () => {
    since("daily", 100);
    runs.watch([{ name: "other", schedule: "daily" }], 200);
    expect(since("daily", 300)).toBe(300);
  });

  test("is not misled by marks and runs from the future", () => {
    since("daily", 900);
    claim([950], 950);
    expect(since("daily", 100)).toBe(100);
  });
});

describe("RoutineRuns.lastOutcome()", () => {
  test("looks past what did not run", () => {
    expect(runs.lastOutcome("tidy", 0)).toBeUndefined();
    claim([10], 10);
    end(10, 10, "failed");
    claim([20], 20);
    end(20, 20, "skipped");
    runs.recordMissed("tidy", [30], 30);
    expect(runs.lastOutcome("tidy", 0)).toBe("failed");
    expect(runs.lastOutcome("tidy", 11)).toBeUndefined();
  });
});

describe("RoutineRuns.list()", () => {
  test("returns the newest first, of one routine or of all, and writes nothing", () => {
    runs.recordMissed("tidy", [10, 30], 0);
    runs.recordMissed("other", [20], 0);
    expect(runs.list(undefined, 2).map((run) => run.dueAt)).toEqual([30, 20]);
    expect(runs.list("tidy", 9).map((run) => run.dueAt)).toEqual([30, 10]);
    expect(runs.last("tidy")?.dueAt).toBe(30);
    expect(runs.last("nobody")).toBeUndefined();
  });
});
