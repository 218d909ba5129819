import { describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { hasContent, holds, openTree } from "../../src/transaction/tree.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { tempDir } from "../support/temp.ts";

const FOLDERS = Array.from({ length: 50 }, (_, n) => `d${n}`);

describe("openTree()", () => {
  test.if(process.platform === "linux")("holds few folders open, however many it works in", () => {
    using dir = tempDir();
    for (const name of FOLDERS) mkdirSync(join(dir.path, name));
    {
      using tree = openTree(dir.path);
      for (const name of FOLDERS) {
        writeFileSync(tree.touch(`${name}/a.txt`), name);
        expect(countOpenFiles(dir.path)).toBeLessThanOrEqual(33);
      }
      // Those that were let go are opened again.
      for (const name of FOLDERS) {
        expect(tree.look(`${name}/a.txt`)).toMatchObject({ state: { sha256: sha256(name) } });
      }
      tree.sync();
    }
    expect(countOpenFiles(dir.path)).toBe(0);
  });

  test("says what is at a path, and follows nothing", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "d"), { mode: 0o750 });
    writeFileSync(join(dir.path, "d/a.txt"), "a", { mode: 0o640 });
    symlinkSync("a.txt", join(dir.path, "d/link"));
    symlinkSync("nowhere", join(dir.path, "d/dangling"));
    using tree = openTree(dir.path);
    const state = { sha256: sha256("a"), mode: 0o640, sizeBytes: 1 };
    const file = tree.look("d/a.txt");
    expect(file).toMatchObject({ kind: "file", state });
    expect(tree.look("d")).toEqual({ kind: "folder", mode: 0o750 });
    for (const link of ["d/link", "d/dangling"]) {
      expect(tree.look(link)).toEqual({ kind: "other", what: "a symbolic link" });
    }
    for (const path of ["gone", "gone/deeper", "d/gone"]) {
      expect(tree.look(path)).toEqual({ kind: "nothing" });
      expect(tree.has(path)).toBe(false);
    }
    for (const path of ["d", "d/a.txt", "d/link", "d/dangling"]) expect(tree.has(path)).toBe(true);
    expect(tree.list("d").toSorted()).toEqual(["a.txt", "dangling", "link"]);
    tree.setMode("d", 0o4711); // lends nobody's rights
    expect(lstatSync(join(dir.path, "d")).mode & 0o7777).toBe(0o711);
    const others = [
      { ...state, mode: 0o600 },
      { ...state, sha256: sha256("b") },
    ];
    expect(others.map((other) => [hasContent(file, other), holds(file, other)])).toEqual([
      [true, false],
      [false, false],
    ]);
    expect([hasContent(file, state), holds(file, state)]).toEqual([true, true]);
    expect(hasContent(tree.look("d"), state)).toBe(false);
  });
});
