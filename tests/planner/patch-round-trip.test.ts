import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { carryOut, createGitBetween, type Files } from "./git-between.ts";

const NAMES = ["a.txt", "c d/x (1)", "ü", "--- q", "b/b", "r (modified)", "@@ y/x~", 'qu"o'];
const PLAIN = ["a", "b", "", "\tx", "-- ", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "diff --git a b"];
const ODD = ["a\r", "b\r", "\r", "\uFEFFa", "\\ No newline at end of file", "z\u2028"];
const OPTIONS = [[], ["-U0"], ["-U1"], ["--no-prefix"], ["--no-renames"], ["-M30%", "-C30%"]];

/** Makes the patch between two states of a folder as git does, and carries it out on the first. */
function createRoundTrip(dir: string) {
  const gitBetween = createGitBetween(dir);
  return (before: Files, after: Files, options: readonly string[]) => {
    const patch = gitBetween(before, after, options);
    return patch === "" ? before : carryOut(before, patch);
  };
}

function treesOf(lines: readonly string[]): fc.Arbitrary<Files> {
  const text = fc
    .tuple(fc.array(fc.constantFrom(...lines), { maxLength: 9 }), fc.constantFrom("\n", ""))
    .map(([all, end]) => all.join("\n") + (all.length > 0 ? end : ""));
  return fc.dictionary(fc.constantFrom(...NAMES), text, { minKeys: 1, maxKeys: 4 });
}

function tripsOf(lines: readonly string[]) {
  return fc.tuple(treesOf(lines), treesOf(lines), fc.constantFrom(...OPTIONS));
}

describe("what git says is between two folders makes the one of the other", () => {
  test("of any names and lines, with line ends of all kinds, marks of byte order and no context", () => {
    using dir = tempDir();
    const roundTrip = createRoundTrip(dir.path);
    const property = fc.property(tripsOf([...PLAIN, ...ODD]), ([before, after, options]) => {
      expect(roundTrip(before, after, options)).toEqual(after);
    });
    fc.assert(property, { numRuns: runs(60, 3000) });
  });

  test.each<[string, string, string]>([
    ["a line end of another kind among its own", "a\nb\nc\n", "a\nb\nx\r\nc\n"],
    ["a line in LF for one in CRLF", "a\r\n", "b\n"],
    ["a file in LF for one in CRLF", "a\r\nb\r\nc\r\n", "a\nb\nc\n"],
    ["CRLF in what was empty", "", "a\r\nb\n"],
    ["a byte order mark in the middle", "a\nb\n", "a\n\uFEFFc\nb\n"],
    ["a line above a byte order mark", "\uFEFFa\nb\n", "x\n\uFEFFa\nb\n"],
    ["a byte order mark that goes", "\uFEFFa\nb\n", "a\nb\n"],
    ["the same line once more", "a\nb\n", "a\nb\nb\n"],
    [
      "a comment of words that may stand for lines",
      "# a\ny = 1\nz = 2\n",
      "# a\n# change.\nz = 2\n",
    ],
    ["all lines one blank further", "[x]\na = 1\nb = 2\n", "[x]\n a = 1\n b = 2\n"],
  ])("%s", (_, was, is) => {
    using dir = tempDir();
    const roundTrip = createRoundTrip(dir.path);
    for (const options of [...OPTIONS, ["--no-renames"]]) {
      expect(roundTrip({ f: was }, { f: is }, options)).toEqual({ f: is });
    }
    expect(roundTrip({ f: was }, { g: is }, ["--no-renames"])).toEqual({ g: is });
  });
});
