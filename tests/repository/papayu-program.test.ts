import { expect, test } from "bun:test";
import { join } from "node:path";
import { bundleProgram } from "../support/papayu-program.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** A project of the same shape, whose program says where it lies and what it imports. */
function openProject() {
  const dir = tempDir();
  writeTree(dir.path, {
    "src/main.ts": 'import { word } from "./word.ts"; console.log(import.meta.dir, word);',
    "src/word.ts": 'export const word: string = "one";',
    "schemas/a.json": "{}",
    "package.json": "{}",
    "bun.lock": "",
    "tsconfig.json": "{}",
    "other/word.ts": 'export const word: string = "other";',
  });
  const say = () =>
    Bun.spawnSync([process.execPath, bundleProgram(dir.path)])
      .stdout.toString()
      .trim();
  return { dir, say, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("bundleProgram() is what the sources are now, and knows where they lie", () => {
  using project = openProject();
  const src = join(project.dir.path, "src");
  expect(project.say()).toBe(`${src} one`);
  const first = bundleProgram(project.dir.path);
  expect(bundleProgram(project.dir.path)).toBe(first);
  writeTree(project.dir.path, { "src/word.ts": 'export const word = "two";' });
  expect(project.say()).toBe(`${src} two`);
  expect(bundleProgram(project.dir.path)).not.toBe(first);
});

test("bundleProgram() refuses what is made of files that it does not look at", () => {
  using project = openProject();
  writeTree(project.dir.path, { "src/word.ts": 'export { word } from "../other/word.ts";' });
  expect(() => bundleProgram(project.dir.path)).toThrow(/fresh.+other\/word\.ts/u);
});
