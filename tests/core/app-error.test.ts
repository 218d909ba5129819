import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  AppError,
  describeDiskError,
  hasCode,
  orElse,
  toAppError,
} from "../../src/core/app-error.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function fullDatabase(): Database {
  const database = new Database(":memory:");
  database.run("CREATE TABLE t (x)");
  database.run("PRAGMA max_page_count = 2");
  return database;
}

test("toAppError() says ERR_STORE and what to do when the database is full", () => {
  using database = fullDatabase();
  const error = toAppError(
    thrownBy(() => database.run("INSERT INTO t VALUES (?)", ["x".repeat(1e5)])),
  );
  expect(error).toMatchObject({
    code: "ERR_STORE",
    message: "Cannot use the database: database or disk is full; free some space on the disk",
  });
});

test("toAppError() says ERR_IO and what to do when the disk refuses", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  expect(toAppError(full)).toMatchObject({
    code: "ERR_IO",
    message: "Cannot go on: ENOSPC: no space left on device, write; free some space on the disk",
  });
});

test("toAppError() calls a defect ERR_INTERNAL, whatever its code is", () => {
  for (const code of ["constructor", "ERR_ASSERTION", undefined]) {
    const bug = Object.assign(new Error("bug"), { code });
    expect(toAppError(bug)).toMatchObject({ code: "ERR_INTERNAL", message: "bug" });
  }
});

test("describeDiskError() leaves out the path, which may be a descriptor's", () => {
  const error = thrownBy(() => readFileSync("/no/such/file"));
  expect(describeDiskError(error)).toBe("ENOENT: no such file or directory");
  const ours = new AppError("ERR_IO", "Cannot read a, b");
  expect(describeDiskError(ours)).toBe("Cannot read a, b");
});

test("orElse() gives the other only for a failure that is expected, and throws on every other", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  const isExpected = hasCode("ENOENT", "EEXIST");
  const fate = (work: () => string) => {
    try {
      return orElse(work, isExpected, (error) => `instead of ${String(error)}`);
    } catch (error) {
      return `thrown ${String(error)}`;
    }
  };
  expect(fate(() => "done")).toBe("done");
  expect(fate(failing("ENOENT"))).toBe("instead of Error: ENOENT");
  expect(fate(failing("EEXIST"))).toBe("instead of Error: EEXIST");
  for (const code of ["EACCES", "ENOEN", "", "SQLITE_BUSY"]) {
    expect(fate(failing(code))).toBe(code === "" ? "thrown Error" : `thrown Error: ${code}`);
  }
  expect(
    fate(() => {
      throw new TypeError("a defect");
    }),
  ).toBe("thrown TypeError: a defect");
  const again = () => orElse(failing("ENOENT"), isExpected, failing("EIO"));
  expect(again).toThrow("EIO");
});
