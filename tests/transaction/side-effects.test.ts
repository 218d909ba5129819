import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { type OverlayCalls, openOverlayCalls } from "../../src/system/sandbox/overlay/overlay.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { findSideEffects, type LookRequest } from "../../src/transaction/view/side-effects.ts";
import { countOpenFiles } from "../support/open-files.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const { signal } = new AbortController();
const MIB = 1024 * 1024;
const FILES = {
  ".gitignore": "/build\n*.log\nout/\n",
  "a.txt": "a\n",
  "build/c": "c\n",
  "d/deep/three.txt": "three\n",
  "d/deep/x.log": "log\n",
  "d/one.txt": "one\n",
  "d/two.txt": "two\n",
};

type Scene = ReturnType<typeof openScene>;

/** A folder and what lies on top of it. */
function openScene(files: Readonly<Record<string, string>> = FILES) {
  const dir = tempDir();
  const calls = openOverlayCalls();
  if (!calls) throw new Error("no overlay here");
  const [root, upper] = [join(dir.path, "root"), join(dir.path, "upper")];
  mkdirSync(root);
  mkdirSync(upper);
  writeTree(root, files);
  const look = (options: Partial<LookRequest> = {}) =>
    findSideEffects({
      root,
      upper,
      changeSet: undefined,
      protectedPaths: [],
      signal,
      ...options,
    });
  return {
    calls,
    root,
    upper,
    look,
    /** `kind path` of the changes and `why path` of the rest, sorted. */
    async tell(options: Partial<LookRequest> = {}) {
      const { changes, skipped, isCut } = await look(options);
      expect(isCut).toBe(false);
      const lines = changes.map(({ kind, path }) => `${kind} ${path}`);
      return [...lines, ...skipped.map(({ why, path }) => `${why}: ${path}`)].toSorted();
    },
    [Symbol.dispose]() {
      calls[Symbol.dispose]();
      const left = countOpenFiles(dir.path);
      dir[Symbol.dispose]();
      expect(left).toBe(0);
    },
  };
}

/** Writes on top, in folders like those below. */
function put({ upper }: Scene, path: string, content = "new\n", mode = 0o644): void {
  writeTree(upper, { [path]: content });
  chmodSync(join(upper, path), mode);
}

function hide({ calls, upper }: Scene, path: string): void {
  mkdirSync(dirname(join(upper, path)), { recursive: true });
  calls.makeWhiteout(join(upper, path));
}

function makeOpaque(calls: OverlayCalls, path: string): void {
  mkdirSync(path, { recursive: true });
  calls.setOpaque(path);
}

describe.if(hasOverlay)("findSideEffects()", () => {
  test("tells of each file what a command made of it", async () => {
    using scene = openScene();
    put(scene, "a.txt", "a\nmore\n");
    put(scene, "d/one.txt", "one\n"); // touched
    put(scene, "d/two.txt", "two\n", 0o600);
    put(scene, "new/in/n.txt");
    put(scene, "build/c", "other\n");
    put(scene, "d/x.log", "log\n");
    put(scene, "new/out/o");
    hide(scene, "d/deep");
    const state = (text: string, mode = 0o644) => ({
      sha256: sha256(text),
      mode,
      sizeBytes: text.length,
    });
    const { changes, contents, skipped, isCut } = await scene.look();
    expect({ skipped, isCut }).toEqual({ skipped: [], isCut: false });
    const found: unknown = Object.fromEntries(changes.map((change) => [change.path, change]));
    const two = state("two\n");
    expect(Object.keys(changes)).toHaveLength(6);
    expect(found).toMatchObject({
      "a.txt": { kind: "update", path: "a.txt", before: state("a\n"), after: state("a\nmore\n") },
      "d/two.txt": {
        kind: "update",
        path: "d/two.txt",
        before: two,
        after: { ...two, mode: 0o600 },
      },
      "d/deep/three.txt": { kind: "delete", path: "d/deep/three.txt", before: state("three\n") },
      new: { kind: "mkdir", path: "new", mode: 0o755 },
      "new/in": { kind: "mkdir", path: "new/in", mode: 0o755 },
      "new/in/n.txt": { kind: "create", path: "new/in/n.txt", after: state("new\n") },
    });
    for (const text of ["a\n", "a\nmore\n", "two\n", "three\n", "new\n"]) {
      expect(String(contents.get(sha256(text)))).toBe(text);
    }
    expect(contents.size).toBe(5);
  });

  test("tells of a folder that is gone, or was made again, what was in it", async () => {
    using scene = openScene({
      "d/in/x": "x",
      "d/y": "y",
      "e/out/o": "o",
      "e/z": "z",
      "f/g/h": "h",
    });
    hide(scene, "d");
    hide(scene, "e");
    makeOpaque(scene.calls, join(scene.upper, "f"));
    put(scene, "f/new");
    expect(await scene.tell()).toEqual([
      "create f/new",
      "delete d/in/x",
      "delete d/y",
      "delete e/out/o",
      "delete e/z",
      "delete f/g/h",
      "rmdir d",
      "rmdir d/in",
      "rmdir e",
      "rmdir e/out",
      "rmdir f/g",
    ]);
    writeTree(scene.root, { ".gitignore": "out/\n" });
    const told = await scene.tell();
    expect(told.filter((line) => / e/.test(line))).toEqual(["delete e/z"]); // it may be there still
  });

  test("tells of names that the change set made and a command took away again", async () => {
    using scene = openScene();
    const after = { sha256: sha256("new\n"), mode: 0o644, sizeBytes: 4 };
    const changes: readonly Change[] = [
      { kind: "mkdir", path: "m", mode: 0o755 },
      { kind: "create", path: "m/gone", after },
      { kind: "create", path: "m/stays", after },
      { kind: "create", path: "over", after },
      { kind: "mkdir", path: "n", mode: 0o755 },
      { kind: "create", path: "n/gone", after },
      { kind: "mkdir", path: "n/in", mode: 0o755 },
      { kind: "create", path: "n/in/gone", after },
    ];
    const changeSet = buildChangeSet(changes, new Map([[after.sha256, Buffer.from("new\n")]]));
    put(scene, "m/stays");
    put(scene, "over", "other\n");
    expect(await scene.tell({ changeSet })).toEqual([
      "delete m/gone",
      "delete n/gone",
      "delete n/in/gone",
      "rmdir n",
      "rmdir n/in",
      "update over",
    ]);
  });

  test("tells of a whole copy what is not in it", async () => {
    using scene = openScene();
    const { root, upper } = scene;
    cpSync(root, upper, { recursive: true });
    const whole = { isWhole: true };
    expect(await scene.tell(whole)).toEqual([]);
    unlinkSync(join(upper, "a.txt"));
    rmSync(join(upper, "d/deep"), { recursive: true });
    rmSync(join(upper, "build"), { recursive: true });
    put(scene, "d/new");
    const expected = ["create d/new", "delete a.txt", "delete d/deep/three.txt"];
    expect(await scene.tell(whole)).toEqual(expected);
    expect(await scene.tell()).toEqual(["create d/new"]);
  });

  test("names what no change set holds, each for its reason", async () => {
    using scene = openScene({ ...FILES, "f/x": "x", "to-file/y": "y" });
    const { root, upper, calls } = scene;
    symlinkSync("a.txt", join(root, "same"));
    symlinkSync("a.txt", join(root, "turned"));
    symlinkSync("a.txt", join(root, "gone-link"));
    Bun.spawnSync(["mkfifo", join(root, "gone-pipe"), join(upper, "pipe")]);
    symlinkSync("a.txt", join(upper, "same"));
    symlinkSync("d", join(upper, "turned"));
    symlinkSync("d", join(upper, "link"));
    put(scene, "to-file", "f");
    makeOpaque(calls, join(upper, "a.txt"));
    put(scene, "a.txt/in", "x");
    put(scene, ".env", "KEY=1\n");
    put(scene, "mine/own.txt", "x");
    put(scene, "bad\u0001name", "x");
    Bun.spawnSync(["sh", "-c", 'touch "$(printf "no\\377text")"'], { cwd: upper });
    for (const path of ["gone-link", "gone-pipe"]) hide(scene, path);
    for (const [path, size] of [
      ["fits", 8 * MIB],
      ["large", 8 * MIB + 1],
    ] as const) {
      put(scene, path, "");
      truncateSync(join(upper, path), size);
    }
    const told = await scene.tell({ protectedPaths: ["mine/**"] });
    expect(told.filter((line) => !line.startsWith("name: no"))).toEqual([
      "create fits",
      "large: large",
      "link: gone-link",
      "link: link",
      "link: turned",
      "name: bad\u0001name",
      "protected: .env",
      "protected: mine",
      "protected: mine/own.txt",
      "replaced: a.txt",
      "replaced: to-file",
      "special: gone-pipe",
      "special: pipe",
    ]);
    expect(told.filter((line) => line.startsWith("name: no"))).toHaveLength(1);
  });

  test("looks into no file that is too large, and knows one that is only a copy", async () => {
    using scene = openScene({ small: "s" });
    const { root, upper } = scene;
    for (const name of ["large", "shrunk", "gone"]) {
      writeFileSync(join(root, name), "");
      truncateSync(join(root, name), 8 * MIB + 1);
      utimesSync(join(root, name), 1, 1);
    }
    writeFileSync(join(upper, "large"), "");
    truncateSync(join(upper, "large"), 8 * MIB + 1);
    utimesSync(join(upper, "large"), 1, 1);
    put(scene, "shrunk", "s");
    hide(scene, "gone");
    expect(await scene.tell()).toEqual(["large: gone", "large: shrunk"]);
    utimesSync(join(upper, "large"), 2, 2);
    expect(await scene.tell()).toEqual(["large: gone", "large: large", "large: shrunk"]);
  });

  test("passes over what is a tool's, but for what git keeps in it", async () => {
    const kept = ["out/a", "out/in/b", "node_modules/p/c", "e.log", "d/out/f"];
    using scene = openScene({ ...FILES, ...Object.fromEntries(kept.map((path) => [path, "1"])) });
    const { root } = scene;
    const git = (...argv: string[]) => Bun.spawnSync(["git", "-C", root, ...argv]).exitCode;
    expect([git("init", "-q"), git("add", "-f", ...kept)]).toEqual([0, 0]);
    for (const path of [
      "out/a",
      "out/free",
      "node_modules/p/c",
      "node_modules/q/c",
      "e.log",
      "f.log",
    ]) {
      put(scene, path, "2");
    }
    Bun.spawnSync(["sh", "-c", 'mkdir -p out; touch "out/$(printf "no\\377text")"'], {
      cwd: scene.upper,
    });
    hide(scene, "out/in");
    hide(scene, "d/out");
    hide(scene, "build");
    expect(await scene.tell()).toEqual([
      "delete d/out/f",
      "delete out/in/b",
      "rmdir d/out",
      "rmdir out/in",
      "update e.log",
      "update node_modules/p/c",
      "update out/a",
    ]);
  });

  test("goes by the rules of before the commands, those of the change set among them", async () => {
    using scene = openScene();
    put(scene, ".gitignore", "*\n");
    put(scene, "seen.txt");
    put(scene, "sub/seen.tmp");
    put(scene, "x.log");
    expect(await scene.tell()).toEqual([
      "create seen.txt",
      "create sub/seen.tmp",
      "mkdir sub",
      "update .gitignore",
    ]);
    const text = "*.tmp\n";
    const after = { sha256: sha256(text), mode: 0o644, sizeBytes: text.length };
    const changes: readonly Change[] = [
      { kind: "mkdir", path: "sub", mode: 0o755 },
      { kind: "create", path: "sub/.gitignore", after },
    ];
    put(scene, "sub/.gitignore", text);
    const changeSet = buildChangeSet(changes, new Map([[after.sha256, Buffer.from(text)]]));
    expect(await scene.tell({ changeSet })).toEqual(["create seen.txt", "update .gitignore"]);
  });

  test("is cut where there is more than anybody looks at: changes, names, bytes, depth", async () => {
    using many = openScene({});
    for (let n = 0; n < 2000; n++) writeFileSync(join(many.upper, `f${n}`), "");
    expect(await many.look()).toMatchObject({ isCut: false });
    writeFileSync(join(many.upper, "last"), "");
    const { isCut, changes } = await many.look();
    expect([isCut, changes.length]).toEqual([true, 2000]);

    using links = openScene({});
    for (let n = 0; n < 2000; n++) symlinkSync("x", join(links.upper, `f${n}`));
    expect(await links.look()).toMatchObject({ isCut: false });
    symlinkSync("x", join(links.upper, "last"));
    const some = await links.look();
    expect([some.isCut, some.skipped.length]).toEqual([true, 2000]);

    using heavy = openScene({});
    for (let n = 0; n < 8; n++) {
      writeFileSync(join(heavy.upper, `f${n}`), "");
      truncateSync(join(heavy.upper, `f${n}`), 8 * MIB);
    }
    expect(await heavy.look()).toMatchObject({ isCut: false });
    writeFileSync(join(heavy.upper, "last"), "x");
    expect(await heavy.look()).toMatchObject({ isCut: true });

    using deep = openScene({});
    mkdirSync(join(deep.upper, "d/".repeat(64)), { recursive: true });
    expect((await deep.tell()).length).toBe(64);
    mkdirSync(join(deep.upper, "d/".repeat(66)), { recursive: true });
    const top = await deep.look();
    expect([top.isCut, top.changes.length]).toEqual([true, 65]);
  });

  test("leaves the folder on top with the mode that a command gave it", async () => {
    using scene = openScene();
    put(scene, "n");
    for (const mode of [0o000, 0o500, 0o755, 0o1777]) {
      chmodSync(scene.upper, mode);
      expect(await scene.tell()).toEqual(["create n"]);
      expect(lstatSync(scene.upper).mode & 0o7777).toBe(mode);
    }
  });

  test("ends with who no longer waits", async () => {
    using scene = openScene();
    put(scene, "n");
    const gone = scene.look({ signal: AbortSignal.abort(new Error("nobody waits")) });
    expect(String(await gone.catch((error: unknown) => error))).toBe("Error: nobody waits");
    expect(readdirSync(scene.upper)).toEqual(["n"]);
  });
});
