import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "../../src/store/open/migrations.ts";
import { examineState, openState, readMark } from "../../src/store/open/open.ts";
import { listCopies } from "../../src/store/open/state-files.ts";
import { StateError } from "../../src/store/open/state-trouble.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { openKeyFile } from "../../src/system/key-file.ts";
import { tempDir } from "../support/temp.ts";
import { readTree } from "../support/tree.ts";

/** A home with a database that holds something. */
function begin(home: string): void {
  using store = openState(home);
  createSettings(store).of("undo.").set("kept", "1");
}

function troubleOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StateError) return error.trouble;
    throw error;
  }
  return "none";
}

function execute(path: string, ...statements: readonly string[]): void {
  using database = new Database(path);
  for (const sql of statements) database.run(sql);
}

type Damage = (home: string, path: string) => void;

const DAMAGES: readonly (readonly [string, Damage])[] = [
  ["gone", (_, path) => rmSync(path)],
  ["empty", (_, path) => truncateSync(path)],
  [
    "empty", // a database without a table
    (_, path) => {
      rmSync(path);
      execute(path, "PRAGMA journal_mode = WAL");
    },
  ],
  [
    "gone", // before there was a mark, the log alone says that one was here
    (home, path) => {
      rmSync(join(home, "state.begun"));
      rmSync(path);
      writeFileSync(`${path}-wal`, "frames");
    },
  ],
  [
    "no_file",
    (_, path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    "no_file",
    (_, path) => {
      rmSync(path);
      Bun.spawnSync(["mkfifo", path]);
    },
  ],
  ["no_database", (_, path) => writeFileSync(path, "words ".repeat(2000))],
  [
    "foreign",
    (_, path) => {
      rmSync(path);
      execute(path, "CREATE TABLE bookmarks (url TEXT)");
    },
  ],
  [
    "foreign",
    (_, path) => {
      rmSync(path);
      execute(path, "CREATE TABLE settings (x)", "PRAGMA user_version = 3");
    },
  ],
  [
    "gone", // the key of the journals alone says that one was here
    (home, path) => {
      openKeyFile(join(home, "journal.key"));
      rmSync(join(home, "state.begun"));
      rmSync(path);
    },
  ],
  ["other_home", (home, path) => exchange(home, path)],
  [
    "other_home", // with the mark next to it: the key is this home's
    (home, path) => {
      openKeyFile(join(home, "journal.key"));
      openState(home).close();
      exchange(home, path, "with its mark");
    },
  ],
  ["other_home", (home, path) => exchangeNextToLog(home, path)],
  ["other_home", (home, path) => exchangeNextToLog(home, path, "without an id")],
  [
    "other_home", // of a papa-yu that knew no homes
    (_, path) => execute(path, "DELETE FROM settings WHERE key = 'home.identity'"),
  ],
  ["newer", (_, path) => execute(path, "PRAGMA user_version = 999")],
];

/** Another home's database in the place of this one's. */
function exchange(home: string, path: string, how?: "with its mark"): void {
  using other = tempDir();
  rmSync(path);
  openState(other.path).close();
  openKeyFile(join(other.path, "journal.key"));
  openState(other.path).close();
  cpSync(join(other.path, "state.db"), path);
  if (how) cpSync(join(other.path, "state.begun"), join(home, "state.begun"));
}

/** The same, next to the log that a killed process of this home left. */
function exchangeNextToLog(home: string, path: string, how?: "without an id"): void {
  using killed = tempDir();
  {
    using store = openState(home);
    store.run("INSERT INTO settings (key, value) VALUES ('undo.tx', 'mine')");
    cpSync(`${path}-wal`, join(killed.path, "log"));
  }
  exchange(home, path);
  if (how) execute(path, "DELETE FROM settings WHERE key = 'home.identity'");
  cpSync(join(killed.path, "log"), `${path}-wal`);
}

describe("openState()", () => {
  for (const [trouble, damage] of DAMAGES) {
    test(`tells what is ${trouble}, and so does examineState(); nothing is changed`, () => {
      using dir = tempDir();
      begin(dir.path);
      const path = join(dir.path, "state.db");
      damage(dir.path, path);
      const before = readFiles(dir.path);
      expect(troubleOf(() => examineState(dir.path))).toBe(trouble);
      expect(troubleOf(() => openState(dir.path))).toBe(trouble);
      expect(readFiles(dir.path)).toEqual(before);
    });
  }

  test("takes what it cannot see for no database that is missing, and for no other thing", () => {
    using dir = tempDir();
    symlinkSync("state.db", join(dir.path, "state.db")); // leads in a circle
    expect(troubleOf(() => examineState(dir.path))).toBe("disk");
  });

  test("begins a database where none was, for its owner alone, and leaves a mark", () => {
    using dir = tempDir();
    const home = join(dir.path, "home");
    expect(() => examineState(home)).not.toThrow();
    begin(home);
    expect(statSync(join(home, "state.db")).mode & 0o777).toBe(0o600);
    // Whoever finds it alone reads what is missing.
    expect(JSON.parse(readFileSync(join(home, "state.begun"), "utf8"))).toMatchObject({
      about: expect.stringContaining("state.db is papa-yu's database"),
      version: MIGRATIONS.length,
    });
    // A table that has no page of its own begins nowhere.
    using database = new Database(join(home, "state.db"), { readonly: true });
    const sql = "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0";
    const begins = database
      .query(sql)
      .values()
      .map(([name, page]) => [String(name), page]);
    expect(readMark(home).roots).toEqual(Object.fromEntries(begins));
    expect(examineState(home)).toBe("whole");
  });

  test("looks at the pages of a large database alone, and says so", () => {
    using dir = tempDir();
    begin(dir.path);
    const path = join(dir.path, "state.db");
    const LARGE = 64 * 1024 ** 2;
    // Behind its last page there is nothing: a hole.
    truncateSync(path, LARGE);
    expect(examineState(dir.path)).toBe("whole");
    truncateSync(path, LARGE + 1);
    expect(examineState(dir.path)).toBe("pages");
    execute(path, "DELETE FROM settings WHERE key = 'home.identity'");
    truncateSync(path, LARGE + 1);
    expect(troubleOf(() => examineState(dir.path))).toBe("other_home");
  });

  test("copies an older database before its shape changes, and not one of this version", () => {
    using dir = tempDir();
    begin(dir.path);
    begin(dir.path);
    expect(listCopies(dir.path)).toEqual([]);
    const path = join(dir.path, "state.db");
    rmSync(path);
    rmSync(join(dir.path, "state.begun")); // of a papa-yu that knew no homes
    const old = MIGRATIONS.length - 1;
    execute(path, ...MIGRATIONS.slice(0, old), `PRAGMA user_version = ${old}`);
    execute(path, "INSERT INTO settings (key, value) VALUES ('undo.kept', 'before')");
    begin(dir.path);
    const [copy, ...more] = listCopies(dir.path);
    expect(more).toEqual([]);
    expect(copy?.version).toBe(old);
    expect(statSync(copy?.path ?? "").mode & 0o777).toBe(0o600);
    using database = new Database(copy?.path ?? "", { readonly: true });
    expect(createSettings(database).of("undo.").get("kept")).toBe("before");
  });

  test("leaves an older database as it is when it cannot be copied", () => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    const old = MIGRATIONS.length - 1;
    execute(path, ...MIGRATIONS.slice(0, old), `PRAGMA user_version = ${old}`);
    writeFileSync(join(dir.path, "backups"), "in the way");
    expect(() => openState(dir.path)).toThrow(/backups.+only once there is a copy$/u);
    using database = new Database(path);
    expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: old });
  });
});

/** The names and the bytes of all that can be read without waiting. */
function readFiles(home: string): unknown {
  const path = join(home, "state.db");
  const isFifo = statSync(path, { throwIfNoEntry: false })?.isFIFO();
  return isFifo ? readFileSync(join(home, "state.begun"), "utf8") : readTree(home);
}

describe("openState() keeps what is beside the database right", () => {
  test("takes from others what they could do in the home", () => {
    using dir = tempDir();
    begin(dir.path);
    chmodSync(dir.path, 0o777);
    chmodSync(join(dir.path, "state.db"), 0o666);
    openState(dir.path).close();
    expect(statSync(dir.path).mode & 0o077).toBe(0);
    expect(statSync(join(dir.path, "state.db")).mode & 0o022).toBe(0);
  });

  test.each([
    ["of an older version", { version: 1 }],
    ["without the home", { homeId: undefined }],
    ["without the places of tables", { version: 0, roots: {} }],
  ])("writes a mark anew that is %s, and says in it what it is for", (_, wrong) => {
    using dir = tempDir();
    begin(dir.path);
    const mark = join(dir.path, "state.begun");
    const right = readFileSync(mark, "utf8");
    writeFileSync(mark, JSON.stringify({ ...JSON.parse(right), ...wrong }));
    openState(dir.path).close();
    expect(readFileSync(mark, "utf8")).toBe(right);
    expect(JSON.parse(right)).toEqual({
      about: expect.stringContaining("one was here"),
      homeId: expect.stringMatching(/^home_/u),
      version: MIGRATIONS.length,
      roots: expect.objectContaining({ settings: expect.any(Number) }),
    });
  });

  test("leaves a mark alone that is right", () => {
    using dir = tempDir();
    begin(dir.path);
    const mark = join(dir.path, "state.begun");
    const before = statSync(mark, { bigint: true });
    openState(dir.path).close();
    const { ino, mtimeNs } = statSync(mark, { bigint: true });
    expect({ ino, mtimeNs }).toEqual({ ino: before.ino, mtimeNs: before.mtimeNs });
  });
});
