import { describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
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

  test.if(process.platform === "linux")("keeps those open that it was in last", () => {
    using dir = tempDir();
    for (const name of [...FOLDERS, "often"]) mkdirSync(join(dir.path, name));
    using tree = openTree(dir.path);
    for (const name of FOLDERS) {
      tree.has("often/x");
      tree.has(`${name}/x`);
      expect(countOpenFiles(join(dir.path, "often"))).toBe(1);
      expect(countOpenFiles(join(dir.path, name))).toBe(1);
    }
    expect(countOpenFiles(join(dir.path, FOLDERS[0] ?? ""))).toBe(0);
    expect(countOpenFiles(join(dir.path, FOLDERS[30] ?? ""))).toBe(1);
  });

  test("says of what is too large, special or behind a link what it is", () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "large"), "");
    truncateSync(join(dir.path, "large"), 64 * 1024 * 1024 + 1);
    Bun.spawnSync(["mkfifo", join(dir.path, "pipe")]);
    symlinkSync(".", join(dir.path, "link"));
    using tree = openTree(dir.path);
    expect(tree.look("large")).toEqual({ kind: "other", what: "a file over 64 MiB" });
    expect(tree.look("pipe")).toEqual({ kind: "other", what: "a special file" });
    expect(() => tree.look("link/large")).toThrow(/ENOTDIR|ELOOP/u);
    expect(() => tree.has("link/large")).toThrow(/ENOTDIR|ELOOP/u);
    expect(countOpenFiles(join(dir.path, "large"))).toBe(0);
  });

  test("tells a workspace that is gone from one that cannot be opened", () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "file"), "");
    const gone = join(dir.path, "gone");
    expect(() => openTree(gone)).toThrow(
      expect.objectContaining({
        code: "ERR_NOT_FOUND",
        message: `Cannot open the workspace "${gone}": it does not exist any more`,
        cause: expect.objectContaining({ code: "ENOENT" }),
      }),
    );
    expect(() => openTree(join(dir.path, "file"))).toThrow(
      expect.objectContaining({ code: "ERR_IO", message: expect.stringContaining("ENOTDIR") }),
    );
  });

  test.if(process.platform === "linux")(
    "says that a disk does not confirm what was touched",
    () => {
      using dir = tempDir();
      using fine = openTree(dir.path);
      fine.touch("x");
      fine.sync();
      // The folder of this process takes no sync.
      using tree = openTree(`/proc/${process.pid}`);
      tree.at("x");
      tree.sync();
      tree.touch("x");
      expect(() => tree.sync()).toThrow("EINVAL");
    },
  );
});
