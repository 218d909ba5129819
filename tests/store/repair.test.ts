import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beginLog, isFileOfOtherHome } from "../../src/store/open/home-identity.ts";
import { makeCopy, RESERVE_BYTES } from "../../src/store/open/make-copy.ts";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { prepareRepair } from "../../src/store/repair/repair.ts";
import { createRoutineTable } from "../../src/store/routines/routine-table.ts";
import { until } from "../support/patience.ts";
import { hasOpen } from "../support/processes.ts";
import { liveADay } from "../support/state-day.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";

test("prepareRepair() takes nothing away that was stored while somebody thought about the yes", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  zeroPage(path, 5);
  const late = { name: "late", jobJson: "{}" };
  {
    using prepared = prepareRepair(dir.path, 1);
    using other = openStore(path);
    createRoutineTable(other).add(late, 1);
    expect(() => prepared.commit()).toThrow(
      /^Cannot finish the repair: .+; nothing was changed; /u,
    );
  }
  expect(readdirSync(dir.path).filter((name) => /^(?:damaged|repair)-/u.test(name))).toEqual([]);
  using again = prepareRepair(dir.path, 2);
  const { aside } = again.commit();
  using repaired = openStore(path);
  expect(createRoutineTable(repaired).jobs()).toContainEqual(expect.objectContaining(late));
  expect(check(repaired)).toEqual([{ integrity_check: "ok" }]);
  using damaged = new Database(join(aside, "state.db"), { readonly: true });
  expect(check(damaged)).not.toEqual([{ integrity_check: "ok" }]);
});

test("prepareRepair() takes what is missing from the newest copy that can be read to its end", () => {
  using dir = tempDir();
  const store = liveADay(dir.path);
  const [good] = listCopies(dir.path);
  const later = makeCopy(store, dir.path, Date.UTC(2026, 4, 2, 12)).path;
  store.close();
  zeroPage(later, 5);
  using prepared = prepareRepair(dir.path, 1);
  expect(prepared.copy?.path).toBe(good?.path ?? "none");
});

test("prepareRepair() makes a database that is gone of its copy, and takes no row of another home's", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  const fromCopy = () => {
    using prepared = prepareRepair(dir.path, 1);
    const table = prepared.tables.find((each) => each.table === "routines");
    return [table?.kept, table?.fromCopy];
  };
  expect(fromCopy()).toEqual([90, 0]);
  rmSync(path);
  expect(fromCopy()).toEqual([0, 60]);
  using other = tempDir();
  liveADay(other.path).close();
  copyFileSync(join(other.path, "state.db"), path);
  expect(fromCopy()).toEqual([0, 60]);
});

test("prepareRepair() begins nothing without room for the new database and a copy of the copy", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const [copy] = listCopies(dir.path);
  const path = join(dir.path, "state.db");
  truncateSync(path, 2 ** 42); // takes no room itself
  const left = readdirSync(dir.path);
  const needed = 2 ** 42 + 2 * statSync(copy?.path ?? "").size + RESERVE_BYTES;
  expect(() => prepareRepair(dir.path, 1)).toThrow(
    `Cannot repair the database in "${dir.path}": it needs ${Math.ceil(needed / 1024 ** 2)} MB, `,
  );
  expect(readdirSync(dir.path)).toEqual(left);
});

test("isFileOfOtherHome() knows another home's database, whatever log is next to it", () => {
  using dir = tempDir();
  using elsewhere = tempDir();
  const path = join(dir.path, "state.db");
  const live = liveADay(dir.path);
  const log = readFileSync(`${path}-wal`);
  live.close();
  expect(isFileOfOtherHome(path, dir.path)).toBe(false);
  liveADay(elsewhere.path).close();
  copyFileSync(join(elsewhere.path, "state.db"), path);
  expect(isFileOfOtherHome(path, dir.path)).toBe(true);
  writeFileSync(`${path}-wal`, log); // of what was there before
  expect(isFileOfOtherHome(path, dir.path)).toBe(true);
});

test("prepareRepair() replaces nothing that another program has open, whatever it is about to store", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  zeroPage(path, 5);
  using prepared = prepareRepair(dir.path, 1, 50);
  const before = readTree(dir.path);
  {
    using other = openStore(path);
    other.run("BEGIN IMMEDIATE");
    createRoutineTable(other).add({ name: "late", jobJson: "{}" }, 1);
    expect(() => prepared.commit()).toThrow(/^Cannot finish the repair: another program has /u);
    other.run("ROLLBACK");
    expect(() => prepared.commit()).toThrow(/^Cannot finish the repair: another program has /u);
  }
  expect(readTree(dir.path)["state.db"]).toEqual(before["state.db"]);
  expect(prepared.commit().isStale).toBe(false);
});

test("openStore() opens the file in place after it waited for a repair", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  openStore(path).close();
  const other = join(dir.path, "other.db");
  {
    using store = openStore(other);
    createRoutineTable(store).add({ name: "saved", jobJson: "{}" }, 1);
  }
  using holder = new Database(path);
  holder.run("PRAGMA locking_mode = EXCLUSIVE");
  holder.run("BEGIN EXCLUSIVE");
  const child = Bun.spawn(
    [process.execPath, Bun.fileURLToPath(import.meta.resolve("./late-child.ts")), path],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const words = child.stdout.getReader();
  await words.read(); // it is about to open the file that is held
  await until(() => hasOpen(child.pid, path));
  renameSync(other, path);
  holder.close();
  expect(new TextDecoder().decode((await words.read()).value)).toBe("late,saved");
  expect(await child.exited).toBe(0);
});

function check(database: Database): unknown[] {
  return database.query("PRAGMA integrity_check").all();
}

function zeroPage(path: string, page: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096), 0, 4096, page * 4096);
  closeSync(file);
}

/** A home with rows of its own, killed in the middle: what was written last is in the log alone. */
function killedHome(owner: string) {
  const dir = tempDir();
  const store = openState(dir.path);
  store.run("PRAGMA wal_checkpoint(TRUNCATE)");
  beginLog(store);
  const path = join(dir.path, "state.db");
  for (let n = 0; n < 40; n++) {
    createRoutineTable(store).add({ name: `${owner} ${n}`, jobJson: "{}" }, n);
    store.query("INSERT INTO paired_users VALUES (?, ?, ?)").run(n + owner.length * 100, owner, n);
  }
  const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  store.close();
  const put = (bytes: Buffer, ending: string) => writeFileSync(path + ending, bytes);
  put(file, "");
  put(log, "-wal");
  rmSync(`${path}-shm`, { force: true });
  return { dir: dir.path, path, file, log, put, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** Whose rows a repair would put in place. */
function ownersAfterRepair(home: string): readonly string[] {
  using prepared = prepareRepair(home, 1);
  prepared.commit();
  using repaired = new Database(join(home, "state.db"), { readonly: true });
  const sql = "SELECT DISTINCT name FROM paired_users UNION SELECT name FROM routines";
  const names = repaired
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name);
  return [...new Set(names.map((name) => name.split(" ")[0] ?? ""))].toSorted();
}

describe("prepareRepair() of a damaged file takes the log that is beside it", () => {
  test("where that says it is this home's, and every row of it", () => {
    using mine = killedHome("mine");
    zeroPage(mine.path, 3);
    expect(ownersAfterRepair(mine.dir)).toEqual(["mine"]);
  });

  test.each([3, 5, 1])("not where it says another home's (page %d is damaged)", (page) => {
    using mine = killedHome("mine");
    using other = killedHome("theirs");
    mine.put(other.log, "-wal");
    zeroPage(mine.path, page);
    expect(ownersAfterRepair(mine.dir)).toEqual([]);
  });

  test("not where it says nothing, however well its pages fit", () => {
    using mine = killedHome("mine");
    using other = killedHome("theirs");
    // Written after all of it was brought into the file: it begins with rows of routines.
    using store = openState(other.dir);
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
    createRoutineTable(store).add({ name: "theirs, late", jobJson: "{}" }, 99);
    mine.put(readFileSync(`${other.path}-wal`), "-wal");
    zeroPage(mine.path, 3);
    expect(ownersAfterRepair(mine.dir)).toEqual([]);
  });

  test("and nothing of a file that says it is another home's, whatever log is beside it", () => {
    using mine = killedHome("mine");
    using other = killedHome("theirs");
    {
      using store = openState(other.dir);
      store.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    for (const log of [mine.log, other.log, Buffer.alloc(0)]) {
      mine.put(readFileSync(other.path), "");
      mine.put(log, "-wal");
      zeroPage(mine.path, 7);
      expect(ownersAfterRepair(mine.dir)).toEqual([]);
    }
  });
});
