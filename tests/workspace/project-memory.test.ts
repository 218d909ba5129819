import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { applyMemoryPatch, readProjectMemory } from "../../src/workspace/project-memory.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** A workspace whose `.papa-yu/project.json` holds a text. */
function open(text?: string | Uint8Array) {
  const dir = tempDir();
  if (text !== undefined) writeTree(dir.path, { ".papa-yu/project.json": text });
  const file = join(dir.path, ".papa-yu/project.json");
  return {
    root: dir.path,
    file,
    workspace: {
      name: "w",
      root: dir.path,
      check: "none",
      checkTimeoutMs: 1000,
      maxActions: 0,
      protectedPaths: [],
    } as const,
    text: () => readFileSync(file, "utf8"),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const EVERY_KEY = {
  "user.preferred_style": "short",
  "user.ask_budget": 3,
  "user.risk_tolerance": "low",
  "user.default_language": "ru",
  "user.output_format": "md",
  "project.default_test_command": "bun test",
  "project.default_lint_command": "oxlint",
  "project.default_format_command": "biome format",
  "project.package_manager": "bun",
  "project.build_command": "bun build",
  "project.src_roots": ["src"],
  "project.test_roots": ["tests", "e2e"],
  "project.ci_notes": "slow",
};

describe("readProjectMemory()", () => {
  test("is empty without a file or a folder", () => {
    using scene = open();
    expect(readProjectMemory(scene.workspace)).toEqual({ ok: true, memory: {} });
    expect(readdirSync(scene.root)).toEqual([]);
  });

  test("knows the keys of the protocol and no others", async () => {
    const schemaFile = join(import.meta.dir, "../../schemas/llm_response_schema_v2.json");
    const keys = (await Bun.file(schemaFile).text()).match(/"(?:user|project)\.\w+"/g);
    expect(Object.keys(EVERY_KEY).map((key) => `"${key}"`)).toEqual([...new Set(keys)]);
    using scene = open(JSON.stringify(EVERY_KEY));
    expect(readProjectMemory(scene.workspace)).toEqual({ ok: true, memory: EVERY_KEY });
  });

  test("leaves out what is unknown or of a wrong type", () => {
    using scene = open(
      JSON.stringify({
        "user.preferred_style": 1,
        "user.output_format": "  ",
        "user.default_language": "x".repeat(2001),
        "user.ask_budget": "-1",
        "project.src_roots": ["src", 2],
        "project.test_roots": "tests",
        "user.name": "x",
        user: { risk_tolerance: "high" },
        "project.ci_notes": "kept",
      }),
    );
    const memory = { "project.ci_notes": "kept" };
    expect(readProjectMemory(scene.workspace)).toEqual({ ok: true, memory });
  });

  test.each<[string | number, number | undefined]>([
    [0, 0],
    ["007", 7],
    ["2", 2],
    [1.5, undefined],
    ["1.5", undefined],
    ["many", undefined],
    ["1234567890", undefined],
  ])("reads the budget %j as %p", (budget, expected) => {
    using scene = open(JSON.stringify({ "user.ask_budget": budget }));
    const read = readProjectMemory(scene.workspace);
    expect(read.ok && read.memory["user.ask_budget"]).toBe(expected);
  });
});

describe("applyMemoryPatch()", () => {
  test("writes known keys for the owner alone, and names what it ignored", () => {
    using scene = open();
    const patch = { ...EVERY_KEY, "user.ask_budget": "3", "user.name": "x", "project.x": 1 };
    const applied = applyMemoryPatch(scene.workspace, patch);
    expect(applied).toMatchObject({ ok: true, ignored: ["user.name", "project.x"] });
    expect(JSON.parse(scene.text())).toEqual(EVERY_KEY);
    expect(statSync(scene.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(scene.root, ".papa-yu")).toSorted()).toEqual([
      ".gitignore",
      "project.json",
    ]);
  });

  test("keeps what a person wrote, in its order", () => {
    using scene = open('\uFEFF{"mine": [1], "user.output_format": "txt", "__proto__": {"a": 1}}');
    const applied = applyMemoryPatch(scene.workspace, { "user.output_format": "md" });
    expect(applied).toEqual({ ok: true, changed: ["user.output_format"], ignored: [] });
    const text = '{"mine":[1],"user.output_format":"md","__proto__":{"a":1}}';
    expect(JSON.stringify(JSON.parse(scene.text()))).toBe(text);
  });

  test("does not touch the file when nothing changes", () => {
    const text = '{"user.ask_budget":"2"}';
    using scene = open(text);
    const applied = applyMemoryPatch(scene.workspace, { "user.ask_budget": 2, "user.x": 1 });
    expect(applied).toEqual({ ok: true, changed: [], ignored: ["user.x"] });
    expect(scene.text()).toBe(text);
  });

  test.each<[string, string | Uint8Array]>([
    ["broken JSON", '{"user.output_format": "md"'],
    ["an array", "[]"],
    ["null", "null"],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["an over-large file", `{"a":"${"x".repeat(300_000)}"}`],
  ])("never writes over %s", (_, text) => {
    using scene = open(text);
    const before = readFileSync(scene.file);
    const applied = applyMemoryPatch(scene.workspace, { "user.output_format": "md" });
    expect(applied).toMatchObject({ ok: false, code: "ERR_IO" });
    expect(!applied.ok && applied.message).toMatch(
      /^Cannot (read|use) "\.papa-yu\/project\.json": ./,
    );
    expect(readFileSync(scene.file).equals(before)).toBe(true);
  });

  test("refuses to grow the file over its cap", () => {
    using scene = open(JSON.stringify({ mine: "x".repeat(261_000) }));
    const before = scene.text();
    const applied = applyMemoryPatch(scene.workspace, { "project.ci_notes": "y".repeat(2000) });
    expect(applied).toMatchObject({ ok: false, code: "ERR_IO" });
    expect(scene.text()).toBe(before);
  });

  test("follows no link, neither of the file nor of its folder", () => {
    using outside = open('{"user.output_format": "theirs"}');
    using file = open();
    mkdirSync(join(file.root, ".papa-yu"));
    symlinkSync(outside.file, file.file);
    using folder = open();
    symlinkSync(join(outside.root, ".papa-yu"), join(folder.root, ".papa-yu"));
    using pipe = open();
    mkdirSync(pipe.file, { recursive: true });
    for (const { workspace } of [file, folder, pipe]) {
      expect(readProjectMemory(workspace)).toMatchObject({ ok: false, code: "ERR_IO" });
      const applied = applyMemoryPatch(workspace, { "user.output_format": "md" });
      expect(applied).toMatchObject({ ok: false, code: "ERR_IO" });
    }
    expect(outside.text()).toBe('{"user.output_format": "theirs"}');
  });
});
