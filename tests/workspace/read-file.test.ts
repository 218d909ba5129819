import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { resolvePath } from "../../src/workspace/path-guard/path-guard.ts";
import { readTextFile, readWholeFile } from "../../src/workspace/read-file.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

function targetAt(root: string, path: string) {
  return { absolute: join(root, path), path };
}

describe("readTextFile()", () => {
  test("returns text with its byte-order mark, sha256 and size of the bytes", async () => {
    using dir = tempDir();
    const text = "\uFEFFпривет\r\n你好 👋";
    writeTree(dir.path, { "a.txt": text });
    expect(await readTextFile(targetAt(dir.path, "a.txt"))).toEqual({
      ok: true,
      text,
      sha256: sha256(text),
      sizeBytes: Buffer.byteLength(text),
    });
  });

  test("tells missing, non-UTF-8 and special files apart", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "latin1.txt": Uint8Array.of(0x63, 0x61, 0x66, 0xe9), nul: "a\0b" });
    mkdirSync(join(dir.path, "folder"));
    Bun.spawnSync(["mkfifo", join(dir.path, "pipe")]);
    const code = async (name: string) => {
      const result = await readTextFile(targetAt(dir.path, name));
      return result.ok ? "read" : result.code;
    };
    expect(await code("none.txt")).toBe("ERR_NOT_FOUND");
    expect(await code("latin1.txt/x")).toBe("ERR_NOT_FOUND");
    expect(await code("latin1.txt")).toBe("ERR_NON_UTF8_FILE");
    expect(await code("nul")).toBe("ERR_NON_UTF8_FILE");
    expect(await code("folder")).toBe("ERR_IO");
    expect(await code("pipe")).toBe("ERR_IO");
  });
});

/** What can come in a file's place after the guard has looked at it. */
const SWAPS: readonly (readonly [string, (root: string, outside: string) => void])[] = [
  ["its folder is a link out", swapFolder],
  ["another file has its name", (root) => replace(root, (path) => writeFileSync(path, "other"))],
  ["it is a link out", (root, out) => replace(root, (path) => symlinkSync(`${out}/a.txt`, path))],
  ["it is a hard link", (root, out) => replace(root, (path) => linkSync(`${out}/a.txt`, path))],
  ["it is a pipe", (root) => replace(root, (path) => Bun.spawnSync(["mkfifo", path]))],
  ["it is a folder", (root) => replace(root, (path) => mkdirSync(path))],
];

function swapFolder(root: string, outside: string): void {
  renameSync(join(root, "sub"), join(root, "spare"));
  symlinkSync(outside, join(root, "sub"));
}

function replace(root: string, put: (path: string) => unknown): void {
  const path = join(root, "sub/a.txt");
  renameSync(path, join(root, "spare.txt"));
  put(path);
}

describe("what the guard has seen is read, or nothing", () => {
  test.each(SWAPS)("when %s by then", async (_, swap) => {
    using dir = tempDir();
    using outside = tempDir();
    writeTree(dir.path, { "sub/a.txt": "inside" });
    writeTree(outside.path, { "a.txt": "outside" });
    const guarded = resolvePath(workspaceAt(dir.path), "sub/a.txt", "read");
    if (!guarded.ok) throw new Error(guarded.message);
    expect(await readTextFile(guarded)).toMatchObject({ text: "inside" });
    swap(dir.path, outside.path);
    for (const read of [await readTextFile(guarded), await readWholeFile(guarded, 1e6)]) {
      expect(read).toMatchObject({ ok: false, code: "ERR_IO" });
      expect(JSON.stringify(read)).not.toContain(dir.path);
    }
  });

  test("a file that was only written to since is read as it is", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "sub/a.txt": "inside" });
    const guarded = resolvePath(workspaceAt(dir.path), "sub/a.txt", "read");
    if (!guarded.ok) throw new Error(guarded.message);
    writeFileSync(join(dir.path, "sub/a.txt"), "inside, too");
    expect(await readTextFile(guarded)).toMatchObject({ text: "inside, too" });
    expect(statSync(guarded.absolute).ino).toBe(guarded.stat?.ino ?? 0);
  });
});
