import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { readProfile } from "../../src/workspace/profile.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

async function profileOf(files: Record<string, string>) {
  using dir = tempDir();
  writeTree(dir.path, files);
  return await readProfile(dir.path);
}

async function manager(files: Record<string, string>, packageManager?: string) {
  const manifest = JSON.stringify({ packageManager });
  return (await profileOf({ ...files, "package.json": manifest })).packageManager;
}

async function brief(files: Record<string, string>) {
  const { kind, name, maxActions } = await profileOf(files);
  return { kind, name, maxActions };
}

describe("readProfile()", () => {
  test("reads a node project: names, scripts, dependencies, roots", async () => {
    const manifest = {
      name: "shelf",
      description: "Books",
      license: "MIT",
      author: "Ann Lee <ann@example.com> (https://example.com)",
      scripts: { test: "vitest", broken: 1 },
      dependencies: { zod: "1" },
      devDependencies: { vitest: "1" },
    };
    const files = {
      "package.json": `\uFEFF${JSON.stringify(manifest)}`,
      "src/a.ts": "",
      "tests/a.ts": "",
      "docs/a.md": "",
    };
    expect(await profileOf(files)).toEqual({
      kind: "node",
      name: "shelf",
      description: "Books",
      license: "MIT",
      author: "Ann Lee",
      packageManager: "npm",
      scripts: { test: "vitest" },
      dependencies: ["vitest", "zod"],
      maxActions: 25,
      sourceRoots: ["src"],
      testRoots: ["tests"],
    });
  });

  test("takes the package manager from packageManager, else from the lock file, else npm", async () => {
    expect(await manager({ "yarn.lock": "" }, "pnpm@9.1.0")).toBe("pnpm");
    expect(await manager({ "yarn.lock": "" }, "unheard-of@1")).toBe("yarn");
    expect(await manager({ "bun.lock": "" })).toBe("bun");
    expect(await manager({ "pnpm-lock.yaml": "" })).toBe("pnpm");
    expect(await manager({ "bunfig.toml": "" })).toBe("bun");
    expect(await manager({})).toBe("npm");
  });

  test("knows rust, python, go and plain folders and their limits", async () => {
    expect(await brief({ "Cargo.toml": '[package]\nname = "ferry"' })).toEqual({
      kind: "rust",
      name: "ferry",
      maxActions: 20,
    });
    expect(await brief({ "pyproject.toml": '[tool.poetry]\nname = "snake"' })).toEqual({
      kind: "python",
      name: "snake",
      maxActions: 20,
    });
    expect(await brief({ "go.mod": "module example.com/me/gopher/v2\n\ngo 1.24\n" })).toEqual({
      kind: "go",
      name: "gopher",
      maxActions: 15,
    });
    expect(await brief({ "notes.md": "hi" })).toMatchObject({ kind: "plain", maxActions: 15 });
  });

  test("finds python packages as source roots", async () => {
    const files = {
      "setup.py": "",
      "snake/__init__.py": "",
      "tests/__init__.py": "",
      "docs/x.md": "",
    };
    expect(await profileOf(files)).toMatchObject({ sourceRoots: ["snake"], testRoots: ["tests"] });
  });

  test("falls back to the folder's name and nothing else when the manifest is broken", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "package.json": "{ broken" });
    expect(await readProfile(dir.path)).toMatchObject({
      kind: "node",
      name: basename(dir.path),
      scripts: {},
    });
  });

  test("never throws, whatever a manifest holds or is", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "package.json"));
    expect(await readProfile(dir.path)).toMatchObject({ kind: "node", scripts: {} });
    expect(await readProfile(join(dir.path, "none"))).toMatchObject({ kind: "plain" });
    const file = fc.constantFrom("package.json", "Cargo.toml", "pyproject.toml", "go.mod");
    const content = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('{"scripts":[1]}', '{"author":{}}', "[package]\nname=1"),
    );
    await fc.assert(
      fc.asyncProperty(file, content, async (name, text) => {
        expect(await profileOf({ [name]: text })).toHaveProperty("name");
      }),
      { numRuns: runs(20, 60) },
    );
  });
});
