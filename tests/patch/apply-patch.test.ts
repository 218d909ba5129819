import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import type { PatchResult } from "../../src/patch/patch-result.ts";

const SOURCE = ["one", "two", "three", "four", "five", "six", ""].join("\n");
const HUNK = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n";
const DONE = SOURCE.replace("three", "THREE");

function textOf(result: PatchResult): string {
  if (!result.ok) throw new Error(`${result.message}\n${result.hint ?? ""}`);
  return result.text;
}

function refusalOf(result: PatchResult) {
  if (result.ok) throw new Error(`was applied:\n${result.text}`);
  return result;
}

function block(name: string): readonly string[] {
  return [`function ${name}() {`, "  begin()", "  return 1", "}", ""];
}

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

describe("applyPatch() places", () => {
  const twins = [...block("a"), ...block("b"), ...block("c")].join("\n");
  const change = " begin()\n-  return 1\n+  return 2\n }\n".replace(" begin", "   begin");

  test("a hunk by its text, whatever its line number says", () => {
    const result = applyPatch(SOURCE, HUNK.replace("-2,3 +2,3", "-40,3 +40,3"));
    expect(textOf(result)).toBe(DONE);
    expect(result).toMatchObject({
      hunks: [{ line: 2, matched: "drifted", note: "found 38 lines higher" }],
    });
  });

  test("a hunk that fits several places nowhere, and names them", () => {
    const refusal = refusalOf(applyPatch(twins, `@@ ... @@\n${change}`, { path: "t.js" }));
    expect(refusal.code).toBe("ERR_PATCH_AMBIGUOUS");
    expect(refusal.message).toContain('hunk 1 to "t.js": it fits 3 places');
    expect(refusal.hint).toContain("2, 7, 12");
  });

  const changed = (index: number) => {
    let seen = -1;
    return twins.replace(/return 1/g, (found) => (++seen === index ? "return 2" : found));
  };

  test("by the heading first", () => {
    const patch = `@@ -2,3 +2,3 @@ function b() {\n${change}`;
    expect(textOf(applyPatch(`// moved\n${twins}`, patch))).toBe(`// moved\n${changed(1)}`);
  });

  test("by a heading that is only the last of its kind above", () => {
    const source =
      "x\ngo()\nfunction a() {\n}\nmodule.exports = {\n  z\n}\ngo()\nfunction b() {\n}\ngo()\n";
    const patch = "@@ ... @@ function a() {\n-go()\n+stop()\n";
    expect(textOf(applyPatch(source, patch))).toBe(
      source.replace("}\ngo()\nfunction b", "}\nstop()\nfunction b"),
    );
  });

  test("by the order of the hunks", () => {
    const first = "@@ ... @@\n-function b() {\n+function B() {\n";
    const text = textOf(
      applyPatch(twins, `${first}@@ ... @@\n${change.replace("}", "}\n \n function c() {")}`),
    );
    expect(text).toBe(changed(1).replace("b()", "B()"));
    const last = "@@ ... @@\n-function b() {\n+function B() {\n";
    expect(textOf(applyPatch(twins, `@@ ... @@\n${change}${last}`))).toBe(
      changed(0).replace("b()", "B()"),
    );
  });

  test("by the drift of the other hunks, even against an exact line number", () => {
    const moved = `${"// new\n".repeat(5)}${twins}`;
    const patch = `@@ -1,1 +1,1 @@\n-function a() {\n+function A() {\n@@ -7,3 +7,3 @@\n${change}`;
    expect(textOf(applyPatch(moved, patch))).toBe(
      `${"// new\n".repeat(5)}${changed(1).replace("a()", "A()")}`,
    );
  });

  test("by the line number that hits a place or is far nearer to one", () => {
    expect(textOf(applyPatch(twins, `@@ -7,3 +7,3 @@\n${change}`))).toBe(changed(1));
    const far = `${twins}${"x\n".repeat(100)}${block("d").join("\n")}`;
    const patch = `@@ -115,3 +115,3 @@\n${change}`;
    expect(textOf(applyPatch(far, patch))).toBe(far.replace(/return 1(?!.*return 1)/s, "return 2"));
    const madeUp = refusalOf(applyPatch(twins, `@@ -1,0 +1,0 @@\n${change}`));
    expect(madeUp.code).toBe("ERR_PATCH_AMBIGUOUS");
    const between = refusalOf(applyPatch(twins, `@@ -9,3 +9,3 @@\n${change}`));
    expect(between.code).toBe("ERR_PATCH_AMBIGUOUS");
  });

  test("hunks in any order", () => {
    const patch = "@@ -5,1 +5,1 @@\n-five\n+5\n@@ -1,1 +1,1 @@\n-one\n+1\n";
    expect(textOf(applyPatch(SOURCE, patch))).toBe("1\ntwo\nthree\nfour\n5\nsix\n");
  });

  test("an insertion without context at its stated line only", () => {
    expect(textOf(applyPatch(SOURCE, "@@ -2,0 +3,1 @@\n+new\n"))).toBe(
      SOURCE.replace("two\n", "two\nnew\n"),
    );
    for (const header of ["@@ ... @@", "@@", "@@ -99,0 +100,1 @@", "@@ -2 +3 @@"]) {
      const refusal = refusalOf(applyPatch(SOURCE, `${header}\n+new\n`));
      expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
    }
  });

  test("an insertion without context as far off as its neighbours are", () => {
    const patch = "@@ -1,1 +1,1 @@\n-one\n+1\n@@ -2,0 +3,1 @@\n+new\n";
    expect(textOf(applyPatch(`zero\n${SOURCE}`, patch))).toBe(
      "zero\n1\ntwo\nnew\nthree\nfour\nfive\nsix\n",
    );
  });

  test("nothing where other lines stand at the insertion point", () => {
    const patch = "@@ -2,2 +2,3 @@\n two\n+new\n three\n";
    const refusal = refusalOf(applyPatch(SOURCE.replace("two\n", "two\nother\n"), patch));
    expect(refusal.hint).toContain('the file has "other", the hunk "three"');
  });
});

describe("applyPatch() tolerates", () => {
  test("trailing blanks in context and in deletions; context stays the file's", () => {
    const result = applyPatch("a  \nb\t\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c \n");
    expect(textOf(result)).toBe("a  \nB\nc\n");
    expect(result).toMatchObject({ hunks: [{ line: 1, matched: "tolerant" }] });
  });

  test("a uniform re-indent, which the added lines follow", () => {
    const patch = "@@ ... @@\n if (x) {\n-  a()\n+  b()\n+\n+    c()\n }\n";
    expect(textOf(applyPatch("    if (x) {\n      a()\n    }\n", patch))).toBe(
      "    if (x) {\n      b()\n\n        c()\n    }\n",
    );
    const deeper = "@@ ... @@\n     if (x) {\n-      a()\n+      b()\n     }\n";
    expect(textOf(applyPatch("if (x) {\n  a()\n}\n", deeper))).toBe("if (x) {\n  b()\n}\n");
  });

  test("tabs for blanks and blanks for tabs", () => {
    const patch = "@@ ... @@\n f {\n-    a\n+    b\n+        c\n }\n";
    expect(textOf(applyPatch("f {\n\ta\n}\n", patch))).toBe("f {\n\tb\n\t\tc\n}\n");
    const tabbed = "@@ ... @@\n f {\n-\ta\n+\tb\n+\t\tc\n }\n";
    expect(textOf(applyPatch("f {\n  a\n}\n", tabbed))).toBe("f {\n  b\n    c\n}\n");
  });

  test("no indentation that differs from line to line", () => {
    const patch = "@@ ... @@\n if (x) {\n-  a()\n+  b()\n }\n";
    expect(refusalOf(applyPatch("if (x) {\n    a()\n  }\n", patch)).code).toBe(
      "ERR_PATCH_APPLY_FAILED",
    );
  });

  const POEM = "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\n";
  const DELTA = POEM.replace("delta", "DELTA");
  const doubtful: Record<string, string> = {
    "a misquoted line": " alhpa\n beta\n gamma\n-delta\n+DELTA\n epsilon\n",
    "an abbreviated line": " alpha\n beta...\n gamma\n-delta\n+DELTA\n epsilon\n",
    "a line left out": " alpha\n gamma\n-delta\n+DELTA\n epsilon\n",
    "an invented line": " alpha\n beta\n\n gamma\n-delta\n+DELTA\n epsilon\n",
    "a line left out beside the change": " alpha\n beta\n-delta\n+DELTA\n epsilon\n",
  };
  for (const [name, lines] of Object.entries(doubtful)) {
    test(`${name} of context; context stays the file's`, () => {
      const result = applyPatch(POEM, `@@ ... @@\n${lines}`);
      expect(textOf(result)).toBe(DELTA);
      expect(result).toMatchObject({
        hunks: [{ line: 1, matched: "tolerant", note: "a few context lines differ" }],
      });
    });
  }

  const torn: Record<string, string> = {
    "an insertion beside a misquoted line": " beta\n gamna\n+new\n delta\n epsilon\n zeta\n",
    "an insertion where the file has another line": " beta\n gamma\n+new\n epsilon\n zeta\n eta\n",
    "an insertion beside an invented line": " beta\n gamma\n+new\n\n delta\n epsilon\n",
    "more doubtful lines than certain ones": " alhpa\n betta\n-gamma\n+GAMMA\n dleta\n",
    "a block of which the file has half elsewhere": " alpha\n betta\n gamma\n-delta\n+DELTA\n",
  };
  for (const [name, lines] of Object.entries(torn)) {
    test(`not ${name}`, () => {
      const source = name.includes("elsewhere") ? `${POEM}alpha\nBETA\ngamma\n` : POEM;
      const refusal = refusalOf(applyPatch(source, `@@ ... @@\n${lines}`));
      expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
      expect(refusal.hint).toContain("comes nearest to lines");
    });
  }

  test("not a line left out where two lines could be the one that changes", () => {
    const source = "alpha\nbeta\ngamma\ndelta()\nodd\ndelta()\nepsilon\nzeta\neta\n";
    const patch = "@@ ... @@\n alpha\n beta\n gamma\n-delta()\n+DELTA()\n epsilon\n zeta\n eta\n";
    expect(refusalOf(applyPatch(source, patch)).code).toBe("ERR_PATCH_APPLY_FAILED");
  });

  test("not a line left out between blank lines at an insertion", () => {
    const source = "alpha\nbeta\ngamma\n\nodd\n\ndelta\nepsilon\nzeta\n";
    const patch = "@@ ... @@\n alpha\n beta\n gamma\n \n+new\n delta\n epsilon\n zeta\n";
    expect(refusalOf(applyPatch(source, patch)).code).toBe("ERR_PATCH_APPLY_FAILED");
  });

  test("no changed word in a deleted line", () => {
    const refusal = refusalOf(applyPatch(SOURCE.replace("three", "3"), HUNK));
    expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
    expect(refusal.hint).toContain("2|two\n3|3\n4|four");
  });

  test("an exact place rather than one up to blanks", () => {
    const text = textOf(applyPatch("  a\nb\na\nb\n", "@@ ... @@\n-a\n+A\n b\n"));
    expect(text).toBe("  a\nb\nA\nb\n");
  });
});

describe("applyPatch() takes added lines as written", () => {
  test("where context has lost its markers, whatever the rest of it looks like", () => {
    const source = "  f {\n    a\n  }\n";
    const patch = "@@ ... @@\n  f {\n-    a\n+    b\n  }\n";
    expect(textOf(applyPatch(source, patch))).toBe(source.replace("a", "b"));
  });

  test("where only context was turned into tabs", () => {
    const source = "f(\n      a,\n  {\n    b\n  })\n";
    const patch = "@@ ... @@\n f(\n \t\t\ta,\n \t{\n-\tb\n+    c\n \t})\n";
    expect(textOf(applyPatch(source, patch))).toBe(source.replace("b", "c"));
    const tabbed = patch.replace("+    c", "+\tc");
    expect(refusalOf(applyPatch(source, tabbed)).code).toBe("ERR_PATCH_APPLY_FAILED");
  });
});

describe("applyPatch() keeps", () => {
  test("CRLF, also for added lines", () => {
    const patch = HUNK.replace("+THREE", "+THREE\n+more");
    expect(textOf(applyPatch(SOURCE.replaceAll("\n", "\r\n"), patch))).toBe(
      DONE.replace("THREE", "THREE\nmore").replaceAll("\n", "\r\n"),
    );
  });

  test("the neighbour's line end in a mixed file", () => {
    const patch = "@@ -1,2 +1,3 @@\n a\n+x\n b\n@@ -3,2 +4,3 @@\n c\n+y\n d\n";
    expect(textOf(applyPatch("a\r\nb\r\nc\nd\n", patch))).toBe("a\r\nx\r\nb\r\nc\ny\nd\n");
  });

  test("the byte order mark, also when line 1 changes", () => {
    expect(textOf(applyPatch(`\uFEFF${SOURCE}`, "@@ -1 +1 @@\n-one\n+1\n"))).toBe(
      `\uFEFF${SOURCE.replace("one", "1")}`,
    );
  });

  test("the last line without its end, mark or no mark", () => {
    const open = SOURCE.slice(0, -1);
    const patch = "@@ -5,2 +5,2 @@\n five\n-six\n+SIX\n";
    expect(textOf(applyPatch(open, patch))).toBe(open.replace("six", "SIX"));
    expect(
      textOf(applyPatch(open, patch.replace("six", "six\n\\ No newline at end of file"))),
    ).toBe(`${open.replace("six", "SIX")}\n`);
    expect(textOf(applyPatch(SOURCE, `${patch}\\ No newline at end of file\n`))).toBe(
      open.replace("six", "SIX"),
    );
  });

  test("form feeds, lone CR and U+2028 inside their lines", () => {
    const source = "a\fb\nc\rd\ne\u2028f\n";
    expect(textOf(applyPatch(source, "@@ -1,2 +1,2 @@\n a\fb\n-c\rd\n+x\n"))).toBe(
      "a\fb\nx\ne\u2028f\n",
    );
  });
});

describe("applyPatch() does nothing twice", () => {
  test("a change that is there already", () => {
    const result = applyPatch(DONE, HUNK);
    expect(textOf(result)).toBe(DONE);
    expect(result).toMatchObject({ hunks: [{ line: 2, note: "already there, nothing to do" }] });
  });

  test("an insertion at the edge of its hunk that is there already", () => {
    const patch = "@@ -5,2 +5,3 @@\n five\n six\n+seven\n";
    const once = textOf(applyPatch(SOURCE, patch));
    expect(once).toBe(`${SOURCE}seven\n`);
    expect(textOf(applyPatch(once, patch))).toBe(once);
  });

  test("the first of two equal blocks, when the second still has the old side", () => {
    const source = "a\nold\nb\n\na\nold\nb\n";
    const patch = "@@ -1,3 +1,3 @@\n a\n-old\n+new\n b\n";
    const once = textOf(applyPatch(source, patch));
    expect(once).toBe("a\nnew\nb\n\na\nold\nb\n");
    expect(textOf(applyPatch(once, patch))).toBe(once);
  });

  test("the rest of a change that is partly there", () => {
    const patch = `${HUNK}@@ -5,2 +5,2 @@\n five\n-six\n+SIX\n`;
    expect(textOf(applyPatch(DONE, patch))).toBe(DONE.replace("six", "SIX"));
  });

  test("a hunk that is written twice", () => {
    const result = applyPatch(SOURCE, HUNK + HUNK);
    expect(textOf(result)).toBe(DONE);
    expect(result).toMatchObject({ hunks: [{}, { note: "written twice, applied once" }] });
  });

  test("hunks that change the same lines", () => {
    const other = "@@ -3,1 +3,1 @@\n-three\n+DREI\n";
    expect(refusalOf(applyPatch(SOURCE, HUNK + other)).message).toContain("same lines");
  });

  test("but hunks whose context alone overlaps", () => {
    const next = "@@ -3,3 +3,3 @@\n four\n-five\n+5\n six\n";
    expect(textOf(applyPatch(SOURCE, HUNK + next))).toBe(DONE.replace("five", "5"));
  });
});

describe("applyPatch() ends soon", () => {
  const limitMs = 1000;
  const timed = (run: () => PatchResult) => {
    const start = performance.now();
    const result = run();
    expect(performance.now() - start).toBeLessThan(limitMs);
    return result;
  };

  test("on 100,000 identical lines and hunks that do not fit", () => {
    const source = "x\n".repeat(100_000);
    const hunk = `@@ ... @@\n${" x\n".repeat(50_000)}-y\n+z\n`;
    expect(timed(() => applyPatch(source, hunk)).ok).toBe(false);
    const late = `${"x\n".repeat(50_000)}y\n${"x\n".repeat(50_000)}y\n`;
    const long = `@@ ... @@\n${" x\n".repeat(50_001)}-y\n+z\n`;
    expect(timed(() => applyPatch(late, long)).ok).toBe(false);
    expect(timed(() => applyPatch(source, "@@ ... @@\n-x\n+y\n".repeat(2000))).ok).toBe(false);
  });

  test("without taking the first of many places for the only one", () => {
    const source = "    x\n".repeat(1500).replace(/^ {4}x/, "  x");
    const many = refusalOf(timed(() => applyPatch(source, "@@ ... @@\n-x\n+y\n")));
    expect(many.code).toBe("ERR_PATCH_APPLY_FAILED");
    const exact = refusalOf(timed(() => applyPatch(source, "@@ ... @@\n-    x\n+    y\n")));
    expect(exact).toMatchObject({ code: "ERR_PATCH_AMBIGUOUS" });
    expect(exact.message).toContain("1000 or more places");
  });

  test("on a line of 1 MB", () => {
    const long = "ab ".repeat(350_000);
    const patch = `@@ -1,2 +1,2 @@\n ${long}\n-end\n+END\n`;
    expect(textOf(timed(() => applyPatch(`${long}\nend\n`, patch)))).toBe(`${long}\nEND\n`);
    expect(timed(() => applyPatch(`${long}x\nend\n`, patch)).ok).toBe(false);
  });

  test("on more hunks than any file needs", () => {
    const refusal = refusalOf(timed(() => applyPatch(SOURCE, "@@ @@\n-one\n+1\n".repeat(60_000))));
    expect(refusal.message).toContain("split it");
  });
});
