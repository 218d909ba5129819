import { describe, expect, test } from "bun:test";
import { mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncTogether, writeDurably } from "../../src/system/write-durably.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";

describe("writeDurably()", () => {
  test("replaces a file, with the mode asked for, and leaves nothing beside it", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.json");
    writeFileSync(path, "old");
    writeDurably(path, "new", 0o640);
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(dir.path)).toEqual(["a.json"]);
  });

  test("leaves the old file and no litter when it cannot write", () => {
    using dir = tempDir();
    const path = join(dir.path, "folder");
    mkdirSync(path);
    expect(() => writeDurably(path, "new")).toThrow();
    expect(readdirSync(dir.path)).toEqual(["folder"]);
  });
});

describe("syncTogether()", () => {
  test("writes more files than may be open at once and leaves none open", async () => {
    using dir = tempDir();
    const names = Array.from({ length: 200 }, (_, index) => `${index}`);
    const opened: number[] = [];
    await syncTogether(
      names.map((name) => () => {
        opened.push(countOpenFiles(dir.path));
        return openSync(join(dir.path, name), "wx");
      }),
    );
    expect(readdirSync(dir.path).toSorted()).toEqual(names.toSorted());
    expect(Math.max(...opened)).toBeLessThanOrEqual(64);
    expect(Math.max(...opened)).toBeGreaterThan(1);
    expect(countOpenFiles(dir.path)).toBe(0);
  });

  test("throws the first failure once every other file is closed", async () => {
    using dir = tempDir();
    const openers = Array.from({ length: 100 }, (_, index) => () => {
      if (index === 70) throw new Error("disk full");
      return openSync(join(dir.path, `${index}`), "wx");
    });
    const failure = await syncTogether(openers).catch((error: unknown) => error);
    expect(failure).toEqual(new Error("disk full"));
    expect(countOpenFiles(dir.path)).toBe(0);
  });
});
