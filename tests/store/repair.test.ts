import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isFileOfOtherHome } from "../../src/store/open/home-identity.ts";
import { makeCopy } from "../../src/store/open/make-copy.ts";
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
  expect(createRoutineTable(repaired).jobs()).toContainEqual(late);
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
  using prepared = prepareRepair(dir.path, 1);
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
