import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { listFiles } from "../../src/workspace/files.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

async function listed(files: Record<string, string>): Promise<readonly string[]> {
  using dir = tempDir();
  writeTree(dir.path, files);
  return (await listFiles(dir.path)).items;
}

describe("listFiles()", () => {
  test("lists relative paths in sorted order, hidden files too", async () => {
    expect(await listed({ "b.txt": "", "a/z.txt": "", "a/b/c.txt": "", ".hidden": "" })).toEqual([
      ".hidden",
      "a/b/c.txt",
      "a/z.txt",
      "b.txt",
    ]);
  });

  test("never walks generated folders, at any depth", async () => {
    const generated = [
      "node_modules",
      "target",
      "dist",
      ".git",
      ".papa-yu",
      "__pycache__",
      ".venv",
    ];
    const files = Object.fromEntries(generated.map((name) => [`pkg/${name}/x.txt`, ""]));
    expect(await listed({ ...files, "pkg/kept.txt": "", "target.txt": "" })).toEqual([
      "pkg/kept.txt",
      "target.txt",
    ]);
  });

  test("honours .gitignore at every level, the innermost one last", async () => {
    const paths = await listed({
      ".gitignore": "*.log\n/only-root.txt\ntmp/\n",
      "a.log": "",
      "only-root.txt": "",
      "tmp/x.txt": "",
      "pkg/only-root.txt": "",
      "pkg/tmp": "a file, not a folder",
      "pkg/.gitignore": "!keep.log\nsecret/\n",
      "pkg/keep.log": "",
      "pkg/other.log": "",
      "pkg/secret/x.txt": "",
    });
    expect(paths).toEqual([
      ".gitignore",
      "pkg/.gitignore",
      "pkg/keep.log",
      "pkg/only-root.txt",
      "pkg/tmp",
    ]);
  });

  test("agrees with git on any patterns", async () => {
    const name = fc.constantFrom("a", "b", "c.x", "d.y");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const pattern = fc.oneof(
      path,
      path.map((each) => `/${each}`),
      name.map((each) => `!${each}`),
      fc.constantFrom(
        "*.x",
        "**/d.y",
        "a/**",
        "b/",
        "!*.y",
        "# note",
        "",
        "[cd].*",
        "?.x",
        "!c[.]x",
        "\\a",
        "\uFEFFb",
        "c.x ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { maxLength: 8 }),
        fc.array(pattern),
        fc.array(pattern),
        async (paths, outer, inner) => {
          using dir = tempDir();
          for (const each of paths) writeIfFree(dir.path, each);
          writeIfFree(dir.path, ".gitignore", outer.join("\n"));
          writeIfFree(dir.path, "a/.gitignore", inner.join("\n"));
          Bun.spawnSync(["git", "init", "-q"], { cwd: dir.path });
          const git = Bun.spawnSync(
            ["git", "ls-files", "-o", "--exclude-per-directory=.gitignore"],
            { cwd: dir.path },
          );
          const expected = git.stdout.toString().split("\n").filter(Boolean).toSorted();
          expect((await listFiles(dir.path)).items).toEqual(expected);
        },
      ),
      { numRuns: runs(15, 40) },
    );
  });

  test("does not follow symbolic links, nor lists them", async () => {
    using dir = tempDir();
    using outside = tempDir();
    writeTree(outside.path, { "x.txt": "" });
    writeTree(dir.path, { "a.txt": "" });
    symlinkSync(outside.path, join(dir.path, "link"));
    symlinkSync(join(dir.path, "a.txt"), join(dir.path, "b.txt"));
    symlinkSync(dir.path, join(dir.path, "loop"));
    expect((await listFiles(dir.path)).items).toEqual(["a.txt"]);
  });

  test("cuts at the limit, keeps the top of the tree and counts the rest", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      "a/deep/1.txt": "",
      "z.txt": "",
      "a/2.txt": "",
      "y.txt": "",
      "a/b/c": "",
    });
    expect(await listFiles(dir.path, { limit: 3 })).toEqual({
      items: ["a/2.txt", "y.txt", "z.txt"],
      leftOut: [{ what: "files", count: 2 }],
    });
    expect(await listFiles(dir.path, { limit: 3, isShort: true })).toEqual({
      items: ["a/2.txt", "y.txt", "z.txt"],
      leftOut: [{ what: "files" }],
    });
    for (const isShort of [true, false]) {
      expect((await listFiles(dir.path, { limit: 5, isShort })).leftOut).toEqual([]);
    }
  });

  test("lists one folder as it lists it with all others", async () => {
    using dir = tempDir();
    const files = { "a/1": "", "a/x.log": "", "a/b/2": "", "ab/3": "", "a/c/y.log": "", z: "" };
    writeTree(dir.path, { ...files, ".gitignore": "*.log\n", "a/c/.gitignore": "!y.log\n" });
    const { items } = await listFiles(dir.path);
    for (const under of ["a/", "a/b/", "a/c/", "ab/", "", "none/"]) {
      const expected = items.filter((path) => path.startsWith(under));
      expect((await listFiles(dir.path, { under })).items).toEqual(expected);
    }
  });

  test("says that folders are too deep to be looked into", async () => {
    using dir = tempDir();
    writeTree(dir.path, { [`${"a/".repeat(64)}d`]: "", [`${"a/".repeat(63)}b/d`]: "" });
    expect(await listFiles(dir.path)).toEqual({
      items: [],
      leftOut: [{ what: "folders", count: 2 }],
    });
  });

  test("ends soon on a deep tree and patterns made to take for ever", async () => {
    const paths = await listed({
      ".gitignore": `${"**/a/".repeat(8)}b\n**/x.log\n`,
      [`${"a/".repeat(63)}c`]: "",
      [`${"a/".repeat(64)}d`]: "",
      "a/x.log": "",
    });
    expect(paths).toEqual([".gitignore", `${"a/".repeat(63)}c`]);
  });

  test("throws ERR_NOT_FOUND for a missing root and the signal's reason when aborted", async () => {
    using dir = tempDir();
    const missing = await listFiles(join(dir.path, "none")).catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: "ERR_NOT_FOUND" });
    const signal = AbortSignal.abort(new Error("stop"));
    const aborted = await listFiles(dir.path, { signal }).catch((error: unknown) => error);
    expect(aborted).toBe(signal.reason);
  });
});

function writeIfFree(root: string, path: string, content = ""): void {
  try {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  } catch {
    // another path is a folder or a file there already
  }
}
