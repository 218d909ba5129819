import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { fillUpper } from "../../src/transaction/view/fill.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const stateOf = (text: string, mode = 0o644) => {
  return { sha256: sha256(text), mode, sizeBytes: text.length };
};
const TEXTS = ["old\n", "new\n"];
const contents = new Map(TEXTS.map((text) => [sha256(text), Buffer.from(text)]));
const OLD = stateOf("old\n");
const NEW = stateOf("new\n", 0o640);
const FILES = {
  "a/b/old": "old\n",
  "a/gone": "old\n",
  "d/in/x": "old\n",
  "d/y": "old\n",
  "e/f": "",
};

/** A folder, and what goes on top of it. */
function openScene() {
  const dir = tempDir();
  const [root, upper] = [join(dir.path, "root"), join(dir.path, "upper")];
  mkdirSync(upper);
  writeTree(root, FILES);
  mkdirSync(join(root, "empty"));
  return {
    root,
    upper,
    fill: (...changes: Change[]) => fillUpper(root, upper, buildChangeSet(changes, contents)),
    [Symbol.dispose]() {
      const left = countOpenFiles(dir.path);
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

/** Of all on top: its kind and mode, "hides" for what hides a name. */
function listUpper(upper: string): Readonly<Record<string, string>> {
  const paths = readdirSync(upper, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const stat = lstatSync(join(upper, path));
      const kind = stat.isDirectory() ? "folder" : "file";
      const mode = (stat.mode & 0o7777).toString(8);
      return [path, stat.isCharacterDevice() ? "hides" : `${kind} ${mode}`];
    }),
  );
}

const mkdir = (path: string, mode = 0o755): Change => ({ kind: "mkdir", path, mode });
const create = (path: string): Change => ({ kind: "create", path, after: NEW });
const update = (path: string): Change => ({ kind: "update", path, before: OLD, after: NEW });
const remove = (path: string): Change => ({ kind: "delete", path, before: OLD });
const rmdir = (path: string): Change => ({ kind: "rmdir", path, mode: 0o755 });

describe.if(hasOverlay)("fillUpper()", () => {
  test("lays out what a change set makes, with the modes that there are or will be", () => {
    using scene = openScene();
    const { root, upper } = scene;
    chmodSync(root, 0o2711);
    chmodSync(join(root, "a"), 0o1750);
    chmodSync(join(root, "a/b"), 0o555);
    const before = readTree(root);
    scene.fill(
      mkdir("alone", 0o750),
      mkdir("n", 0o700),
      mkdir("n/shut", 0o511),
      create("n/shut/x"),
      update("a/b/old"),
      remove("a/gone"),
      remove("d/in/x"),
      remove("d/y"),
      rmdir("d/in"),
      rmdir("d"),
      rmdir("empty"),
    );
    expect(listUpper(upper)).toEqual({
      a: "folder 1750",
      "a/b": "folder 555",
      "a/b/old": "file 640",
      "a/gone": "hides",
      alone: "folder 750",
      d: "hides",
      empty: "hides",
      n: "folder 700",
      "n/shut": "folder 511",
      "n/shut/x": "file 640",
    });
    expect(lstatSync(upper).mode & 0o7777).toBe(0o2711);
    expect(readTree(root)).toEqual(before);
  });

  test("lays nothing out without a change set, but the mode of the folder", () => {
    using scene = openScene();
    chmodSync(scene.root, 0o710);
    fillUpper(scene.root, scene.upper, undefined);
    expect(listUpper(scene.upper)).toEqual({});
    expect(lstatSync(scene.upper).mode & 0o777).toBe(0o710);
  });

  const put = (path: string, content: string) => (root: string) =>
    writeTree(root, { [path]: content });
  const clear = (path: string) => (root: string) => rmSync(join(root, path), { recursive: true });
  const link = (path: string) => (root: string) => {
    rmSync(join(root, path), { recursive: true });
    symlinkSync("e", join(root, path));
  };
  const toFolder = (path: string) => (root: string) => {
    rmSync(join(root, path), { recursive: true });
    mkdirSync(join(root, path));
  };

  test.each<readonly [string, (root: string) => void, readonly Change[]]>([
    ["a folder where something is", put("n", ""), [mkdir("n")]],
    ["a folder that is there", () => {}, [mkdir("empty")]],
    ["a file where something is", put("n", ""), [create("n")]],
    ["a file where a folder is", () => {}, [create("e")]],
    ["another content of what is gone", clear("a/gone"), [update("a/gone")]],
    ["another content of a folder", toFolder("a/gone"), [update("a/gone")]],
    ["another content of a link", link("a/gone"), [update("a/gone")]],
    ["no file where there is none", clear("a/gone"), [remove("a/gone")]],
    ["no file where a folder is", toFolder("a/gone"), [remove("a/gone")]],
    ["no folder where there is none", clear("empty"), [rmdir("empty")]],
    ["no folder where a file is", () => {}, [rmdir("d/y")]],
    ["no folder with something in it", put("empty/late", ""), [rmdir("empty")]],
    [
      "no folder with something deep in it",
      put("d/in/late", ""),
      [remove("d/in/x"), remove("d/y"), rmdir("d/in"), rmdir("d")],
    ],
    ["a file below what is gone", clear("a/b"), [create("a/b/n")]],
    ["a file below a link", link("a"), [create("a/n")]],
    ["a file below a file", () => {}, [create("d/y/n")]],
  ])("refuses %s", (_, change, changes) => {
    using scene = openScene();
    change(scene.root);
    const refusal = expect.objectContaining({ code: "ERR_CHANGE_SET_STALE" });
    expect(() => scene.fill(...changes)).toThrow(refusal);
    const [last] = changes.slice(-1);
    expect(() => scene.fill(...changes)).toThrow(`Cannot ${last?.kind} "${last?.path}" in a view`);
  });

  test("says what the disk refuses, and hides no defect behind it", () => {
    using scene = openScene();
    const cause = expect.objectContaining({ code: "ENAMETOOLONG" });
    const refusal = expect.objectContaining({ code: "ERR_IO", cause });
    expect(() => scene.fill(create("x".repeat(300)))).toThrow(refusal);
    const lacking = buildChangeSet([create("n")], new Map());
    expect(() => fillUpper(scene.root, scene.upper, lacking)).toThrow(
      /^change set \w+ lacks the content/,
    );
    writeFileSync(join(scene.upper, "m"), ""); // as if it was laid out already
    expect(() => scene.fill(create("m"))).toThrow('Cannot create "m" in a view');
  });
});
