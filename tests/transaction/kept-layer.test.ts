import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type OverlayCalls, openOverlayCalls } from "../../src/system/sandbox/overlay/overlay.ts";
import { openTree } from "../../src/transaction/tree.ts";
import { expectTree } from "../../src/transaction/view/expected.ts";
import { isStillKept } from "../../src/transaction/view/is-kept.ts";
import { mergeBelow, pruneToIgnored } from "../../src/transaction/view/kept-layer.ts";
import { markFolder } from "../../src/transaction/view/mark.ts";
import { markHidden } from "../../src/transaction/view/mark-hidden.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

/** A workspace and two layers on top of it, on a disk that keeps what overlayfs notes. */
function openScene() {
  const dir = tempDir();
  const calls = openOverlayCalls();
  if (!calls) throw new Error("no overlay here");
  const [root, upper, below] = [
    join(dir.path, "root"),
    join(dir.path, "upper"),
    join(dir.path, "below"),
  ] as const;
  for (const folder of [root, upper, below]) mkdirSync(folder);
  return {
    calls,
    root,
    upper,
    below,
    [Symbol.dispose]() {
      calls[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** Makes a folder that hides what is below it. */
function makeOpaque(calls: OverlayCalls, path: string): void {
  mkdirSync(path, { recursive: true });
  calls.setOpaque(path);
}

/** What all below a folder takes on the disk, and how much it is. */
function measure(folder: string): { readonly bytes: number; readonly entries: number } {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const bytes = names.reduce((sum, name) => sum + lstatSync(join(folder, name)).blocks * 512, 0);
  return { bytes, entries: names.length };
}

describe.if(hasOverlay)("mergeBelow()", () => {
  test("adds what was kept before and is not hidden, as the same files", async () => {
    using scene = openScene();
    const { calls, upper, below } = scene;
    writeTree(below, { "one/f": "1", "two/f": "old", "two/g": "g", three: "3", "four/f": "4" });
    chmodSync(join(below, "one"), 0o1751);
    makeOpaque(calls, join(below, "shut/in"));
    makeOpaque(calls, join(below, "both"));
    writeTree(below, { "again/f": "5", "both/a": "a" });
    writeTree(upper, { "two/f": "new", "both/b": "b", four: "a file now" });
    calls.makeWhiteout(join(upper, "three"));
    makeOpaque(calls, join(upper, "again"));
    const before = readTree(below);
    expect(await mergeBelow(upper, below, calls)).toBe("merged");
    expect(readTree(below)).toEqual(before);
    expect(readdirSync(upper).toSorted()).toEqual([
      "again",
      "both",
      "four",
      "one",
      "shut",
      "three",
      "two",
    ]);
    expect(readdirSync(join(upper, "again"))).toEqual([]);
    expect(readdirSync(join(upper, "both")).toSorted()).toEqual(["a", "b"]);
    expect(lstatSync(join(upper, "three")).isCharacterDevice()).toBe(true);
    expect(lstatSync(join(upper, "four")).isFile()).toBe(true);
    expect(Bun.file(join(upper, "two/f")).size).toBe(3);
    for (const path of ["one/f", "two/g", "both/a"]) {
      expect(statSync(join(upper, path)).ino).toBe(statSync(join(below, path)).ino);
    }
    expect(statSync(join(upper, "two/f")).nlink).toBe(1);
    expect(statSync(join(upper, "one")).mode & 0o7777).toBe(0o1751);
    const opaque = ["again", "both", "shut/in", "shut", "one", "two"];
    expect(opaque.filter((path) => calls.isOpaque(join(upper, path)))).toEqual(opaque.slice(0, 3));
  });

  test("holds so much and no more, whichever of the two it is from", async () => {
    for (const part of ["bytes", "entries"] as const) {
      for (const less of [0, 1]) {
        using scene = openScene();
        const { calls, upper, below } = scene;
        writeTree(upper, { "a/b/c": "c".repeat(5000), d: "d" });
        writeTree(below, { "a/e": "e".repeat(5000), "f/g/h": "h" });
        const all = measure(upper);
        const more = measure(below);
        // The folder that both have counts once.
        const entries = all.entries + more.entries - 1;
        const shared = lstatSync(join(below, "a")).blocks * 512;
        const bytes = all.bytes + more.bytes - shared;
        const most = { bytes: Infinity, entries: Infinity };
        most[part] = { bytes, entries }[part] - less;
        const expected = less === 0 ? "merged" : "too much";
        expect([part, await mergeBelow(upper, below, calls, most)]).toEqual([part, expected]);
      }
    }
  });

  test("counts what is there alone where nothing was kept before", async () => {
    using scene = openScene();
    writeTree(scene.upper, { "a/b": "b" });
    const most = (entries: number) => ({ bytes: Infinity, entries });
    const merge = (entries: number) =>
      mergeBelow(scene.upper, undefined, scene.calls, most(entries));
    expect([await merge(2), await merge(1)]).toEqual(["merged", "too much"]);
  });
});

describe.if(hasOverlay)("pruneToIgnored()", () => {
  async function prune({ root, upper, calls }: ReturnType<typeof openScene>) {
    using tree = openTree(root);
    return pruneToIgnored({ root, upper }, expectTree(tree, undefined), calls);
  }

  test("leaves ignored folders in the project's own, and nothing else", async () => {
    using scene = openScene();
    const { calls, root, upper } = scene;
    writeTree(root, {
      ".gitignore": "/build\nout/\n*.log\nwarm/\n",
      "d/a.txt": "a",
      "idle/a.txt": "a",
      "far/down/a.txt": "a",
      "was/x.txt": "x",
      "warm/real/y": "y",
      file: "f",
      "link-to/z": "z",
      ".papa-yu/tx/t": "mine",
    });
    writeTree(upper, {
      "build/b": "b",
      "d/a.txt": "b",
      "d/out/deep/o": "o",
      "d/x.log": "l",
      "idle/a.txt": "b",
      "far/down/out/o": "o",
      "new/out/o": "o",
      "was/out/o": "o",
      "warm/real/y": "2",
      "file/out/o": "o",
      "bare/in/x": "x",
      ".git/hook": "h",
      ".git/out/o": "h",
      ".papa-yu/cache/c": "c",
      ".papa-yu/tx/t": "t",
      "d/.papa-yu/cache/c": "c",
      "s.txt": "s",
    });
    calls.setOpaque(join(upper, "was"));
    calls.makeWhiteout(join(upper, "gone"));
    const kept = await prune(scene);
    expect(kept.toSorted()).toEqual([".papa-yu/cache", "build", "d/out", "far/down/out", "warm"]);
    const left = readdirSync(upper, { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => lstatSync(join(upper, path)).isFile()).toSorted()).toEqual([
      ".papa-yu/cache/c",
      "build/b",
      "d/out/deep/o",
      "far/down/out/o",
      "warm/real/y",
    ]);
    expect(readdirSync(upper).toSorted()).toEqual([".papa-yu", "build", "d", "far", "warm"]);
    expect(readdirSync(join(upper, "d"))).toEqual(["out"]);
  });

  test("keeps of what git keeps nothing, whatever became of it, and the rest beside it", async () => {
    using scene = openScene();
    const { calls, root, upper } = scene;
    const names = ["a", "deep/b", "deep/c", "shut/d", "turned/e", "folder", "as/it/was"];
    const files = [...names.map((name) => `out/${name}`), "all/f"];
    writeTree(root, {
      ".gitignore": "out/\nall/\n",
      ...Object.fromEntries(files.map((f) => [f, "1"])),
    });
    const git = (...argv: string[]) => Bun.spawnSync(["git", "-C", root, ...argv]).exitCode;
    expect([git("init", "-q"), git("add", "-f", ...files)]).toEqual([0, 0]);
    writeTree(upper, {
      "out/a": "2",
      "out/free": "2",
      "out/deep/b": "2",
      "out/deep/free": "2",
      "out/shut/free": "2",
      "out/turned": "a file now",
      "out/folder/free": "2",
      "all/free": "2",
    });
    calls.makeWhiteout(join(upper, "out/deep/c"));
    calls.setOpaque(join(upper, "out/shut"));
    calls.setOpaque(join(upper, "all"));
    expect(await prune(scene)).toEqual(["out"]);
    const left = readdirSync(upper, { recursive: true, encoding: "utf8" });
    expect(left.toSorted()).toEqual(["out", "out/deep", "out/deep/free", "out/free"]);
  });
});

describe.if(hasOverlay)("markHidden()", () => {
  const mark = async ({ root, upper, calls }: ReturnType<typeof openScene>, most?: number) =>
    markHidden(root, upper, calls, most);

  /** A layer that hides a file, a folder as a whole, a name, and covers one that shows through. */
  function fill({ calls, root, upper }: ReturnType<typeof openScene>): void {
    writeTree(root, { f: "f", "whole/deep/x": "x", "name/in/y": "y", "through/z": "z", apart: "" });
    writeTree(upper, { f: "2", "through/new": "2" });
    makeOpaque(calls, join(upper, "whole"));
    calls.makeWhiteout(join(upper, "name"));
  }

  test.each<readonly [string, (root: string) => void, boolean]>([
    ["a file that is covered", (root) => writeFileSync(join(root, "f"), "other"), true],
    [
      "what is deep in a hidden folder",
      (root) => writeFileSync(join(root, "whole/deep/x"), "other"),
      true,
    ],
    [
      "what is below a hidden name",
      (root) => writeFileSync(join(root, "name/in/y"), "other"),
      true,
    ],
    [
      "a name that comes where one is covered",
      (root) => writeTree(root, { "through/new": "other" }),
      true,
    ],
    ["a hidden folder that goes", (root) => rmSync(join(root, "whole"), { recursive: true }), true],
    [
      "the rights on a folder that shows through",
      (root) => chmodSync(join(root, "through"), 0o700),
      true,
    ],
    ["a file that shows through", (root) => writeFileSync(join(root, "through/z"), "other"), false],
    ["a file apart from it", (root) => writeFileSync(join(root, "apart"), "other"), false],
  ])("tells of %s whether it is another", async (_, change, isOther) => {
    using scene = openScene();
    fill(scene);
    const before = await mark(scene);
    expect(await mark(scene)).toEqual(before);
    change(scene.root);
    const after = await mark(scene);
    expect(after?.hash === before?.hash).toBe(!isOther);
  });

  test("says when anything of it changed last, and nothing where it is too much", async () => {
    using scene = openScene();
    fill(scene);
    const hidden = ["f", "whole", "whole/deep", "whole/deep/x", "name", "name/in", "name/in/y"];
    const times = hidden.map((path) => Math.floor(statSync(join(scene.root, path)).ctimeMs));
    expect((await mark(scene))?.changedAtMs).toBe(Math.max(...times));
    // With the folder that shows through and the name in it that is nothing below.
    expect(await mark(scene, hidden.length + 3)).toEqual(await mark(scene));
    let looks = 0;
    const isOpaque = (path: string) => (looks++, scene.calls.isOpaque(path));
    for (let n = 0; n < 50; n++) writeTree(scene.root, { [`many/${n}/x`]: "" });
    for (let n = 0; n < 50; n++) writeTree(scene.upper, { [`many/${n}/y`]: "" });
    expect(await mark({ ...scene, calls: { ...scene.calls, isOpaque } }, 20)).toBeUndefined();
    expect(looks).toBeLessThanOrEqual(20);
    for (const most of [hidden.length + 2, hidden.length + 1, 3, 1]) {
      expect(await mark(scene, most)).toBeUndefined();
    }
    using empty = openScene();
    expect((await mark(empty))?.changedAtMs).toBe(0);
  });
});

describe("markFolder()", () => {
  const FILES = { "a/b/out/x": "x", "a/b/out/y": "y", "a/c": "c" };

  test.each<readonly [string, (root: string) => void, boolean]>([
    ["a file in it", (root) => writeFileSync(join(root, "a/b/out/x"), "other"), true],
    ["a name in it", (root) => renameSync(join(root, "a/b/out/x"), join(root, "a/b/out/z")), true],
    ["its rights", (root) => chmodSync(join(root, "a/b/out"), 0o700), true],
    ["the rights on a folder around it", (root) => chmodSync(join(root, "a"), 0o700), true],
    ["its end", (root) => rmSync(join(root, "a/b/out"), { recursive: true }), true],
    ["a file beside it", (root) => writeFileSync(join(root, "a/c"), "other"), false],
  ])("tells of %s whether it is another", (_, change, isOther) => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    const before = markFolder(dir.path, "a/b/out");
    change(dir.path);
    expect(markFolder(dir.path, "a/b/out")?.hash === before?.hash).toBe(!isOther);
  });

  test("says when it changed last; there is none below what is no folder", () => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    utimesSync(join(dir.path, "a/b/out/x"), 1, 1);
    const times = ["a/b/out", "a/b/out/x", "a/b/out/y"].map((path) =>
      Math.floor(statSync(join(dir.path, path)).ctimeMs),
    );
    expect(markFolder(dir.path, "a/b/out")?.changedAtMs).toBe(Math.max(...times));
    expect(markFolder(dir.path, "a/b/none")?.changedAtMs).toBe(0);
    expect(markFolder(dir.path, "none")?.changedAtMs).toBe(0);
    expect(markFolder(dir.path, "a/c/out")).toBeUndefined();
    expect(markFolder(dir.path, "none/out")).toBeUndefined();
  });
});

describe("isStillKept()", () => {
  const RULES = { ".gitignore": "/gen\ncold/\n", "in/.gitignore": "made/\n!/cold/\n" };

  test.each([
    ["gen", true],
    ["x/gen", false],
    ["in/made", true],
    ["in/deep/made", true],
    ["made", false],
    ["cold", true],
    ["in/cold", false],
    ["cold/node_modules", false],
    ["in/node_modules", true],
    ["in/src", false],
    [".git", false],
    ["in/.hg", false],
    [".git/node_modules", false],
    [".papa-yu", false],
    [".papa-yu/cache", true],
    [".papa-yu/tx", false],
    [".papa-yu/cache/x", false],
    ["in/.papa-yu", false],
    ["in/.papa-yu/cache", false],
    ["in/.papa-yu/node_modules", false],
  ] as const)("says of %s whether it is a tool's by the rules of now: %s", (path, is) => {
    using dir = tempDir();
    writeTree(dir.path, RULES);
    using tree = openTree(dir.path);
    expect(isStillKept(expectTree(tree, undefined), path)).toBe(is);
  });
});
