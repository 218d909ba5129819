import { describe, expect, test } from "bun:test";
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { readRecentFiles } from "../../../src/planner/context/gather-context.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";
import { toWorkspace } from "../planner-scene.ts";

/** Files by name with their age in seconds after a common start. */
function scene(
  ages: Readonly<Record<string, number>>,
  contents: Readonly<Record<string, string>> = {},
) {
  const dir = tempDir();
  for (const [path, age] of Object.entries(ages)) {
    writeTree(dir.path, { [path]: contents[path] ?? "x" });
    utimesSync(join(dir.path, path), 1_000_000 + age, 1_000_000 + age);
  }
  const workspace = toWorkspace(dir.path, { protectedPaths: ["private"] });
  return {
    root: dir.path,
    workspace,
    paths: Object.keys(ages),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const OLD = { a: 0, b: 1, c: 2, d: 30, e: 0, f: 0, g: 0, h: 0, i: 0, j: 0 };

const recent = async (s: ReturnType<typeof scene>, paths = s.paths, shown: string[] = []) =>
  (await readRecentFiles(s.workspace, paths, new Set(shown))).map(({ path }) => path);

describe("readRecentFiles()", () => {
  test("gives the two newest, newest first", async () => {
    using s = scene({ ...OLD, p: 100, q: 400, s: 300, r: 200 });
    expect(await recent(s)).toEqual(["q", "s"]);
    expect(await recent(s, s.paths, ["q"])).toEqual(["s", "r"]);
  });

  test("gives none in a fresh checkout or an empty folder", async () => {
    using s = scene(OLD);
    expect(await recent(s)).toEqual([]);
    expect(await recent(s, [])).toEqual([]);
  });

  test("leaves out lock files, protected, empty and large ones, links, and what is gone", async () => {
    const ages = {
      ...OLD,
      "bun.lock": 100,
      ".env": 100,
      "private/k": 100,
      empty: 100,
      binary: 100,
      big: 100,
      ok: 90,
    };
    using s = scene(ages, { empty: "", binary: "a\0", big: "x".repeat(17_000) });
    symlinkSync("ok", join(s.root, "link"));
    expect(await recent(s, [...s.paths, "link", "gone"])).toEqual(["ok"]);
  });
});
