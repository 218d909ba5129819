import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { measureEffort } from "../support/effort.ts";
import { refusalOf, textOf } from "./patch-outcome.ts";

const SOURCE = ["one", "two", "three", "four", "five", "six", ""].join("\n");
const HUNK = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n";
const DONE = SOURCE.replace("three", "THREE");

describe("applyPatch() reads", () => {
  const headed = `--- a/src/n.txt\n+++ b/src/n.txt\n${HUNK}`;
  const readable: Record<string, string> = {
    "a clean diff": headed,
    "a hunk without file headers": HUNK,
    "a diff --git header alone": `diff --git a/src/n.txt b/src/n.txt\nindex 1..2 100644\n${HUNK}`,
    "a fence with prose around": `Sure, here it is:\n\n\`\`\`diff\n${headed}\`\`\`\n\n- It is small.\n`,
    "a fence that is never closed": `\`\`\`diff\n${headed}`,
    "prose without a fence": `I changed this:\n\n${headed}\nThat is all.\n`,
    "counts that are too high": headed.replace("-2,3 +2,3", "-2,9 +2,7"),
    "counts that are too low": headed.replace("-2,3 +2,3", "-2,1 +2,2"),
    "no counts": headed.replace("-2,3 +2,3", "-2 +2"),
    "a bare @@": headed.replace(/@@.*@@/, "@@"),
    "dots for numbers": headed.replace(/@@.*@@/, "@@ ... @@"),
    "question marks for numbers": headed.replace(/@@.*@@/, "@@ -?,? +?,? @@"),
    "zeros for numbers": headed.replace(/@@.*@@/, "@@ -0,0 +0,0 @@"),
    "a heading for numbers": headed.replace(/@@.*@@/, "@@ one @@"),
    "no @@ at all below the file header": headed.replace(/@@.*@@\n/, ""),
    "CRLF in the patch": headed.replaceAll("\n", "\r\n"),
    "a byte order mark before the patch": `\uFEFF${headed}`,
    "no line end at the end": headed.slice(0, -1),
    "a mail signature behind": `${headed}-- \n2.43.0\n`,
    "a stray end-of-file mark": `${headed}\\ No newline at end of file\n`,
  };
  for (const [name, patch] of Object.entries(readable)) {
    test(name, () => {
      expect(textOf(applyPatch(SOURCE, patch, { path: "src/n.txt" }))).toBe(DONE);
    });
  }

  test("a removed line that looks like a file header, where the counts hold", () => {
    const patch = "@@ -1,2 +1,2 @@\n--- x\n+++ y\n@@ b\n";
    expect(applyPatch("-- x\nb\n", patch.replace("@@ b", " b"))).toMatchObject({
      text: "++ y\nb\n",
    });
  });

  test("context lines that were stripped bare", () => {
    const patch = "@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n\n";
    expect(textOf(applyPatch("a\n\nb\n\n", patch))).toBe("a\n\nB\n\n");
  });

  test("no hunk as ERR_PATCH_NOT_UNIFIED", () => {
    for (const patch of ["", "Just do it", "@@ -1 +1 @@\n one\n", "- a\n- b\n"]) {
      expect(refusalOf(applyPatch(SOURCE, patch)).code).toBe("ERR_PATCH_NOT_UNIFIED");
    }
  });

  test("no hunk that is cut off in its last line", () => {
    const patch = "@@ -2,3 +2,4 @@\n two\n-three\n+THR";
    const refusal = refusalOf(applyPatch(SOURCE, patch));
    expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
    expect(refusal.message).toContain("send it whole");
  });

  test("context lines that have lost their markers", () => {
    const source = "class A {\n  run() {\n    go()\n  }\n}\n";
    const patch =
      "@@ ... @@\nclass A {\n  run() {\n-    go()\n+    stop()\n  }\n}\n\nThat is all.\n";
    const result = applyPatch(source, patch);
    expect(textOf(result)).toBe(source.replace("go", "stop"));
    expect(result).toMatchObject({
      hunks: [{ line: 1, matched: "tolerant", note: expect.stringContaining("lacks markers") }],
    });
    const middle = "@@ ... @@\n-two\n+TWO\nthree\n-four\n+FOUR\n";
    expect(textOf(applyPatch(SOURCE, middle))).toBe(
      SOURCE.replace("two", "TWO").replace("four", "FOUR"),
    );
  });

  test("lines that stand for left-out ones", () => {
    const changed = SOURCE.replace("two", "TWO").replace("six", "SIX");
    for (const elision of ["...", " ...", "// ... existing code ...", " # ...", "…"]) {
      const patch = `@@ -1,6 +1,6 @@\n one\n-two\n+TWO\n${elision}\n five\n-six\n+SIX\n${elision}\n`;
      const result = applyPatch(SOURCE, patch);
      expect(textOf(result)).toBe(changed);
      expect(result).toMatchObject({ hunks: [{ line: 1, note: "lines are left out" }] });
    }
    const edge = "@@ ... @@\n...\n-two\n+TWO\n";
    expect(textOf(applyPatch(SOURCE, edge))).toBe(SOURCE.replace("two", "TWO"));
  });

  test("no parts around left-out lines in another order than the file's", () => {
    const patch = "@@ ... @@\n five\n-six\n+SIX\n...\n one\n-two\n+TWO\n";
    expect(refusalOf(applyPatch(SOURCE, patch)).message).toContain("another order");
  });

  test("dots that the file itself has as they are", () => {
    const source = "def f():\n    ...\n\ndef g():\n    ...\n";
    const patch = "@@ ... @@\n def g():\n-    ...\n+    return 1\n";
    expect(textOf(applyPatch(source, patch))).toBe("def f():\n    ...\n\ndef g():\n    return 1\n");
  });

  test("numbers before its lines", () => {
    for (const mark of ["| ", ": ", "\t", "│"]) {
      const patch = `@@ -2,3 +2,3 @@\n 2${mark}two\n-3${mark}three\n+3${mark}THREE\n 4${mark}four\n`;
      expect(textOf(applyPatch(SOURCE, patch))).toBe(DONE);
    }
    const skipping = "@@ ... @@\n 2| two\n-4| three\n+4| THREE\n 5| four\n";
    expect(refusalOf(applyPatch(SOURCE, skipping)).code).toBe("ERR_PATCH_APPLY_FAILED");
  });

  test("no escape of the file's own as a colour", () => {
    const bell = "\u001B[31m";
    const source = SOURCE.replace("three", `print ${bell}three`);
    const plain = `@@ -2,3 +2,3 @@\n two\n-print ${bell}three\n+print ${bell}THREE\n four\n`;
    expect(textOf(applyPatch(source, plain))).toBe(source.replace("three", "THREE"));
    // Only some of its changed lines are coloured.
    const half = HUNK.replace("+THREE", `${bell}+THREE\u001B[m`);
    expect(refusalOf(applyPatch(SOURCE, half)).code).toBe("ERR_PATCH_NOT_UNIFIED");
  });

  test("no numbers before a patch that do not count on, or are apart from it in other ways", () => {
    const number = (put: (n: number) => string) =>
      HUNK.slice(0, -1)
        .split("\n")
        .map((line, i) => `${put(i + 7)}${line}\n`)
        .join("");
    expect(
      textOf(
        applyPatch(
          SOURCE,
          number((n) => `${n}\t`),
        ),
      ),
    ).toBe(DONE);
    for (const put of [
      (n: number) => `${n === 9 ? 12 : n}\t`,
      (n: number) => (n === 9 ? "9;" : `${n}:`),
    ]) {
      expect(refusalOf(applyPatch(SOURCE, number(put))).code).toBe("ERR_PATCH_NOT_UNIFIED");
    }
  });

  test("entities for signs where the file has the signs and all of the patch is encoded", () => {
    const source = "if (a < b && c > d) {\n  go('x')\n}\n";
    const patch =
      "@@ ... @@\n if (a &lt; b &amp;&amp; c &gt; d) {\n-  go(&#39;x&#39;)\n+  go(&quot;&lt;y&gt;&quot;)\n }\n";
    expect(textOf(applyPatch(source, patch))).toBe(source.replace("'x'", '"<y>"'));
    const mixed = patch.replace("&lt; b", "< b");
    expect(refusalOf(applyPatch(source, mixed)).code).toBe("ERR_PATCH_APPLY_FAILED");
    const own = "<p>a &lt; b</p>\n<p>c</p>\n";
    expect(textOf(applyPatch(own, "@@ ... @@\n <p>a &lt; b</p>\n-<p>c</p>\n+&lt;\n"))).toBe(
      "<p>a &lt; b</p>\n&lt;\n",
    );
  });

  test("all of a hunk whose counts end too early by chance", () => {
    const patch = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n\n-four\n+FOUR\n";
    expect(textOf(applyPatch("one\ntwo\nthree\n\nfour\n", patch))).toBe(
      "one\nTWO\nthree\n\nFOUR\n",
    );
    const prose = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n\n- It is small.\n";
    expect(textOf(applyPatch(SOURCE, prose))).toBe(SOURCE.replace("two", "TWO"));
  });
});

describe("applyPatch() chooses the file", () => {
  const two = `diff --git a/x.txt b/x.txt\n--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-one\n+ONE\n--- a/lib/y.txt\n+++ b/lib/y.txt\n@@ -1 +1 @@\n-one\n+EINS\n`;

  test("takes the part for the path of a patch about several files", () => {
    expect(textOf(applyPatch("one\n", two, { path: "x.txt" }))).toBe("ONE\n");
    expect(textOf(applyPatch("one\n", two, { path: "lib/y.txt" }))).toBe("EINS\n");
  });

  test("refuses a patch that names only other files", () => {
    const refusal = refusalOf(applyPatch("one\n", two, { path: "z.txt" }));
    expect(refusal.code).toBe("ERR_PATCH_PATH_MISMATCH");
    expect(refusal.message).toContain('"lib/y.txt"');
  });

  test("does not give a file without hunks those of the next one", () => {
    const renamed = "diff --git a/u.txt b/v.txt\nrename from u.txt\nrename to v.txt\n";
    const refusal = refusalOf(applyPatch("one\n", renamed + two, { path: "v.txt" }));
    expect(refusal.code).toBe("ERR_PATCH_PATH_MISMATCH");
    expect(textOf(applyPatch("one\n", renamed + two, { path: "x.txt" }))).toBe("ONE\n");
  });

  test.each([
    ["a/a.txt", "b/b.txt", false],
    ["a/a.txt", "/etc/passwd", false],
    ["Makefile", "Makefile", false],
    ["a.txt", "a.txt.new", true],
    ["a.txt.orig", "a.txt", true],
    ["original", "modified", true],
    ["old version", "New", true],
    ["/dev/null", "b/a.txt", true],
  ])("takes --- %s over +++ %s for a.txt: %p", (before, after, isTaken) => {
    const patch = `--- ${before}\n+++ ${after}\n@@ -1 +1 @@\n-one\n+1\n`;
    const result = applyPatch("one\n", patch, { path: "a.txt" });
    expect(result.ok ? "taken" : result.code).toBe(isTaken ? "taken" : "ERR_PATCH_PATH_MISMATCH");
  });

  test("refuses the parts for two files that the path fits alike", () => {
    const part = (name: string, from: string, to: string) =>
      `--- a/packages/${name}/package.json\n+++ b/packages/${name}/package.json\n@@ @@\n-${from}\n+${to}\n`;
    const both = part("a", "name", "nameA") + part("b", "version", "versionB");
    const result = applyPatch("name\nversion\n", both, { path: "package.json" });
    expect(refusalOf(result).code).toBe("ERR_PATCH_PATH_MISMATCH");
    const a = applyPatch("name\nversion\n", both, { path: "packages/a/package.json" });
    expect(textOf(a)).toBe("nameA\nversion\n");
  });

  test("takes no time for a header without end", () => {
    const effort = measureEffort();
    const header = `--- a ${"( ".repeat(500_000)}\n+++ b ${"( ".repeat(500_000)}\n`;
    expect(textOf(applyPatch("one\n", `${header}@@ @@\n-one\n+1\n`, { path: "a.txt" }))).toBe(
      "1\n",
    );
    expect(effort()).toBeLessThan(2000);
  });

  test("takes zeros with added lines for an unknown place", () => {
    const added = "@@ -0,0 +0,0 @@\n+new\n";
    expect(applyPatch("first\nsecond\n", added).ok).toBe(false);
    expect(textOf(applyPatch("first\n", "@@ -1,0 +2,1 @@\n+new\n"))).toBe("first\nnew\n");
  });

  test("refuses several files where no path says which", () => {
    expect(refusalOf(applyPatch("one\n", two)).code).toBe("ERR_PATCH_PATH_MISMATCH");
  });

  const spellings = [
    "lib/y.txt",
    "./lib/y.txt",
    "a/lib/y.txt",
    "b/b/lib/y.txt",
    "/home/me/project/lib/y.txt",
    "y.txt",
    '"a/lib/y.txt"',
    "lib/y.txt\t2026-01-01 10:00:00 +0000",
    "lib/y.txt (modified)",
  ];
  for (const name of spellings) {
    test(`knows the file as ${JSON.stringify(name)}`, () => {
      const patch = `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-one\n+1\n`;
      expect(textOf(applyPatch("one\n", patch, { path: "lib/y.txt" }))).toBe("1\n");
    });
  }

  test("does not take another file whose name ends alike", () => {
    const patch = "--- a/my.txt\n+++ b/my.txt\n@@ -1 +1 @@\n-one\n+1\n";
    const refusal = refusalOf(applyPatch("one\n", patch, { path: "y.txt" }));
    expect(refusal.code).toBe("ERR_PATCH_PATH_MISMATCH");
  });

  test("makes a new file from nothing, but not over a text", () => {
    const patch = "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n";
    expect(textOf(applyPatch("", patch, { path: "n.txt" }))).toBe("a\nb\n");
    expect(textOf(applyPatch("a\nb\n", patch, { path: "n.txt" }))).toBe("a\nb\n");
    const refusal = refusalOf(applyPatch("other\n", patch, { path: "n.txt" }));
    expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
  });
});
