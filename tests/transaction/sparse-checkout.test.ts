import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { changeSetOf, workspaceAt } from "./scene.ts";

/** A repository with a sparse checkout of what is said. */
function open(...sparse: readonly string[]) {
  const dir = tempDir();
  const git = (...args: readonly string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    const child = Bun.spawnSync(["git", ...who, ...args], { cwd: dir.path, env });
    if (!child.success) throw new Error(child.stderr.toString());
  };
  writeTree(dir.path, {
    "top.txt": "t\n",
    "in/a.txt": "a\n",
    "out/b.txt": "b\n",
    "out/c/d": "d\n",
  });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "all");
  git("sparse-checkout", "set", ...sparse);
  const notesOn = (root: string, ...paths: readonly string[]) => {
    const actions = paths.map((path) => ({ kind: "CREATE_FILE", path, content: "new\n" }) as const);
    return wordNotes(changeSetOf(workspaceAt(root), actions).notes, NOTES_EN);
  };
  return { root: dir.path, git, notesOn, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const noteOn = (path: string) =>
  `${path}: the sparse checkout leaves out what git keeps under this name; the new file would take its place there`;

describe("A new file of a name that a sparse checkout leaves out", () => {
  test.each([
    [["--cone", "--no-sparse-index", "in"]],
    [["--cone", "--sparse-index", "in"]],
    [["--no-cone", "/*", "!/out/"]],
  ])("is named in the preview: %j", (sparse) => {
    using scene = open(...sparse);
    expect(existsSync(join(scene.root, "out/b.txt"))).toBe(false);
    const notes = scene.notesOn(scene.root, "in/new.txt", "out/b.txt", "out/c/d");
    expect(notes).toEqual([noteOn("out/b.txt"), noteOn("out/c/d")]);
  });

  test("is named where the workspace is a folder in the repository", () => {
    using scene = open("--no-cone", "/*", "!/out/c/");
    expect(scene.notesOn(join(scene.root, "out"), "c/d", "c/e")).toEqual([noteOn("c/d")]);
  });

  test("and nothing is said of what a person removed, nor without a sparse checkout", () => {
    using scene = open("--no-cone", "/*");
    rmSync(join(scene.root, "out/b.txt"));
    expect(scene.notesOn(scene.root, "out/b.txt")).toEqual([]);
    scene.git("sparse-checkout", "disable");
    expect(scene.notesOn(scene.root, "out/b.txt")).toEqual([]);
  });
});
