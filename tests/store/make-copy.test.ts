import { describe, expect, test } from "bun:test";
import {
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describeLack, makeCopy, verifyCopy } from "../../src/store/open/make-copy.ts";
import { openState } from "../../src/store/open/open.ts";
import { copiesDir, listCopies } from "../../src/store/open/state-files.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";
import { isCopyDue, tendState } from "../../src/store/tend/tend.ts";
import { overwrite } from "../support/overwrite.ts";
import { tempDir } from "../support/temp.ts";

const DAY_MS = 24 * 3_600_000;
const NOON = Date.UTC(2026, 4, 1, 12);

describe("makeCopy()", () => {
  test("keeps the newest of each of the last seven days, for their owner alone", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    for (let day = 0; day < 9; day++) {
      for (const hour of [0, 1, 2]) {
        makeCopy(store, dir.path, NOON + day * DAY_MS + hour * 3_600_000);
      }
    }
    const kept = listCopies(dir.path).map(({ madeAt }) => madeAt);
    const days = [8, 7, 6, 5, 4, 3, 2];
    expect(kept).toEqual(days.map((day) => NOON + day * DAY_MS + 2 * 3_600_000));
    expect(statSync(copiesDir(dir.path)).mode & 0o777).toBe(0o700);
    for (const { path } of listCopies(dir.path)) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("makes no copy of a damaged database, and takes none away for it", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    const { path } = makeCopy(store, dir.path, NOON);
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
    overwrite(join(dir.path, "state.db"), 4096 * 3, Buffer.alloc(4096, 0xff));
    using damaged = openState(dir.path);
    expect(() => makeCopy(damaged, dir.path, NOON + 1)).toThrow(StateError);
    expect(readdirSync(copiesDir(dir.path))).toEqual([path.slice(copiesDir(dir.path).length + 1)]);
    verifyCopy(path);
  });

  test("gives no name to a copy that cannot be read to its end", () => {
    using dir = tempDir();
    openState(dir.path).close();
    const path = join(dir.path, "state.db");
    // Every page is sound, and one table is of a module that SQLite does not know.
    overwrite(path, readFileSync(path).indexOf("USING fts5"), Buffer.from("USING fts9"));
    using store = openState(dir.path);
    expect(() => makeCopy(store, dir.path, NOON)).toThrow(/^Cannot copy the database to .+fts9/u);
    expect(readdirSync(copiesDir(dir.path))).toEqual([]);
  });

  test("removes what a copy left that was cut off, and no copy that is being made", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    makeCopy(store, dir.path, NOON);
    for (const name of ["a.db.part", "a.db.part-journal", "b.db.part", "b.db.part-journal"]) {
      const path = join(copiesDir(dir.path), name);
      writeFileSync(path, "x");
      if (name.startsWith("a")) utimesSync(path, 1, 1);
    }
    makeCopy(store, dir.path, NOON + DAY_MS);
    const parts = readdirSync(copiesDir(dir.path)).filter((name) => name.includes(".part"));
    expect(parts.toSorted()).toEqual(["b.db.part", "b.db.part-journal"]);
  });

  test("keeps no more than a gigabyte of copies, but always the newest", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    const { path } = makeCopy(store, dir.path, NOON);
    truncateSync(path, 2 * 1024 ** 3); // a hole, nothing on the disk
    makeCopy(store, dir.path, NOON + DAY_MS);
    expect(listCopies(dir.path).map(({ madeAt }) => madeAt)).toEqual([NOON + DAY_MS]);
  });

  test("counts a gigabyte to the byte", () => {
    for (const beyond of [0, 1]) {
      using dir = tempDir();
      using store = openState(dir.path);
      const { path } = makeCopy(store, dir.path, NOON);
      const { size } = statSync(path);
      truncateSync(path, 1024 ** 3 - size + beyond);
      makeCopy(store, dir.path, NOON + DAY_MS);
      expect(listCopies(dir.path)).toHaveLength(beyond === 0 ? 2 : 1);
    }
  });

  test("keeps what it has just made, also where the clock was set back", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    for (let day = 1; day <= 7; day++) makeCopy(store, dir.path, NOON + day * DAY_MS);
    const { path } = makeCopy(store, dir.path, NOON);
    expect(listCopies(dir.path).map((copy) => copy.path)).toContain(path);
    expect(listCopies(dir.path)).toHaveLength(8);
    makeCopy(store, dir.path, NOON + 8 * DAY_MS);
    expect(listCopies(dir.path)).toHaveLength(7);
  });

  test("leaves the given part of the disk free", () => {
    using dir = tempDir();
    using store = openState(dir.path);
    const { blocks, bsize } = statfsSync(dir.path);
    const copy = (leaveBytes: number) => makeCopy(store, dir.path, NOON, leaveBytes);
    expect(() => copy(blocks * bsize)).toThrow(
      /it needs \d+ MB, \d+ MB are free; free some space/u,
    );
    expect(listCopies(dir.path)).toEqual([]);
    expect(copy(0)).toMatchObject({ madeAt: NOON });
  });
});

test("verifyCopy() makes no copy where there is none", () => {
  using dir = tempDir();
  const path = join(dir.path, "none.db");
  expect(() => verifyCopy(path)).toThrow();
  expect(readdirSync(dir.path)).toEqual([]);
  openState(dir.path).close();
  const kept = readFileSync(join(dir.path, "state.db"));
  verifyCopy(join(dir.path, "state.db"));
  expect(readFileSync(join(dir.path, "state.db"))).toEqual(kept);
});

test("describeLack() wants every byte that is needed, and says in megabytes what is not there", () => {
  const disk = { bavail: 3, bsize: 1024 ** 2 };
  const all = 3 * 1024 ** 2;
  expect([0, all].map((needed) => describeLack(disk, needed))).toEqual([undefined, undefined]);
  expect(describeLack(disk, all + 1)).toStartWith("it needs 4 MB, 3 MB are free;");
});

describe("tendState()", () => {
  test("copies in a process of its own what is open here, and says when it is damaged", async () => {
    using dir = tempDir();
    using store = openState(dir.path);
    store.run("INSERT INTO settings (key, value) VALUES ('unsaved', 'in the log')");
    const { signal } = new AbortController();
    expect(isCopyDue(dir.path, NOON)).toBe(true);
    const tended = await tendState(dir.path, { copyAt: NOON, signal });
    expect(tended).toEqual({ ok: true, copy: listCopies(dir.path)[0]?.path ?? "none" });
    const instants = [NOON, NOON + DAY_MS - 1, NOON + DAY_MS, NOON - 1];
    expect(instants.map((now) => isCopyDue(dir.path, now))).toEqual([
      false,
      false,
      true,
      true, // a copy from the future says nothing
    ]);
    store.run("PRAGMA wal_checkpoint(TRUNCATE)");
    overwrite(join(dir.path, "state.db"), 4096 * 3, Buffer.alloc(4096, 0xff));
    const found = await tendState(dir.path, { copyAt: undefined, signal });
    expect(found).toMatchObject({ ok: false, code: "ERR_STORE_DAMAGED" });
  });
});

test("listCopies() gives the newest first, and of one instant the newest version", () => {
  using dir = tempDir();
  using store = openState(dir.path);
  makeCopy(store, dir.path, NOON);
  const at = (day: string, version: number) => `state-2026-05-${day}T12-00-00.000Z-v${version}.db`;
  const [made] = readdirSync(copiesDir(dir.path));
  const names = [at("02", 7), at("03", 9), at("03", 10), at("03", 8), at("04", 1)];
  for (const name of names) writeFileSync(join(copiesDir(dir.path), name), "a copy");
  const newest = [at("04", 1), at("03", 10), at("03", 9), at("03", 8), at("02", 7), made];
  const paths = newest.map((name) => join(copiesDir(dir.path), name ?? ""));
  expect(listCopies(dir.path).map(({ path }) => path)).toEqual(paths);
});
