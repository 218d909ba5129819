import { expect, test } from "bun:test";
import { join } from "node:path";

/**
 * What a test is left out for: a lack that `tests/support/needs.ts` says, and that fails in CI, or the
 * platform, which is known without a probe.
 */
const SAID =
  /\.if\((?:hasBubblewrap(?: && needs\([^\n]*)?|hasOverlay|CAN_MOUNT|CAN_BE_IMMUTABLE|IS_ROOT|canLook|hasTwo|needs\([^\n]*|process\.platform === "linux")\)/u;
const LEAVES_OUT = /\b(?:test|describe)(?:\.concurrent)?\.(?:if|skip|skipIf|todo|todoIf)\b[^\n]*/gu;

function findSilent(text: string): readonly string[] {
  return [...text.matchAll(LEAVES_OUT)].map(([line]) => line).filter((line) => !SAID.test(line));
}

test("no test is left out without a word", async () => {
  const root = join(import.meta.dir, "..");
  const silent: string[] = [];
  for (const path of new Bun.Glob("**/*.ts").scanSync(root)) {
    if (path === "repository/left-out.test.ts") continue;
    for (const line of findSilent(await Bun.file(join(root, path)).text())) {
      silent.push(`${path}: ${line}`);
    }
  }
  expect(silent).toEqual([]);
});

test.each([
  'test.skip("a", () => {});',
  'test.todo("a");',
  'test.if(existsSync("/x"))("a", () => {});',
  'describe.skipIf(process.env["CI"])("a", () => {});',
])("the rule sees: %s", (line) => {
  expect(findSilent(line)).toEqual([line]);
});
