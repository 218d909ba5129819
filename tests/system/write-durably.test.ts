import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../src/system/write-durably.ts";
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
