import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  beginLog,
  bindToHome,
  hasLogOfOtherHome,
  IDENTITY_KEY,
  isFileOfOtherHome,
  isOfOtherHome,
  KEY_FILE,
  markHome,
  readHomeId,
} from "../../src/store/open/home-identity.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { begunPath } from "../../src/store/open/state-files.ts";
import { readMark } from "../../src/store/open/state-mark.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { tempDir } from "../support/temp.ts";

const KEY = "ab".repeat(32);
const OTHER_KEY = "cd".repeat(32);
const seal = (id: string, key = KEY) =>
  createHmac("sha256", Buffer.from(key, "hex")).update(`state.db of ${id}`).digest("hex");

interface Identity {
  readonly id: string;
  readonly seal?: string;
}

/** A database that says whose it is, or not, or rubbish. */
function put(database: Database, identity: Identity | "none" | "rubbish"): Database {
  const sql = "INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)";
  if (identity === "rubbish") database.query(sql).run(IDENTITY_KEY, "rubbish");
  else if (identity !== "none") createSettings(database).of("home.identity").set("", identity);
  return database;
}

/** A home that knows its id, its key, both or nothing. */
function makeHome({ id, key }: { readonly id?: string; readonly key?: string }) {
  const dir = tempDir();
  if (id !== undefined) {
    writeFileSync(begunPath(dir.path), JSON.stringify({ homeId: id, version: 1, roots: {} }));
  }
  if (key !== undefined) writeFileSync(join(dir.path, KEY_FILE), `${key}\n`);
  return dir;
}

const A = { id: "home_a" };
const SEALED = { ...A, seal: seal("home_a") };
const STRANGE = { ...A, seal: seal("home_a", OTHER_KEY) };

describe("isOfOtherHome()", () => {
  test.each<readonly [boolean, Identity | "none" | "rubbish", Parameters<typeof makeHome>[0]]>([
    [false, A, { id: "home_a" }],
    [false, SEALED, { id: "home_a", key: KEY }],
    [false, A, { id: "home_a", key: KEY }],
    [false, SEALED, { id: "home_a" }],
    [false, A, {}],
    [false, STRANGE, {}],
    [false, SEALED, { key: KEY }],
    [true, STRANGE, { key: KEY }],
    [true, STRANGE, { id: "home_a", key: KEY }],
    [true, A, { id: "home_b" }],
    [true, SEALED, { id: "home_b", key: KEY }],
    [true, "none", { id: "home_b" }],
    [false, "none", {}],
    [false, "none", { key: KEY }],
    [false, "rubbish", { id: "home_b", key: KEY }],
  ])("is %p for %j in a home that knows %j", (is, identity, known) => {
    using home = makeHome(known);
    using database = put(memoryStore(), identity);
    expect(isOfOtherHome(database, home.path)).toBe(is);
  });
});

describe("isFileOfOtherHome() and hasLogOfOtherHome()", () => {
  /** A file that says whose it is, and what is beside it. */
  function file(
    identity: Identity | "none",
    log: "no log" | "an empty log" | "a log" | "a folder",
  ) {
    const home = makeHome({ id: "home_b" });
    const path = join(home.path, "x.db");
    put(openStore(path), identity).close();
    if (log === "an empty log") writeFileSync(`${path}-wal`, "");
    if (log === "a log") writeFileSync(`${path}-wal`, "frames");
    if (log === "a folder") mkdirSync(`${path}-wal`);
    return { path, [Symbol.dispose]: () => home[Symbol.dispose](), home: home.path };
  }

  test.each([
    ["another's", A, "no log", { file: true, older: true, log: false }],
    ["another's", A, "an empty log", { file: true, older: true, log: false }],
    ["another's", A, "a log", { file: true, older: true, log: true }],
    // What cannot be opened says nothing.
    ["another's", A, "a folder", { file: false, older: false, log: false }],
    ["its own", { id: "home_b" }, "a log", { file: false, older: false, log: false }],
    ["its own", { id: "home_b" }, "no log", { file: false, older: false, log: false }],
    ["one of nobody", "none", "no log", { file: true, older: false, log: false }],
    ["one of nobody", "none", "a log", { file: true, older: true, log: true }],
  ] as const)("of %s %j beside %s", (_, identity, log, expected) => {
    using at = file(identity, log);
    expect({
      log: hasLogOfOtherHome(at.path, at.home),
      file: isFileOfOtherHome(at.path, at.home),
      older: isFileOfOtherHome(at.path, at.home, "or older"),
    }).toEqual(expected);
  });

  test("know nothing of a file that is damaged", () => {
    using home = makeHome({ id: "home_b" });
    const path = join(home.path, "x.db");
    writeFileSync(path, "words ".repeat(2000));
    writeFileSync(`${path}-wal`, "frames");
    expect(hasLogOfOtherHome(path, home.path)).toBe(false);
    expect(isFileOfOtherHome(path, home.path)).toBe(false);
  });
});

describe("bindToHome()", () => {
  const changes = (database: Database) =>
    database.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
  const stored = (database: Database) => createSettings(database).of("home.identity").get("");

  test.each<readonly [Identity | "none", Parameters<typeof makeHome>[0], Identity]>([
    [A, {}, A],
    [A, { key: KEY }, SEALED],
    ["none", { id: "home_a", key: KEY }, SEALED],
    [{ id: "home_b" }, { id: "home_a" }, A],
    // It can be sealed no more, and the key that is gone tells nothing.
    [STRANGE, { key: KEY }, SEALED],
    [SEALED, {}, A],
  ])("makes of %j in a home that knows %j %j, once", (found, known, expected) => {
    using home = makeHome(known);
    using database = put(memoryStore(), found);
    bindToHome(database, home.path);
    expect(stored(database)).toEqual(expected);
    const before = changes(database);
    bindToHome(database, home.path);
    expect(changes(database)).toBe(before);
  });

  test("gives a home that has none a new id", () => {
    using home = makeHome({});
    using database = memoryStore();
    bindToHome(database, home.path);
    expect(readHomeId(database)).toMatch(/^home_/u);
  });

  test("beginLog() writes it once more, where there is any", () => {
    using database = memoryStore();
    const before = changes(database);
    beginLog(database);
    expect(changes(database)).toBe(before);
    put(database, SEALED);
    const bound = changes(database);
    beginLog(database);
    expect(changes(database)).toBeGreaterThan(bound);
    expect(stored(database)).toEqual(SEALED);
  });
});

describe("markHome()", () => {
  test("names the home once the file itself does, and keeps what is known until then", () => {
    using home = makeHome({});
    const path = join(home.path, "state.db");
    using database = put(openStore(path), A);
    const known = () => readMark(home.path).homeId;
    {
      using reader = openStore(path);
      reader.run("BEGIN");
      reader.query("SELECT count(*) FROM settings").get();
      put(database, { id: "home_b" });
      markHome(home.path, database);
      expect(known()).toBeUndefined();
      reader.run("ROLLBACK");
    }
    // Where the log cannot be brought into the file at all.
    database.transaction(() => markHome(home.path, database))();
    expect(known()).toBeUndefined();
    markHome(home.path, database);
    expect(known()).toBe("home_b");
    put(database, A);
    database.transaction(() => markHome(home.path, database))();
    expect(known()).toBe("home_b");
    put(database, { id: "home_b" });
    // It is known already: nothing has to be in the file for that.
    database.transaction(() => markHome(home.path, database))();
    expect(known()).toBe("home_b");
    expect(readMark(home.path).roots).toHaveProperty("settings");
  });
});
