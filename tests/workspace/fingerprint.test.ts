import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readFingerprint } from "../../src/workspace/fingerprint.ts";
import { readTracked } from "../../src/workspace/tracked.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const { signal } = new AbortController();
const FILES = {
  ".gitignore": "dist/\n*.log\n",
  "a.txt": "one\n",
  "src/b.ts": "two\n",
  "dist/out.js": "made\n",
  "run.log": "said\n",
  "build/x.sh": "exit\n",
  "node_modules/a/index.js": "1\n",
};

const exact = (root: string) => readFingerprint(root, signal, undefined, true);

/** Writes other bytes of the same length, and sets the time of writing back. */
function writeUnseen(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, "ONE\n");
  utimesSync(path, atime, mtime);
}

describe("an exact fingerprint of a folder", () => {
  test.each<[string, (root: string) => void]>([
    ["a file is written", (root) => writeFileSync(join(root, "a.txt"), "more\n")],
    ["its time of writing is set back after", (root) => writeUnseen(join(root, "a.txt"))],
    [
      "another one takes its place",
      (root) => {
        copyFileSync(join(root, "a.txt"), join(root, "run.log"));
        const { atime, mtime } = statSync(join(root, "a.txt"));
        utimesSync(join(root, "run.log"), atime, mtime);
        renameSync(join(root, "run.log"), join(root, "a.txt"));
      },
    ],
    ["it may be run", (root) => chmodSync(join(root, "a.txt"), 0o755)],
    ["it is removed", (root) => rmSync(join(root, "a.txt"))],
    ["it has another name", (root) => renameSync(join(root, "a.txt"), join(root, "b.txt"))],
    ["one is added in a folder", (root) => writeFileSync(join(root, "src/c.ts"), "")],
    ["one in a folder build is written", (root) => writeFileSync(join(root, "build/x.sh"), "no\n")],
    [
      "a link leads elsewhere",
      (root) => {
        rmSync(join(root, "link"));
        symlinkSync("src/b.ts", join(root, "link"));
      },
    ],
    ["a link is added", (root) => symlinkSync("a.txt", join(root, "other"))],
    [
      "a file becomes a link",
      (root) => {
        rmSync(join(root, "a.txt"));
        symlinkSync("src/b.ts", join(root, "a.txt"));
      },
    ],
    ["one is not ignored any more", (root) => writeFileSync(join(root, ".gitignore"), "dist/\n")],
  ])("is another one when %s", async (_, change) => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    symlinkSync("a.txt", join(dir.path, "link"));
    const before = await exact(dir.path);
    expect(await exact(dir.path)).toBe(before);
    change(dir.path);
    expect(await exact(dir.path)).not.toBe(before);
  });

  test.each<[string, (root: string) => void]>([
    ["an ignored file is written", (root) => writeFileSync(join(root, "run.log"), "more\n")],
    ["an ignored folder gets a file", (root) => writeFileSync(join(root, "dist/x.js"), "")],
    ["packages change", (root) => writeFileSync(join(root, "node_modules/a/index.js"), "")],
    ["a folder without files is made", (root) => mkdirSync(join(root, "empty"))],
  ])("stays when %s", async (_, change) => {
    using dir = tempDir();
    writeTree(dir.path, FILES);
    const before = await exact(dir.path);
    change(dir.path);
    expect(await exact(dir.path)).toBe(before);
  });
});

test("readFingerprint() that is exact never says that what it cannot look at is the same", async () => {
  using dir = tempDir();
  writeTree(dir.path, FILES);
  Bun.spawnSync(["sh", "-c", String.raw`printf x >"$(printf 'caf\351.txt')"`], { cwd: dir.path });
  expect(await exact(dir.path)).not.toBe(await exact(dir.path));
  const cheap = () => readFingerprint(dir.path, signal);
  expect(await cheap()).toBe(await cheap()); // it makes nobody pay for a look
});

test("readFingerprint() of folders deeper than are walked is never the same", async () => {
  using dir = tempDir();
  const deep = Array.from({ length: 70 }, () => "d").join("/");
  writeTree(dir.path, { [`${deep}/a.txt`]: "x\n" });
  expect(await exact(dir.path)).not.toBe(await exact(dir.path));
});

test("readFingerprint() asks for each file once and for no other, and lets others run meanwhile", async () => {
  using dir = tempDir();
  const paths = Array.from({ length: 5000 }, (_, index) => `d${index % 50}/f${index}.ts`);
  writeTree(dir.path, {
    ...Object.fromEntries(paths.map((path) => [path, "x\n"])),
    ".gitignore": "*.log\n",
    "run.log": "",
  });
  const asked: string[] = [];
  let others = 0;
  const between: number[] = [];
  const timer = setInterval(() => void others++, 0);
  const look = (path: string) => {
    between.push(others);
    asked.push(path);
    return statSync(path);
  };
  const found = await readFingerprint(dir.path, signal, undefined, true, { look });
  clearInterval(timer);
  const expected = [...paths, ".gitignore"].map((path) => join(dir.path, path));
  expect(asked.toSorted()).toEqual(expected.toSorted());
  expect(found).toBe(await exact(dir.path));
  expect((between.at(-1) ?? 0) - (between[0] ?? 0)).toBeGreaterThan(0);
});

test("readFingerprint() ends between files when it is told to", async () => {
  using dir = tempDir();
  writeTree(dir.path, FILES);
  expect(
    readFingerprint(dir.path, AbortSignal.abort(new Error("stop")), undefined, true),
  ).rejects.toThrow("stop");
});

/** A repository in which files that are ignored were added by force. */
function makeRepository(dir: string, ...settings: readonly string[]): (...args: string[]) => void {
  const git = (...args: string[]) => {
    const { success, stderr } = Bun.spawnSync(["git", ...args], { cwd: dir });
    if (!success) throw new Error(stderr.toString());
  };
  git("init", "-q");
  for (const setting of settings) git("config", ...setting.split(" "));
  git("add", "-f", ".");
  return git;
}

describe.each([
  ["of the usual version", []],
  ["with shortened names", ["index.version 4"]],
  ["with names noted for later", []],
])("an exact fingerprint of a repository with an index %s", (kind, settings) => {
  const MORE = { "dist/ümlaut.js": "1\n", "dist/link.js": "1\n", "pkg/dist/a.js": "1\n" };

  const prepare = (root: string) => {
    writeTree(root, { ...FILES, ...MORE });
    const git = makeRepository(root, ...settings);
    // That makes entries longer, from version 3 on.
    if (kind.endsWith("later")) writeTree(root, { "dist/later.js": "" });
    if (kind.endsWith("later")) git("add", "-f", "-N", "dist/later.js");
  };

  test.each(["dist/out.js", "run.log", "node_modules/a/index.js", "dist/ümlaut.js"])(
    "is another one when %s is written, which git keeps",
    async (path) => {
      using dir = tempDir();
      prepare(dir.path);
      const before = await exact(dir.path);
      expect(await exact(dir.path)).toBe(before);
      writeFileSync(join(dir.path, path), "other\n");
      expect(await exact(dir.path)).not.toBe(before);
    },
  );

  test("is another one of a package in it, and stays for what git does not keep", async () => {
    using dir = tempDir();
    prepare(dir.path);
    const before = await exact(join(dir.path, "pkg"));
    writeTree(dir.path, { "dist/own.js": "", "dist/out.js": "other", "pkg/node_modules/x": "" });
    expect(await exact(join(dir.path, "pkg"))).toBe(before);
    writeTree(dir.path, { "pkg/dist/a.js": "other\n" });
    expect(await exact(join(dir.path, "pkg"))).not.toBe(before);
  });
});

const mkfifo = (path: string) => void Bun.spawnSync(["mkfifo", path]);

test.each<[string, (root: string) => void]>([
  ["a pipe in the place of .git", (root) => mkfifo(join(root, ".git"))],
  ["a pipe in the folder above", (root) => mkfifo(join(root, "../.git"))],
  ["a pipe in the place of the index", (root) => mkfifo(join(root, ".git/index"))],
  ["a device in the place of .git", (root) => symlinkSync("/dev/zero", join(root, ".git"))],
  [
    "a device in the place of the index",
    (root) => symlinkSync("/dev/zero", join(root, ".git/index")),
  ],
  [
    "a file without an end",
    (root) => writeFileSync(join(root, ".git"), "gitdir: x".repeat(20_000)),
  ],
])("readTracked() waits for nobody and takes nothing from %s", (what, put) => {
  using dir = tempDir();
  const root = join(dir.path, "above/root");
  mkdirSync(join(root, what.endsWith("index") ? ".git" : ""), { recursive: true });
  put(root);
  expect(readTracked(root).paths).toEqual([]);
});

test("readFingerprint() is never the same beside an index that nobody wrote, that is cut or split", async () => {
  using dir = tempDir();
  writeTree(dir.path, FILES);
  makeRepository(dir.path);
  const index = readFileSync(join(dir.path, ".git/index"));
  for (const size of [0, 3, 11, 40, 90, index.length - 30]) {
    writeFileSync(join(dir.path, ".git/index"), index.subarray(0, size));
    expect(await exact(dir.path)).not.toBe(await exact(dir.path));
    expect(readTracked(dir.path)).toMatchObject({
      paths: [],
      unknown: expect.stringContaining("index"),
    });
  }
  writeFileSync(join(dir.path, ".git/index"), Buffer.alloc(4096, "DIRC\0\0\0\u0002zzzz"));
  expect(await exact(dir.path)).not.toBe(await exact(dir.path));
  const end = index.length - 20; // git's own sum of it
  const link = Buffer.concat([
    index.subarray(0, end),
    Buffer.from("link\0\0\0\0"),
    index.subarray(end),
  ]);
  writeFileSync(join(dir.path, ".git/index"), link);
  expect(readTracked(dir.path).unknown).toEndWith("is of a kind that papa-yu does not read");
  truncateSync(join(dir.path, ".git/index"), 256 * 1024 ** 2 + 1); // without a block on the disk
  expect(readTracked(dir.path).unknown).toEndWith("has more than 256 MB");
  rmSync(join(dir.path, ".git/index"));
  expect(readTracked(dir.path)).toEqual({ paths: [] });
  expect(await exact(dir.path)).toBe(await exact(dir.path));
});
