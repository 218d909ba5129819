import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, hasCode, orElse } from "../../src/core/app-error.ts";
import { MIGRATIONS } from "../../src/store/open/migrations.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { createPlanStore } from "../../src/store/plans/plans.ts";
import { until } from "../support/patience.ts";
import { hasOpen } from "../support/processes.ts";
import { tempDir } from "../support/temp.ts";

/** What this process has open now. */
function listOpen(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) =>
    orElse(
      () => [readlinkSync(`/proc/self/fd/${fd}`)],
      hasCode("ENOENT"),
      () => [],
    ),
  );
}

const CHILD = Bun.fileURLToPath(new URL("./late-child.ts", import.meta.url));

const plan = {
  planId: "plan_1",
  workspaceRoot: "/w",
  workspaceName: "w",
  goal: "g",
  summary: "s",
  protocolVersion: 2 as const,
  messages: [{ role: "user", content: "q" }] as const,
  files: { "a.ts": "0".repeat(64) },
  traceId: "t",
  wholeFiles: [],
  contextStats: {},
  createdAt: 1,
};

describe("openStore()", () => {
  test("keeps what was stored over a reopen", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const first = openStore(path);
    createPlanStore(first).savePlan(plan);
    first.close();
    expect(createPlanStore(openStore(path)).loadPlan("plan_1")).toEqual(plan);
  });

  test("has a connection that waits, keeps a log, lets what hangs on a row go with it, and forgets no statement", () => {
    using dir = tempDir();
    using store = openStore(join(dir.path, "state.db"));
    const pragma = (name: string) => store.query(`PRAGMA ${name}`).values()[0]?.[0];
    const names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"];
    expect(names.map(pragma)).toEqual(["wal", 2, 1, 5000]);
    expect(Database.MAX_QUERY_CACHE_SIZE).toBeGreaterThan(100);
  });

  test("waits for another process that is just beginning the same database", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    using holder = new Database(path);
    holder.run("PRAGMA busy_timeout = 60000"); // who waits may be reading at that moment
    holder.run("BEGIN IMMEDIATE");
    await using child = Bun.spawn([process.execPath, CHILD, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await until(() => hasOpen(child.pid, path) || child.exitCode !== null);
    await Promise.race([child.exited, Bun.sleep(50)]); // what does not wait has ended by then
    holder.run("COMMIT");
    expect(await child.stdout.text()).toBe("opening\nlate");
    expect(await child.exited).toBe(0);
  });

  test("opens a file that is in place once: what its log holds stays there", () => {
    using dir = tempDir();
    const [path, left] = [join(dir.path, "state.db"), join(dir.path, "left.db")];
    {
      using first = openStore(path);
      createPlanStore(first).savePlan(plan);
      for (const ending of ["", "-wal"]) copyFileSync(path + ending, left + ending);
    }
    using store = openStore(left);
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(0); // the last to close would write it back
    expect(createPlanStore(store).loadPlan("plan_1")).toEqual(plan);
  });

  test.each(["new", "there"])(
    "has one descriptor of a file that is %s, and none when closed",
    (what) => {
      using dir = tempDir();
      const path = join(dir.path, "state.db");
      if (what === "there") openStore(path).close();
      const held = () => listOpen().filter((name) => name.startsWith(path));
      const store = openStore(path);
      expect(held().filter((name) => name === path)).toEqual([path]);
      store.close();
      expect(held()).toEqual([]);
    },
  );

  test.each([
    [0, ["empty"]],
    [1, ["found", "older"]],
    [MIGRATIONS.length, ["found"]],
  ])("says of a database of version %p what it is", (version, said) => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    {
      using database = new Database(path);
      for (const sql of MIGRATIONS.slice(0, version)) database.run(sql);
      database.run(`PRAGMA user_version = ${version}`);
    }
    const seen: string[] = [];
    const hooks = {
      onEmpty: () => void seen.push("empty"),
      onFound: () => void seen.push("found"),
      onOlder: () => void seen.push("older"),
    };
    openStore(path, hooks).close();
    expect(seen).toEqual(said);
  });

  test("refuses a file that is no database and says what to do", async () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    await Bun.write(path, "not a database at all, but long enough to be read as one".repeat(50));
    expect(() => openStore(path)).toThrow(
      /Cannot open the database .* papayu doctor --repair; it asks first and deletes nothing/,
    );
  });

  test("does not wait for what no waiting mends, where its log cannot be made", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    mkdirSync(`${path}-shm`);
    const opening = () => openStore(path);
    expect(opening).toThrow("attempt to write a readonly database");
    expect(listOpen().filter((name) => name.startsWith(path))).toEqual([]);
  });

  test("refuses another program's database, however many tables it has and whatever its version", () => {
    using dir = tempDir();
    for (const version of [0, 1]) {
      const path = join(dir.path, `${version}.db`);
      {
        using other = new Database(path);
        for (let n = 0; n < 9; n++) other.run(`CREATE TABLE t${n} (x)`);
        other.run(`PRAGMA user_version = ${version}`);
      }
      expect(() => openStore(path)).toThrow("it is a database, but not papa-yu's");
    }
  });

  test("refuses a database of a newer version", () => {
    using dir = tempDir();
    const newer = join(dir.path, "state.db");
    const store = openStore(newer);
    store.run("PRAGMA user_version = 999");
    store.close();
    expect(() => openStore(newer)).toThrow(AppError);
  });
});
