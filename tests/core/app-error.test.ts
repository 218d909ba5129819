import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { AppError, describeDiskError, toAppError } from "../../src/core/app-error.ts";

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
