import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { createRoutineRuns } from "../../src/store/routines/routines.ts";
import { childProgram } from "../support/child-program.ts";
import { layState } from "../support/fresh-store.ts";
import { crossed, runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { startShared } from "./shared-scheduler.ts";

const CHILD = await childProgram(new URL("./scheduler-child.ts", import.meta.url));
const MINUTE = 60_000;
const stateOf = (dir: string) => join(dir, "state.db");

/** A scheduler in a process of its own, on the database of `dir`. */
function start(dir: string, shown: string, count: number, dieAt = "") {
  layState(dir);
  const args = [stateOf(dir), join(dir, "works"), shown, String(count), dieAt];
  const child = Bun.spawn([process.execPath, CHILD, ...args], { stdin: "pipe", stdout: "pipe" });
  const answers = child.stdout.getReader();
  return {
    /** Lets time pass; false when the process died meanwhile. */
    async advance(ms: number): Promise<boolean> {
      try {
        await child.stdin.write(`${ms}\n`);
        await child.stdin.flush();
      } catch {
        return false; // nobody reads any more
      }
      return !(await answers.read()).done;
    },
    kill: () => child.kill("SIGKILL"),
    async end() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function worksOf(dir: string): string[] {
  const path = join(dir, "works");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

function rowsOf(dir: string, limit: number) {
  using store = openStore(stateOf(dir));
  return createRoutineRuns(store).list(undefined, limit);
}

/** Where it dies; what is in the log afterwards; how often it worked and reported it. */
const KILLS: readonly (readonly [step: string, end: string, works: number, reported: number])[] = [
  ["before claim", "ok queued", 1, 1],
  ["after claim", "ok queued", 1, 1],
  ["before begin", "ok queued", 1, 1],
  ["after begin", "unknown none", 0, 0],
  ["before work", "unknown none", 0, 0],
  ["after work", "unknown none", 1, 0],
  ["before finish", "unknown none", 1, 0],
  ["after finish", "ok unknown", 1, 0],
  ["before send", "ok unknown", 1, 0],
  ["after send", "ok unknown", 1, 1],
  ["before record", "ok unknown", 1, 1],
  ["after record", "ok queued", 1, 1],
];

const STARTS = [
  ["ten minutes later", "2026-05-01T08:10:00Z"],
  ["with the clock set back", "2026-05-01T07:30:00Z"],
] as const;

describe("createScheduler(), killed and started", () => {
  test.concurrent.each(crossed(KILLS, STARTS, 1))(
    "%p %p",
    async ([step, end, works, reported], [, shown]) => {
      using dir = tempDir();
      const first = start(dir.path, "2026-05-01T07:59:00Z", 1, step);
      expect(await first.advance(5 * MINUTE)).toBe(false);
      await first.end();
      {
        await using second = startShared(stateOf(dir.path), join(dir.path, "works"), shown, 1);
        await second.advance(60 * MINUTE);
      }
      const rows = rowsOf(dir.path, 9).map(({ state, delivery }) => `${state} ${delivery}`);
      expect(rows).toEqual([end]);
      const lines = worksOf(dir.path);
      expect(lines.filter((line) => line.startsWith("job-0"))).toHaveLength(works);
      expect(lines.filter((line) => line === 'reported Routine "job-0"')).toHaveLength(reported);
      const digests = lines.filter((line) => line.startsWith("reported Routines missed"));
      expect(digests).toHaveLength(end.startsWith("unknown") ? 1 : 0);
    },
  );
});

describe("createScheduler(), twice on one database", () => {
  test.concurrent("runs each of hundreds of due instants once", async () => {
    const minutes = runs(12, 100);
    using dir = tempDir();
    const shown = "2026-05-01T08:00:30Z";
    const both = [start(dir.path, shown, 10), start(dir.path, shown, 10)];
    await Promise.all(both.map((each) => each.advance(0)));
    for (let minute = 0; minute < minutes; minute++) {
      await Promise.all(both.map((each) => each.advance(MINUTE)));
    }
    await Promise.all(both.map((each) => each.end()));
    const works = worksOf(dir.path);
    expect(works).toHaveLength(10 * minutes);
    expect(new Set(works).size).toBe(10 * minutes);
    const rows = rowsOf(dir.path, 2000);
    expect(rows.filter(({ state }) => state === "ok")).toHaveLength(10 * minutes);
    expect(rows).toHaveLength(10 * minutes);
  });

  test.concurrent("runs none twice and leaves none without a row while one of them is killed again and again", async () => {
    using dir = tempDir();
    const lasting = start(dir.path, "2026-05-01T08:00:30Z", 5);
    await lasting.advance(0);
    const rounds = runs(3, 6);
    for (let round = 0; round < rounds; round++) {
      const shown = new Date(Date.parse("2026-05-01T08:00:30Z") + round * 10 * MINUTE);
      const killed = start(dir.path, shown.toISOString(), 5);
      await killed.advance(0);
      for (let minute = 0; minute < 10; minute++) {
        const passed = killed.advance(MINUTE);
        const lastingPassed = lasting.advance(MINUTE);
        if (minute === round) killed.kill();
        await Promise.all([passed, lastingPassed]);
      }
      await killed.end();
    }
    await lasting.end();
    const works = worksOf(dir.path);
    expect(new Set(works).size).toBe(works.length);
    const rows = rowsOf(dir.path, 2000);
    expect(rows).toHaveLength(50 * rounds);
    const done = new Set(
      rows.filter(({ state }) => state === "ok").map(({ routine, dueAt }) => `${routine} ${dueAt}`),
    );
    // Everything that ended well was worked on; what worked and is not ok was cut by a kill.
    expect([...done].every((run) => works.includes(run))).toBe(true);
  });
});
