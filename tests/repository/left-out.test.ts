import { expect, test } from "bun:test";
import { join } from "node:path";

/**
 * What a test is left out for: a lack that `tests/support/needs.ts` says, and that fails in CI, or the
 * platform, which is known without a probe.
 */
const SAID =
  /\.if\((?:hasBubblewrap(?: && needs\((?:(?!&&)[^\n])*\))?|hasOverlay|CAN_MOUNT|CAN_BE_IMMUTABLE|IS_ROOT|canLook|canBeOther|canBeInside|hasLists|hasTwo|needs\((?:(?!&&)[^\n])*\)|process\.platform === "linux")\)/u;
const LEAVES_OUT =
  /\b(?:test|it|describe)(?:\.concurrent)?\.(?:if|skip|skipIf|todo|todoIf)\b[^\n]*/gu;

/** A name among those that does not come from there. */
const NOT_SAID =
  /\bconst (?:hasBubblewrap|hasOverlay|CAN_MOUNT|CAN_BE_IMMUTABLE|IS_ROOT|canLook|canBeOther|canBeInside|hasLists|hasTwo) = (?!needs\()[^\n]*/gu;

/** A test that ends, or a row that goes, for what the machine has. */
const ENDS_EARLY =
  /^(?!.*needs\()[^\n]*\b(?:Bun\.which\(|process\.platform\b|geteuid\b)[^\n]*\breturn;?(?:$| expect)[^\n]*|\.filter\((?!.*needs\()[^\n]*Bun\.which\([^\n]*/gmu;

function findSilent(text: string): readonly string[] {
  const left = [...text.matchAll(LEAVES_OUT)].map(([line]) => line);
  const named = [...text.matchAll(NOT_SAID)].map(([line]) => line);
  const ending = [...text.matchAll(ENDS_EARLY)].map(([line]) => line);
  return [...left.filter((line) => !SAID.test(line)), ...named, ...ending];
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
  'test.if(needs("a", true) && existsSync("/x"))("a", () => {});',
  'const hasOverlay = existsSync("/x");',
  '  if (process.platform !== "linux") return;',
  '  if (Bun.which("xxd") === null) return expect(1).toBe(1);',
  ".filter(({ name }) => Bun.which(name) !== null)",
  'describe.skipIf(process.env["CI"])("a", () => {});',
])("the rule sees: %s", (line) => {
  expect(findSilent(line)).toEqual([line]);
});
