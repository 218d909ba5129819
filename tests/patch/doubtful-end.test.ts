import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";

const SOURCE = "a\nb\nc\n  d\n";
const MADE = "a\nB\nB2\nc\n  d\n";
const BODY = " a\n-b\n+B\n+B2\n c\n   d\n";

/** Whether a patch makes what was intended of {@link SOURCE}. */
function isMade(patch: string): boolean {
  const result = applyPatch(SOURCE, `--- a/f\n+++ b/f\n${patch}`, { path: "f" });
  if (result.ok) expect(result.text).toBe(MADE);
  return result.ok;
}

const WRAPPERS = [
  "*** End Patch",
  "*** End of File",
  "*** Update File: g",
  "</patch>",
  "</diff>",
  "</answer>",
  "</file>",
  "</changes>",
  "</code>",
  "EOF",
  "PATCH",
  '"""',
  '"}',
  "No newline at end of file",
];
const HEADERS = ["@@", "@@ -1,4 +1,4 @@", "@@ -1,4 +1,5 @@", "@@ -1,4 +1,6 @@", "@@ -1,5 +1,7 @@"];

describe("applyPatch() takes the end of what a patch is put in for no line of it", () => {
  for (const wrapper of WRAPPERS) {
    test(`${wrapper}, whatever the counts`, () => {
      for (const header of HEADERS) {
        for (const gap of ["", "\n"]) {
          expect([header, gap, isMade(`${header}\n${BODY}${gap}${wrapper}\n`)]).toEqual([
            header,
            gap,
            true,
          ]);
        }
      }
    });
  }
});

/** What an added line opens, and the line that closes it. */
const OPENED: Readonly<Record<string, readonly [opens: string, closes: string]>> = {
  "a document of a shell": ["cat <<EOF", "EOF"],
  "a quoted document of a shell": ["patch <<-'PATCH'", "PATCH"],
  "a tag": ['<pre class="x">', "</pre>"],
  "a tag of another name": ["<file>", "</file>"],
  "a text in three quotes": ['x = """one', '"""'],
  "a text in a list": ['{"x', '"}'],
  "a patch": ["*** Begin Patch", "*** End Patch"],
};

describe("applyPatch() makes no half of a change whose end has lost its plus", () => {
  for (const [name, [opens, closes]] of Object.entries(OPENED)) {
    const made = `a\n${opens}\nc\n${closes}\nb\nc\n  d\n`;
    const bodies = {
      "in one hunk": `@@ C1 @@\n a\n+${opens}\n+c\n${closes}\n b\n c\n`,
      "at its end": `@@ C2 @@\n a\n+${opens}\n+c\n${closes}\n`,
      twice: `@@ C2 @@\n a\n+${opens}\n+c\n${closes}\n@@ C3 @@\n b\n+${opens}\n+c\n${closes}\n`,
    };
    for (const [where, body] of Object.entries(bodies)) {
      test(`${name}, ${where}`, () => {
        const counted = body
          .replace("C1", "-1,3 +1,6")
          .replace("C2", "-1,1 +1,4")
          .replace("C3", "-2,1 +5,4");
        for (const patch of [counted, body.replace(/C\d/g, "...")]) {
          const result = applyPatch(SOURCE, patch);
          if (result.ok) expect(result.text).toBe(made);
        }
      });
    }
  }
});

describe("applyPatch() passes over what has no change", () => {
  const HEADER = "@@ -1,4 +1,5 @@\n";

  test.each([
    ["a header that is written twice", `${HEADER}${HEADER}${BODY}`],
    ["a header that is written twice with a line between", `${HEADER}\n${HEADER}${BODY}`],
    ["a header behind all", `${HEADER}${BODY}@@ -9,3 +10,4 @@\n`],
  ])("%s", (_name, patch) => {
    expect(isMade(patch)).toBe(true);
  });

  test("a hunk that shows what another makes, and none with a line that nothing makes", () => {
    const hunk = "@@ -1,3 +1,4 @@\n one()\n-two()\n+second()\n+third()\n four()\n";
    const shown = (line: string) => `@@ -1,4 +1,4 @@\n one()\n second()\n ${line}\n four()\n`;
    for (const line of ["third()", "fifth()"]) {
      for (const patch of [hunk + shown(line), shown(line) + hunk]) {
        const result = applyPatch("one()\ntwo()\nfour()\n", patch);
        expect([line, result.ok]).toEqual([line, line === "third()"]);
      }
    }
  });

  const twice = "one()\ntwo()\n\nthree()\nfour()\n";
  test.each([
    ["no counts", "@@ ... @@", "@@ ... @@"],
    ["counts that say so", "@@ -1,2 +1,3 @@", "@@ -4,2 +5,3 @@"],
    ["counts that are wrong", "@@ -1,2 +1,3 @@", "@@ -4,3 +5,3 @@"],
  ])("but not a hunk whose added line is as in another, with %s", (_name, first, second) => {
    const patch = `${first}\n one()\n+new()\n two()\n${second}\n three()\n new()\n four()\n`;
    expect(applyPatch(twice, patch)).not.toHaveProperty("text");
  });

  test("nor a header that has another below it, or where the patch is cut off", () => {
    expect(isMade(`@@ -9,3 +10,4 @@\n${HEADER}${BODY}`)).toBe(false);
    expect(isMade(`${HEADER}${BODY}@@ -9,3 +10,4 @@`)).toBe(false);
  });
});

describe("applyPatch() reads sample code below prose", () => {
  test.each([
    ["indented as in Markdown", "\nNow it reads:\n\n    c\n    d\n", true],
    ["in two blocks", "\nNow it reads:\n\n    c\n\nand:\n\n    d\n", true],
    ["right below, which may be the rest", "\nNow it reads:\n    c\n", false],
    ["as the rest of the hunk would be", "\nNow it reads:\n\n c\n   d\n", false],
  ])("%s", (_name, prose, isFit) => {
    const rest = isFit ? BODY : " a\n-b\n+B\n+B2\n";
    expect(isMade(`@@ ... @@\n${rest}${prose}`)).toBe(isFit);
  });
});
