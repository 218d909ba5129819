import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { nameProcess } from "../../src/system/processes/processes.ts";
import { copyFolder } from "../../src/transaction/view/copy-folder.ts";
import { findUnusedKept, keepCommitted } from "../../src/transaction/view/kept.ts";
import { removeFolder } from "../../src/transaction/view/remove-folder.ts";
import {
  ensureViewsDir,
  makeViewFolder,
  removeOldViews,
} from "../../src/transaction/view/view-folder.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { IS_ROOT } from "../support/root.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("copyFolder()", () => {
  test("copies modes, times and links but for one name, and lends nobody's rights", async () => {
    using dir = tempDir();
    const [from, to] = [join(dir.path, "from"), join(dir.path, "to")];
    mkdirSync(to);
    writeTree(from, { "d/in/a": "a", "d/left/b": "b", "left/c": "c", tool: "#!", e: "" });
    symlinkSync("d/in", join(from, "link"));
    symlinkSync("nowhere", join(from, "d/dangling"));
    Bun.spawnSync(["mkfifo", join(from, "pipe")]);
    chmodSync(join(from, "tool"), 0o4755);
    chmodSync(join(from, "d/in/a"), 0o400);
    chmodSync(join(from, "d/in"), 0o1770);
    for (const [n, path] of ["d/in/a", "d/in", "d", "e", "link"].entries()) {
      lutimesSync(join(from, path), 1000 + n, 2000 + n);
    }
    chmodSync(from, 0o2750);
    const copied = await copyFolder({ from, to, leftOut: "left", signal });
    expect(["clone", "copy"]).toContain(copied.kind);
    const wanted: Record<string, string> = { ...readTree(from), tool: `file 755 ${sha256("#!")}` };
    for (const path of ["left/", "left/c", "pipe"]) delete wanted[path];
    expect(readTree(to)).toEqual({ ...wanted, "d/in/": "dir 770" });
    expect(lstatSync(to).mode & 0o7777).toBe(0o750);
    for (const path of ["d/in/a", "d/in", "d", "e", "link"]) {
      const [old, now] = [lstatSync(join(from, path)), lstatSync(join(to, path))];
      expect([path, now.mtimeMs]).toEqual([path, old.mtimeMs]);
    }
    expect(lstatSync(join(to, "d/in/a")).ino).not.toBe(lstatSync(join(from, "d/in/a")).ino);
    expect(countOpenFiles(dir.path)).toBe(0);
  });

  test("counts each entry once, whatever it is", async () => {
    using dir = tempDir();
    const from = join(dir.path, "from");
    writeTree(from, { "d/a": "a", b: "b" });
    symlinkSync("b", join(from, "link"));
    const copy = (entries: number) => {
      const to = join(dir.path, `to${entries}`);
      mkdirSync(to);
      const most = { bytes: Infinity, entries };
      return copyFolder({ from, to, leftOut: "", signal, most });
    };
    expect((await copy(4)).kind).not.toBe("none");
    const reason = "it is over 3 files, too much to copy";
    expect(await copy(3)).toEqual({ kind: "none", reason });
    expect(countOpenFiles(dir.path)).toBe(0);
  });
});

describe("removeFolder()", () => {
  test("removes what no plain removal can, and follows no link", async () => {
    using dir = tempDir();
    const [outside, folder] = [join(dir.path, "outside"), join(dir.path, "folder")];
    writeTree(outside, { kept: "kept" });
    mkdirSync(folder);
    symlinkSync(outside, join(folder, "link"));
    writeTree(folder, { "d/a": "a", ".removed/mine": "m" });
    // Longer than any path that the kernel takes, and names that are no text.
    const script = `import os
for _ in range(30):
    os.mkdir("a-rather-long-name" * 12)
    os.chdir("a-rather-long-name" * 12)
open("bottom", "w"); open(b"no\\377text", "w"); os.mkdir(b"no\\377folder"); os.symlink(${JSON.stringify(outside)}, "out")`;
    const made = Bun.spawnSync(["python3", "-c", script], { cwd: folder });
    expect(made.stderr.toString()).toBe("");
    chmodSync(folder, 0o500);
    expect(await removeFolder(folder)).toBe(true);
    expect(readdirSync(dir.path)).toEqual(["outside"]);
    expect(readdirSync(outside)).toEqual(["kept"]);
  });

  test("is done where nothing is, and says where something is left", async () => {
    using dir = tempDir();
    expect(await removeFolder(join(dir.path, "none"))).toBe(true);
    expect(await removeFolder(join(dir.path, "none/deeper"))).toBe(true);
    expect(await removeFolder("/proc/self/task")).toBe(false);
  });
});

describe("ensureViewsDir()", () => {
  test("makes a folder for its owner alone, by its real path", () => {
    using dir = tempDir();
    const path = join(dir.path, "home/views");
    expect(ensureViewsDir(path)).toBe(realpathSync(path));
    expect(lstatSync(path).mode & 0o777).toBe(0o700);
    for (const mode of [0o755, 0o500, 0o700]) {
      chmodSync(path, mode);
      ensureViewsDir(path);
      expect(lstatSync(path).mode & 0o777).toBe(0o700);
    }
    symlinkSync("home", join(dir.path, "link"));
    expect(ensureViewsDir(join(dir.path, "link/views"))).toBe(realpathSync(path));
  });

  test("refuses what is no folder of its user's own", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "real"));
    symlinkSync("real", join(dir.path, "link"));
    writeFileSync(join(dir.path, "file"), "");
    const refusal = expect.objectContaining({ code: "ERR_IO" });
    for (const name of ["link", "file"]) {
      expect(() => ensureViewsDir(join(dir.path, name))).toThrow(refusal);
    }
  });

  test.if(IS_ROOT)("refuses a folder of somebody else", () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "real"));
    Bun.spawnSync(["chown", "12345", join(dir.path, "real")]);
    expect(() => ensureViewsDir(join(dir.path, "real"))).toThrow("it is no folder of your own");
  });
});

describe("removeOldViews()", () => {
  /** Of a process that is gone: no system counts so far. */
  const GONE = "4194999-1.1";

  test("removes views whose process is gone, a few at a time, and nothing else", async () => {
    using dir = tempDir();
    const old = Array.from({ length: 18 }, (_, n) => `${GONE}.${String(n).padStart(2, "0")}`);
    const others = ["4194999", "4194999-", "mine.x", `x${GONE}.1`, "no-view"];
    const own = makeViewFolder(dir.path);
    expect(own).toStartWith(join(dir.path, `${nameProcess()}.`));
    expect(lstatSync(own).mode & 0o777).toBe(0o700);
    for (const name of [...old, ...others]) writeTree(dir.path, { [`${name}/upper/x`]: "x" });
    await removeOldViews(dir.path);
    const left = readdirSync(dir.path);
    expect(left.filter((name) => old.includes(name))).toHaveLength(2);
    await removeOldViews(dir.path);
    expect(readdirSync(dir.path).toSorted()).toEqual(
      [...others, own.slice(dir.path.length + 1)].toSorted(),
    );
  });

  test("removes kept folders that no view uses", async () => {
    using dir = tempDir();
    for (const number of [1, 2]) writeTree(dir.path, { [`kept-a-${number}/marks.json`]: "{}" });
    await removeOldViews(dir.path);
    expect(readdirSync(dir.path)).toEqual(["kept-a-2"]);
  });
});

describe("findUnusedKept()", () => {
  const NOW = Date.UTC(2026, 0, 1);

  /** Folders with the age of their note. */
  function lay(dir: string, ages: Readonly<Record<string, number>>): void {
    for (const [name, ageMs] of Object.entries(ages)) {
      const path = join(dir, name, "marks.json");
      writeTree(dir, { [`${name}/marks.json`]: "{}" });
      utimesSync(path, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
    }
  }

  test("names what is not the newest of its workspace, what is old, and what waits too long", () => {
    using dir = tempDir();
    lay(dir.path, {
      "kept-a-1": 0,
      "kept-a-9": 0,
      "kept-a-10": 0,
      "kept-b-3": 14 * DAY_MS,
      "kept-c-3": 14 * DAY_MS + 2000,
      "kept-d-1": 0,
      "waits-a": DAY_MS,
      "waits-b": DAY_MS + 2000,
      other: 99 * DAY_MS,
    });
    mkdirSync(join(dir.path, "kept-e-1")); // without a note: as old as can be
    writeTree(dir.path, { "view.1/uses": "kept-a-1", "view.2/uses": "kept-d-1" });
    expect(findUnusedKept(dir.path, NOW).toSorted()).toEqual(
      ["kept-a-9", "kept-c-3", "kept-e-1", "waits-b"].toSorted(),
    );
    expect(findUnusedKept(join(dir.path, "none"), NOW)).toEqual([]);
  });
});

describe("keepCommitted()", () => {
  const ROOT = "/a/workspace";
  const waiting = `waits-${sha256(ROOT).slice(0, 16)}`;
  const lay = (dir: string, note: object) =>
    writeTree(dir, {
      [`${waiting}/marks.json`]: JSON.stringify(note),
      [`${waiting}/layer/x`]: "x",
    });

  test("gives what waited for exactly this change set its name", () => {
    using dir = tempDir();
    lay(dir.path, { until: "cs", name: "kept-x-2" });
    keepCommitted(dir.path, ROOT, "other");
    keepCommitted(dir.path, "/another/workspace", "cs");
    expect(readdirSync(dir.path)).toEqual([waiting]);
    keepCommitted(dir.path, ROOT, "cs");
    expect(readdirSync(dir.path)).toEqual(["kept-x-2"]);
    keepCommitted(dir.path, ROOT, "cs");
  });

  test.each(["x-2", "kept-../x", "kept-a/b", ""])("gives none the name %j", (name) => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "kept-a"));
    lay(dir.path, { until: "cs", name });
    keepCommitted(dir.path, ROOT, "cs");
    expect(readdirSync(dir.path).toSorted()).toEqual(["kept-a", waiting]);
    expect(readdirSync(join(dir.path, "kept-a"))).toEqual([]);
  });

  test("leaves another that was first, and is no reason to fail", () => {
    using dir = tempDir();
    lay(dir.path, { until: "cs", name: "kept-x-2" });
    writeTree(dir.path, { "kept-x-2/layer/first": "1" });
    keepCommitted(dir.path, ROOT, "cs");
    expect(readdirSync(join(dir.path, "kept-x-2/layer"))).toEqual(["first"]);
    rmSync(join(dir.path, waiting, "marks.json"));
    keepCommitted(dir.path, ROOT, "cs");
  });
});
