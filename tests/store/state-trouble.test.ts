import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openState } from "../../src/store/open/open.ts";
import { openStore } from "../../src/store/open/open-database.ts";
import { isRepairable, toStateError } from "../../src/store/open/state-trouble.ts";
import { doctorWordsIn } from "../../src/texts/doctor/doctor.ts";
import { STATE_ADVICE } from "../../src/texts/state-troubles.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = Bun.fileURLToPath(new URL("./open-child.ts", import.meta.url));
const NOBODY = 65_534;

/** What a write that fails is told as. */
function troubleOf(path: string, write: () => unknown): string {
  try {
    write();
    return "none";
  } catch (error) {
    return toStateError(error, path).trouble;
  }
}

test("toStateError() tells a full, a read-only and a locked database apart, by what SQLite throws", () => {
  using dir = tempDir();
  using store = openState(dir.path);
  const path = join(dir.path, "state.db");
  const big = "x".repeat(100_000);
  store.run(`PRAGMA max_page_count = ${readFileSync(path).length / 4096}`);
  const write = () => store.run("INSERT INTO settings (key, value) VALUES ('a', ?)", [big]);
  expect(troubleOf(path, write)).toBe("full");
  using readonly = new Database(path, { readonly: true });
  expect(troubleOf(path, () => readonly.run("DELETE FROM settings"))).toBe("read_only");
  store.run("BEGIN IMMEDIATE");
  using other = new Database(path);
  expect(troubleOf(path, () => other.run("DELETE FROM settings"))).toBe("locked");
  store.run("ROLLBACK");
});

test.each([
  ["a folder", "-wal", (path: string) => mkdirSync(path)],
  ["a folder", "-shm", (path: string) => mkdirSync(path)],
  ["a folder", "-journal", (path: string) => mkdirSync(path)],
  ["a pipe", "-wal", (path: string) => Bun.spawnSync(["mkfifo", path])],
  ["a link to a folder", "-wal", (path: string) => symlinkSync("/proc", path)],
] as const)("openState() says that %s is where SQLite keeps state.db%s", (_, ending, make) => {
  using dir = tempDir();
  openState(dir.path).close();
  const path = join(dir.path, "state.db");
  make(path + ending);
  const before = readFileSync(path);
  const trouble = troubleOf(path, () => {
    openState(dir.path).close();
  });
  expect(trouble).toBe("no_log");
  expect(readFileSync(path)).toEqual(before);
});

test("openState() says that no descriptor is left", () => {
  using dir = tempDir();
  openState(dir.path).close();
  const few = 'ulimit -n 200; exec "$0" "$@"';
  const argv = ["sh", "-c", few, process.execPath, CHILD, dir.path, "crowded"];
  const { stdout } = Bun.spawnSync(argv);
  expect(stdout.toString()).toBe("descriptors");
});

test("openState() says that a file is somebody else's", () => {
  using dir = tempDir();
  openState(dir.path).close();
  const path = join(dir.path, "state.db");
  const isRoot = process.getuid?.() === 0;
  chmodSync(path, 0o000);
  if (isRoot) chownSync(dir.path, NOBODY, NOBODY);
  // Root may do everything, but as somebody else. The program is read before.
  const drop = `process.setgid(${NOBODY}); process.setuid(${NOBODY});`;
  const code = `const { openState } = await import(${JSON.stringify(join(import.meta.dir, "../../src/store/open/open.ts"))});
${isRoot ? drop : ""}
try { openState(${JSON.stringify(dir.path)}); } catch (error) { process.stdout.write(String(error.trouble)); }`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", code]);
  expect(stdout.toString()).toBe("denied");
});

test.each([
  ["locked", "ERR_STORE", "SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_LOCKED"],
  ["full", "ERR_STORE", "SQLITE_FULL ENOSPC EDQUOT EFBIG"],
  ["read_only", "ERR_STORE", "SQLITE_READONLY SQLITE_READONLY_DBMOVED EROFS"],
  ["denied", "ERR_STORE", "SQLITE_PERM EACCES EPERM"],
  ["damaged", "ERR_STORE_DAMAGED", "SQLITE_CORRUPT SQLITE_CORRUPT_VTAB"],
  ["no_database", "ERR_STORE_DAMAGED", "SQLITE_NOTADB"],
  ["descriptors", "ERR_STORE", "EMFILE ENFILE"],
  ["no_file", "ERR_STORE_DAMAGED", "EISDIR ENXIO"],
  ["disk", "ERR_STORE", "SQLITE_IOERR SQLITE_CANTOPEN EIO EWHATEVER"],
] as const)(
  "toStateError() calls %s, with %s, what the system calls %s",
  (trouble, code, names) => {
    using dir = tempDir();
    const path = join(dir.path, "state.db");
    writeFileSync(path, "");
    for (const name of names.split(" ")) {
      const error = Object.assign(new Error("what it says"), { code: name });
      const told = toStateError(error, path);
      expect([name, told.trouble, told.code]).toEqual([name, trouble, code]);
      expect(told.details).toEqual({ trouble });
      expect(told.reason).toBe("what it says");
      expect(told.cause).toBe(error);
      expect(told.message).toBe(
        `Cannot open the database "${path}": what it says; ${STATE_ADVICE[trouble]}`,
      );
      expect(toStateError(told, "elsewhere")).toBe(told);
    }
  },
);

test("toStateError() asks the system where SQLite does not know why", () => {
  using dir = tempDir();
  const error = (code: string) => Object.assign(new Error("x"), { code });
  const troubleAt = (path: string, code: string) => toStateError(error(code), path).trouble;
  expect(troubleAt(dir.path, "SQLITE_CANTOPEN")).toBe("no_file");
  expect(troubleAt(dir.path, "SQLITE_READONLY")).toBe("no_file");
  expect(troubleAt(dir.path, "SQLITE_CORRUPT")).toBe("damaged");
  expect(troubleAt(join(dir.path, "gone"), "SQLITE_IOERR")).toBe("disk");
  expect(toStateError("rubbish", dir.path).trouble).toBe("no_file");
});

test.each(["en", "ru", "zh"] as const)(
  "in %s nobody is told to move or delete what is not at fault",
  (language) => {
    const { advice } = doctorWordsIn(language).database;
    for (const trouble of [
      "locked",
      "full",
      "read_only",
      "denied",
      "descriptors",
      "newer",
      "disk",
    ] as const) {
      expect(isRepairable(trouble)).toBe(false);
      expect(advice[trouble]).not.toMatch(/move|delete|repair|begin|удал|перемест|删除|移/);
    }
    for (const trouble of [
      "gone",
      "empty",
      "no_file",
      "foreign",
      "no_database",
      "damaged",
    ] as const) {
      expect(isRepairable(trouble)).toBe(true);
      expect(advice[trouble]).toContain("papayu doctor --repair");
    }
  },
);

test("openStore() of a locked database waits, and then says that nothing is wrong with it", () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  using holder = openStore(path);
  holder.run("PRAGMA locking_mode = EXCLUSIVE");
  holder.run("BEGIN EXCLUSIVE");
  expect(() => openStore(path)).toThrow(/another program holds it and nothing is wrong with it/);
  holder.run("ROLLBACK");
});
