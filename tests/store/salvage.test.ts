import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { readMark } from "../../src/store/open/state-mark.ts";
import { salvage } from "../../src/store/repair/salvage.ts";
import { liveADay } from "../support/state-day.ts";
import { tempDir } from "../support/temp.ts";

const DAMAGES = 40;

/** The same numbers from 0 to 1 for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes here and there, runs of them, whole pages, or numbers that point elsewhere. */
function damage(bytes: Buffer, random: () => number): void {
  const at = (most: number) => Math.floor(random() * most);
  for (let hits = 0; hits < 1 + at(30); hits++) {
    const kind = at(4);
    if (kind === 0) bytes[at(bytes.length)] = at(256);
    if (kind === 1) bytes.fill(at(256), at(bytes.length), at(bytes.length));
    if (kind === 2)
      bytes.copy(bytes, at(bytes.length / 4096) * 4096, at(bytes.length / 4096) * 4096);
    if (kind === 3) bytes.writeUInt32BE(at(200), at(bytes.length / 4096) * 4096 + 8);
  }
}

test("salvage() makes a whole database of whatever is left of a damaged one", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const origin = readFileSync(join(dir.path, "state.db"));
  const mark = readMark(dir.path);
  const [copy] = listCopies(dir.path);
  for (let seed = 1; seed <= DAMAGES; seed++) {
    const folder = join(dir.path, `damaged-${seed}`);
    mkdirSync(folder);
    const bytes = Buffer.from(origin);
    damage(bytes, createRandom(seed));
    const damaged = join(folder, "damaged.db");
    writeFileSync(damaged, bytes);
    const target = join(folder, "state.db");
    const tables = salvage({ damaged, mark, copy: seed % 2 ? copy?.path : undefined }, target);
    using database = new Database(target);
    const check = database.query("PRAGMA integrity_check").all();
    expect({ seed, check }).toEqual({ seed, check: [{ integrity_check: "ok" }] });
    for (const { table, kept, fromCopy } of tables) {
      const row = database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get();
      // Rows of one key that stand in two places are one in the end.
      expect(row?.n ?? 0, `seed ${seed}, ${table}`).toBeLessThanOrEqual(kept + fromCopy);
    }
  }
});

test("salvage() reads a database of an older version, and finds memories by their words", () => {
  using dir = tempDir();
  liveADay(dir.path).close();
  const path = join(dir.path, "state.db");
  const old = join(dir.path, "old.db");
  copyFileSync(path, old);
  {
    using older = new Database(old);
    older.run("ALTER TABLE approvals DROP COLUMN runner");
  }
  const target = join(dir.path, "new.db");
  const tables = salvage({ damaged: old, mark: undefined, copy: undefined }, target);
  expect(tables.find(({ table }) => table === "approvals")).toMatchObject({ kept: 90, lost: 0 });
  using store = openStore(target);
  const sql = "SELECT count(*) AS n FROM memory_words WHERE memory_words MATCH 'remembers'";
  expect(store.query(sql).get()).toEqual({ n: 89 });
});
