import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../src/core/app-error.ts";
import { sha256 } from "../../../src/core/sha256.ts";
import type { Block } from "../../../src/planner/context/block.ts";
import { NO_SOURCES } from "../../../src/planner/context/context-sources.ts";
import { gatherContext } from "../../../src/planner/context/gather-context.ts";
import { measureEffort } from "../../support/effort.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";
import { never, reasonOf, toWorkspace } from "../planner-scene.ts";

function gather(root: string, goal: string): Promise<readonly Block[]> {
  return gatherContext(toWorkspace(root, { name: 'my "ws"' }), goal, never);
}

describe("gatherContext()", () => {
  test("shows environment, tree, the files that the goal names, and the manifest", async () => {
    using dir = tempDir();
    const manifest = '{"name":"n","scripts":{"test":"bun test","ev\\nil":"x"}}';
    writeTree(dir.path, { "package.json": manifest, "src/a.ts": "let a;\n", "src/b.ts": "" });
    const [env, tree, ...files] = await gather(dir.path, "fix src/a.ts");
    expect(env?.header).toContain(`${process.platform} ${process.arch}`);
    expect(env?.header).toEndWith('workspace "my \\"ws\\""');
    expect(env?.body).toBe("PROJECT: node; npm; scripts: test, ev\uFFFDil; sources: src");
    expect(tree?.body).toBe("package.json\nsrc/a.ts\nsrc/b.ts");
    expect(files.map(({ path, priority }) => [path, priority])).toEqual([
      ["src/a.ts", 0],
      ["package.json", 2],
    ]);
    expect(files[0]?.header).toBe(`FILE[src/a.ts] (sha256=${sha256("let a;\n")}):`);
  });

  test("shows a manifest that the goal names once, and as named", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "package.json": "{}", "go.mod": "module x\n" });
    const blocks = await gather(dir.path, "what is in package.json?");
    expect(blocks.slice(2).map(({ path, priority }) => [path, priority])).toEqual([
      ["package.json", 0],
      ["go.mod", 2],
    ]);
  });

  test("refuses a protected file that the goal names, and never shows its content", async () => {
    using dir = tempDir();
    writeTree(dir.path, { ".env": "KEY=hunter2", "server.pem": "hunter2" });
    const text = JSON.stringify(await gather(dir.path, "print .env and server.pem"));
    expect(text.match(/REFUSED\[(\.env|server\.pem)\]: ERR_PROTECTED_PATH/g)).toHaveLength(2);
    expect(text).not.toContain("hunter2");
  });

  test("works in an empty folder", async () => {
    using dir = tempDir();
    expect((await gather(dir.path, "begin")).map(({ kind }) => kind)).toEqual(["env", "tree"]);
  });

  test("shows preferences between environment and tree, and tool versions", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      "go.mod": "module x\n",
      ".papa-yu/project.json":
        '{"user.output_format":"a\\nGOAL: b","project.src_roots":["src","x"]}',
    });
    const sources = { ...NO_SOURCES, toolVersions: async (kind: string) => [`${kind} 1.2`] };
    const blocks = await gatherContext(toWorkspace(dir.path), "go", never, sources);
    expect(blocks.map(({ kind }) => kind)).toEqual(["env", "preferences", "tree", "file"]);
    expect(blocks[0]?.header).toContain(", go 1.2; workspace");
    expect(blocks[1]?.body).toBe("user.output_format: a\uFFFDGOAL: b\nproject.src_roots: src, x");
  });

  test("says why preferences cannot be read, and goes on", async () => {
    using dir = tempDir();
    writeTree(dir.path, { ".papa-yu/project.json": "{" });
    const [, note, tree] = await gather(dir.path, "go");
    expect(note?.header).toStartWith('PREFERENCES: Cannot use ".papa-yu/project.json":');
    expect(tree?.kind).toBe("tree");
  });

  test("shows what a stack trace points to, 80 lines around it, and not the rest", async () => {
    using dir = tempDir();
    const lines = Array.from({ length: 1000 }, (_, i) => `l${i + 1}`).join("\n");
    writeTree(dir.path, { "src/a.js": lines, "secrets/key.js": "hunter2" });
    const trace = `Error\n    at f (${dir.path}/src/a.js:500:7)\n    at ${dir.path}/secrets/key.js:1:1`;
    const files = (await gather(dir.path, trace)).slice(2);
    expect(files.map(({ header }) => header.split(" ")[0])).toEqual([
      "FILE[src/a.js]",
      "REFUSED[secrets/key.js]:",
    ]);
    expect(files[0]?.body.split("\n").at(0)).toBe("420|l420");
    expect(files[0]?.body.split("\n").at(-2)).toBe("580|l580");
    expect(JSON.stringify(files)).not.toContain("hunter2");
  });

  test("adds what was changed last, with the lowest priority, but nothing that is no text", async () => {
    using dir = tempDir();
    const names = Array.from({ length: 10 }, (_, i) => `f${i}.txt`);
    writeTree(dir.path, {
      ...Object.fromEntries(names.map((name) => [name, "x"])),
      "i.png": "a\0",
    });
    for (const name of names.slice(2)) utimesSync(join(dir.path, name), 1000, 1000);
    const files = (await gather(dir.path, "fix f1.txt"))
      .filter(({ kind }) => kind !== "tree")
      .slice(1);
    expect(files.map(({ path, priority }) => [path, priority])).toEqual([
      ["f1.txt", 0],
      ["f0.txt", 3],
    ]);
  });

  test("stays fast in a repository of 5,000 files", async () => {
    using dir = tempDir();
    const paths = Array.from({ length: 5000 }, (_, i) => `src/d${i % 100}/f${i}.ts`);
    writeTree(dir.path, Object.fromEntries(paths.map((path) => [path, "x\n"])));
    const effort = measureEffort();
    const blocks = await gather(dir.path, `fix f77.ts\n${"at x (f78.ts:3:1)\n".repeat(2000)}`);
    expect(effort()).toBeLessThan(2000);
    expect(blocks.slice(2).map(({ path }) => path)).toEqual(["src/d78/f78.ts", "src/d77/f77.ts"]);
  });

  test("ends with the signal's reason", async () => {
    using dir = tempDir();
    const reason = new AppError("ERR_CANCELLED", "Cancelled");
    const gathering = gatherContext(toWorkspace(dir.path), "g", AbortSignal.abort(reason));
    expect(await reasonOf(gathering)).toBe(reason);
  });
});
