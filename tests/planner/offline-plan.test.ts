import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { languageOf } from "../../src/core/language.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { resolveChecks } from "../../src/workspace/checks/checks.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { BUG, GENERAL, NODE, paths, perform, plan, planIn } from "./offline-support.ts";

describe("planOffline()", () => {
  test("fixes the sample: one patch, three new files, and its failing test passes", async () => {
    using dir = tempDir();
    cpSync(join(import.meta.dir, "../../workspaces/sample"), dir.path, { recursive: true });
    const bunTest = () => Bun.spawnSync([process.execPath, "test"], { cwd: dir.path }).exitCode;
    expect(bunTest()).toBe(1);
    const answer = await planIn(dir.path, GENERAL);
    expect(answer.actions.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "PATCH_FILE src/progress.ts",
      "CREATE_FILE README.md",
      "CREATE_FILE .gitignore",
      "CREATE_FILE .editorconfig",
    ]);
    expect(answer.reads).toEqual(["src/progress.ts"]);
    await perform(dir.path, answer.actions);
    expect(bunTest()).toBe(0);
    expect((await planIn(dir.path, GENERAL)).actions).toEqual([]);
  });

  test("gives the sample's check, which the summary names", async () => {
    const root = join(import.meta.dir, "../../workspaces/sample");
    const { summary } = await planIn(root, GENERAL);
    expect(summary).toContain("- bun run test");
    expect(summary).toContain("1. Patch src/progress.ts: the loop in line 6");
    const limits = { checkTimeoutMs: 1000, maxActions: 0, protectedPaths: [] };
    expect(await resolveChecks({ name: "w", root, check: "detect", ...limits })).toEqual([
      { name: "test", argv: ["bun", "run", "test"], from: "package.json: test" },
    ]);
  });

  test("writes the summary in the language asked for", async () => {
    expect((await plan({}, GENERAL, { language: "ru" })).summary).toContain("1. Создать README.md");
    expect((await plan({}, GENERAL, { language: "zh" })).summary).toContain("1. 创建 README.md");
  });

  test("gives an empty folder a README only", async () => {
    expect(paths(await plan({}))).toEqual(["README.md"]);
  });

  test("limits itself to what the goal names, in three languages", async () => {
    const files = {
      ...NODE,
      "src/sum.js": BUG,
      "src/main.js": "export {\n  a,\n};\n",
      ".env": "KEY=1\n",
    };
    const chosen = async (goal: string) => paths(await plan(files, goal));
    expect(await chosen("write a README, please")).toEqual(["README.md"]);
    expect(await chosen("добавь .gitignore и лицензию")).toEqual([".gitignore", "LICENSE"]);
    expect(await chosen("Fix the bug in sum")).toEqual(["src/sum.js"]);
    expect(await chosen("почини сумму")).toEqual(["src/sum.js"]);
    expect(await chosen("修复错误")).toEqual(["src/sum.js"]);
    expect(await chosen("напиши тесты")).toEqual(["tests/sum.test.js"]);
    expect(await chosen("添加测试和许可证")).toEqual(["tests/sum.test.js", "LICENSE"]);
    expect(await chosen("make an .env.example and an editorconfig")).toEqual([
      ".editorconfig",
      ".env.example",
    ]);
    expect(await chosen("deprecated prefixes in the latest envelope")).toHaveLength(6);
    expect(await chosen(GENERAL)).not.toContain("LICENSE");
  });

  test.each([
    [GENERAL, undefined],
    ["What is missing here?", undefined],
    ["чего тут не хватает?", undefined],
    ["这里缺什么？", undefined],
    ["improve error handling in parser.ts", /They cannot follow the words of this goal/],
    ["add the missing import in login.ts", /They cannot follow the words of this goal/],
    ["修复登录缺陷", /它们只按目标中的“修复”行事。/],
    ["недостаточно памяти при загрузке", /Слова этой цели им непонятны/],
    ["Rename foo to bar", /\. They cannot follow the words of this goal, which takes a model/],
    ["переименуй foo в bar", /Слова этой цели им непонятны/],
    ["把 foo 改名为 bar", /它们看不懂这个目标/],
    ["fix the README of the login page", /Of the goal they went by "fix", "README" alone\./],
    ["почини вход", /Из цели они поняли только: «почин»\./],
    ["写测试", /它们只按目标中的“测试”行事。/],
  ])("says what of %j it cannot follow", async (goal, said) => {
    const { summary } = await plan(NODE, goal, { language: languageOf(goal) });
    const [diagnosis = ""] = summary.split("\n");
    const words = textsIn(languageOf(goal)).offline;
    const { unknownGoal, knownWords } = words;
    if (said) expect(diagnosis).toMatch(said);
    else {
      expect(diagnosis).not.toContain(unknownGoal);
      expect(diagnosis).not.toContain(knownWords([]).slice(0, 8));
    }
  });

  test("keeps to the workspace's number of actions", async () => {
    const files = { ...NODE, "src/sum.js": BUG };
    expect(paths(await plan(files, GENERAL, { maxActions: 2 }))).toEqual([
      "src/sum.js",
      "README.md",
    ]);
  });

  test("says so when nothing is missing", async () => {
    const { actions, reads, summary } = await plan({ "README.md": "" });
    expect({ actions, reads }).toEqual({ actions: [], reads: [] });
    expect(summary).toEndWith("find nothing to add or fix.");
  });

  test("never takes a place that something holds, under any spelling or kind", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      ...NODE,
      "Readme.txt": "",
      ".env": "A=1",
      ".env.sample": "",
      LICENCE: "",
      "a.js": "{\n  a;\n  b;\n}\n",
    });
    mkdirSync(join(dir.path, ".gitignore"));
    symlinkSync("/nowhere", join(dir.path, ".editorconfig"));
    expect(paths(await planIn(dir.path, GENERAL))).toEqual([]);
    expect(paths(await planIn(dir.path, "license"))).toEqual([]);
  });

  test("never throws, is deterministic, touches existing files by patch only", async () => {
    const name = fc.constantFrom(
      "package.json",
      "Cargo.toml",
      "README",
      "src",
      "test",
      ".env",
      ".gitignore",
      "a.ts",
      "b.js",
      "ü.mjs",
      "package.json5",
      "go.mod",
    );
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const content = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(BUG, "\tx\n", "\0\xff", "KEY=1\n", '{"scripts":{"test":"x"}}'),
    );
    const goal = fc.constantFrom(GENERAL, "license", "fix", "tests", "env");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(path, content), { maxLength: 8 }),
        goal,
        async (files, wanted) => {
          using dir = tempDir();
          for (const [each, text] of files) writeIfFree(dir.path, each, text);
          const before = readTree(dir.path);
          const answer = await planIn(dir.path, wanted);
          expect(await planIn(dir.path, wanted)).toEqual(answer);
          expect(readTree(dir.path)).toEqual(before);
          for (const action of answer.actions) {
            expect(action.path in before).toBe(action.kind === "PATCH_FILE");
          }
        },
      ),
      { numRuns: runs(25, 60) },
    );
  });
});

function writeIfFree(root: string, path: string, content: string): void {
  try {
    writeTree(root, { [path]: content });
  } catch {
    // another path is a folder or a file there already
  }
}
