import { describe, expect, test } from "bun:test";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { contentOf, NODE, paths, perform, plan, planIn } from "./offline-support.ts";

describe("first-test rule", () => {
  const SOURCE = 'const UNIT = "cm";\n\nexport function size(n) {\n  return n + UNIT;\n}\n';

  test("writes one that passes under bun test", async () => {
    using dir = tempDir();
    writeTree(dir.path, {
      "package.json": "{}",
      "bun.lock": "",
      "src/size.ts": SOURCE.replace("(n)", "(n: number)"),
    });
    const { actions } = await planIn(dir.path, "tests");
    expect(actions.map(({ path }) => path)).toEqual(["tests/size.test.ts"]);
    await perform(dir.path, actions);
    expect(Bun.spawnSync([process.execPath, "test"], { cwd: dir.path }).exitCode).toBe(0);
  });

  test("writes one that passes under node --test", async () => {
    using dir = tempDir();
    writeTree(dir.path, { ...NODE, "size.js": SOURCE });
    const answer = await planIn(dir.path, "tests");
    expect(contentOf(answer, "tests/size.test.js")).toContain('from "../size.js"');
    await perform(dir.path, answer.actions);
    expect(Bun.spawnSync([process.execPath, "test"], { cwd: dir.path }).exitCode).toBe(0);
  });

  test("writes for vitest, as the compiler's settings let modules be named", async () => {
    const manifest = JSON.stringify({ devDependencies: { vitest: "1" } });
    const content = async (tsconfig: string) =>
      contentOf(
        await plan(
          { "package.json": manifest, "src/size.ts": SOURCE, "tsconfig.json": tsconfig },
          "tests",
        ),
        "tests/size.test.ts",
      );
    expect(await content("{}")).toContain('from "../src/size.js"');
    expect(await content('{"allowImportingTsExtensions":true}')).toContain('from "../src/size.ts"');
  });

  test("is left out where there are tests, another runner, or a doubt", async () => {
    await expectNone({ ...NODE, "size.js": SOURCE, "src/other.test.js": "" });
    await expectNone({
      "package.json": '{"type":"module","devDependencies":{"jest":"1"}}',
      "size.js": SOURCE,
    });
    await expectNone({ "package.json": "{}", "size.js": SOURCE });
    await expectNone({
      "package.json": "{}",
      "bun.lock": "",
      "tsconfig.json": "{}",
      "size.ts": SOURCE,
    });
    await expectNone({ ...NODE, "size.js": `start();\n${SOURCE}` });
    await expectNone({ ...NODE, "size.js": `import "./effects.js";\n${SOURCE}` });
    await expectNone({ ...NODE, "size.js": `const a = read();\n${SOURCE}` });
    await expectNone({ ...NODE, "size.js": "const a = 1;\n" });
  });
});

async function expectNone(files: Record<string, string>): Promise<void> {
  expect(paths(await plan(files, "tests"))).toEqual([]);
}
