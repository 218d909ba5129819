import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { carryExactly } from "../../src/patch/carry-exactly.ts";
import { readFilePatches } from "../../src/patch/files/files.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { carryOut, createGitBetween } from "./git-between.ts";

/** What `git apply` makes of a text; undefined where it refuses. */
function createGitApply(dir: string): (source: string, patch: string) => string | undefined {
  const at = join(dir, "f");
  const env = { PATH: process.env["PATH"], HOME: dir, GIT_CEILING_DIRECTORIES: dir };
  return (source, patch) => {
    writeFileSync(at, source);
    // Without it git takes no patch that has no context, wherever the file goes on below it.
    const options = /^ /m.test(patch) ? [] : ["--unidiff-zero"];
    const input = { cwd: dir, env, input: patch };
    const { status } = spawnSync("git", ["apply", "--whitespace=nowarn", ...options], input);
    return status === 0 ? readFileSync(at, "utf8") : undefined;
  };
}

const LINE = fc.constantFrom("a", "b", "c", "");
const LINES = fc.array(LINE, { minLength: 1, maxLength: 10 });

/** What became of the file that a patch was made from. */
const SINCE = fc.constantFrom<((before: string[], after: string[], more: string[]) => string[])[]>(
  (before) => before,
  (_, after) => after,
  (before, _, more) => [...before, ...more],
  (_, after, more) => [...after, ...more],
  (before, _, more) => [...more, ...before],
  (before, _, more) => before.toSpliced(before.length / 2, 0, ...more),
  (_, __, more) => more,
);

const text = (lines: readonly string[], end: string) => lines.join("\n") + end;

/** The same without the lines that stay below its last change. */
function cutBelow(patch: string): string {
  const [, kept = "", below = ""] = /^(.*\n)((?: [^\n]*\n)+)$/s.exec(patch) ?? [];
  const gone = below.split("\n").length - 1;
  const less = (count: string) => Number(count) - gone;
  const at = kept.lastIndexOf("\n@@ ");
  const head = (all: string, old: string, was: string, now: string, is: string) =>
    gone === 0 ? all : `@@ -${old},${less(was)} +${now},${less(is)} @@`;
  const hunk = kept.slice(at).replace(/@@ -(\d+),(\d+) \+(\d+),(\d+) @@/, head);
  return gone === 0 || at < 0 ? patch : kept.slice(0, at) + hunk;
}

test("what carryExactly() carries out, git apply carries out in the same way", () => {
  using dir = tempDir();
  using elsewhere = tempDir();
  const gitBetween = createGitBetween(dir.path);
  const gitApply = createGitApply(elsewhere.path);
  let carried = 0;
  const property = fc.property(
    fc.tuple(LINES, LINES, LINES),
    SINCE,
    fc.constantFrom("\n", ""),
    fc.constantFrom("-U0", "-U1", "-U2", "-U3"),
    fc.boolean(),
    ([before, after, more], since, end, context, isCut) => {
      const states = [{ f: text(before, end) }, { f: text(after, "\n") }] as const;
      const made = gitBetween(...states, [context]);
      const patch = isCut ? cutBelow(made) : made;
      const read = readFilePatches(patch);
      if (!read.ok) return;
      const source = text(since(before, after, more), "\n");
      const exact = carryExactly(source, read.files[0]?.hunks ?? "");
      if (exact === undefined) return;
      carried++;
      expect(exact).toBe(gitApply(source, patch) ?? "refused by git");
    },
  );
  fc.assert(property, { numRuns: runs(250, 9000) });
  expect(carried).toBeGreaterThan(20);
});

describe("a patch that is carried out twice makes its change once", () => {
  const LOG = "one\ntwo\nthree\nfour\n";
  const NAMES = "--- a/log.md\n+++ b/log.md\n";
  const AT_END = `${NAMES}@@ -2,3 +2,5 @@\n two\n three\n four\n+five\n+six\n`;

  test.each([
    ["lines at the end", LOG, AT_END],
    ["lines at the end, with one line quoted", LOG, `${NAMES}@@ -4 +4,3 @@\n four\n+five\n+six\n`],
    ["lines at the end, without any quoted", LOG, `${NAMES}@@ -4,0 +5,2 @@\n+five\n+six\n`],
    ["lines between others, without any quoted", LOG, `${NAMES}@@ -2,0 +3,2 @@\n+five\n+six\n`],
    ["lines in two places", LOG, `${NAMES}@@ -0,0 +1 @@\n+zero\n@@ -4,0 +6 @@\n+five\n`],
    ["lines at the beginning", LOG, `${NAMES}@@ -1,2 +1,3 @@\n+zero\n one\n two\n`],
    [
      "a line at the end in CRLF",
      LOG.replaceAll("\n", "\r\n"),
      `${NAMES}@@ -4 +4,2 @@\n four\r\n+five\r\n`,
    ],
  ])("%s", (_, before, patch) => {
    const once = carryOut({ "log.md": before }, patch);
    if ("code" in once) throw new Error(once.code);
    expect(once["log.md"]).not.toBe(before);
    expect(carryOut(once, patch)).toEqual(once);
  });
});
