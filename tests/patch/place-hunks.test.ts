import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { refusalOf, textOf } from "./patch-outcome.ts";

const SOURCE = ["one", "two", "three", "four", "five", "six", ""].join("\n");
const HUNK = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n";
const DONE = SOURCE.replace("three", "THREE");

function block(name: string): readonly string[] {
  return [`function ${name}() {`, "  begin()", "  return 1", "}", ""];
}

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

  test("nothing where other lines are at the insertion point", () => {
    const patch = "@@ -2,2 +2,3 @@\n two\n+new\n three\n";
    const refusal = refusalOf(applyPatch(SOURCE.replace("two\n", "two\nother\n"), patch));
    expect(refusal.hint).toContain('line 3: the patch leaves out "other"');
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

  test("no tabs for blanks that other lines of the hunk belie", () => {
    const source = "f {\n\ta()\n  }\n\tb()\n";
    const patch = "@@ ... @@\n f {\n \ta()\n \t}\n-\tb()\n+\tc()\n";
    expect(refusalOf(applyPatch(source, patch)).code).toBe("ERR_PATCH_APPLY_FAILED");
  });

  test("no indentation that differs from line to line", () => {
    const patch = "@@ ... @@\n if (x) {\n-  a()\n+  b()\n }\n";
    expect(refusalOf(applyPatch("if (x) {\n    a()\n  }\n", patch)).code).toBe(
      "ERR_PATCH_APPLY_FAILED",
    );
  });

  const POEM = "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\n";
  const DELTA = POEM.replace("delta", "DELTA");
  const few = ", a few context lines differ";
  const doubtful: Record<string, readonly [lines: string, note: string]> = {
    "a misquoted line": [
      " alhpa\n beta\n gamma\n-delta\n+DELTA\n epsilon\n",
      `line 1: the patch has "alhpa", the file "alpha"${few}`,
    ],
    "an abbreviated line": [
      " alpha\n beta...\n gamma\n-delta\n+DELTA\n epsilon\n",
      `line 2: the patch has "beta...", the file "beta"${few}`,
    ],
    "a line left out": [
      " alpha\n gamma\n-delta\n+DELTA\n epsilon\n",
      `line 2: the patch leaves out "beta"${few}`,
    ],
    "an invented line": [
      " alpha\n beta zeta\n beta\n gamma\n-delta\n+DELTA\n epsilon\n",
      `line 2: the patch has "beta zeta", the file does not${few}`,
    ],
    "an invented blank line": [
      " alpha\n beta\n\n gamma\n-delta\n+DELTA\n epsilon\n",
      "blank lines differ",
    ],
    "a line left out beside the change": [
      " alpha\n beta\n-delta\n+DELTA\n epsilon\n",
      `line 3: the patch leaves out "gamma"${few}`,
    ],
  };
  for (const [name, [lines, note]] of Object.entries(doubtful)) {
    test(`${name} of context; context stays the file's`, () => {
      const result = applyPatch(POEM, `@@ ... @@\n${lines}`);
      expect(textOf(result)).toBe(DELTA);
      expect(result).toMatchObject({
        hunks: [{ line: 1, matched: "tolerant", note }],
      });
    });
  }

  const tornApart: Record<string, string> = {
    "an insertion beside a misquoted line": " beta\n gamna\n+new\n delta\n epsilon\n zeta\n",
    "an insertion where the file has another line": " beta\n gamma\n+new\n epsilon\n zeta\n eta\n",
    "an insertion beside an invented line": " beta\n gamma\n+new\n invented\n delta\n epsilon\n",
    "an invented line that may be a new one":
      " alpha\n new\n beta\n gamma\n-delta\n+DELTA\n epsilon\n",
    "more doubtful lines than certain ones": " alhpa\n betta\n-gamma\n+GAMMA\n dleta\n",
    "a block of which the file has half elsewhere": " alpha\n betta\n gamma\n-delta\n+DELTA\n",
  };
  for (const [name, lines] of Object.entries(tornApart)) {
    test(`not ${name}`, () => {
      const source = name.includes("elsewhere") ? `${POEM}alpha\nBETA\ngamma\n` : POEM;
      const refusal = refusalOf(applyPatch(source, `@@ ... @@\n${lines}`));
      expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
      expect(refusal.hint).toContain("comes nearest to lines");
    });
  }

  test("no comment of dots in place of more lines", () => {
    const patch = "@@ ... @@\n alpha\n-beta\n-gamma\n-delta\n+BETA\n+// ...\n epsilon\n";
    expect(refusalOf(applyPatch(POEM, patch)).message).toContain('adds "// ..." in place of lines');
    const some = "@@ ... @@\n alpha\n-beta\n+BETA\n+// ...\n gamma\n";
    expect(textOf(applyPatch(POEM, some))).toBe(POEM.replace("beta", "BETA\n// ..."));
  });

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

  test("not an insertion that could be above or below a blank line, and says that only that differs", () => {
    const source = "a1;\na2;\na3;\na4;\na5;\n\na6;\na7;\na8;\na9;\nb1;\nb2;\n";
    const patch = "@@ -3,6 +3,7 @@\n a3;\n a4;\n a5;\n+new;\n a6;\n a7;\n a8;\n";
    const refusal = refusalOf(applyPatch(source, patch));
    expect(refusal.message).toContain("send hunks with three lines of context");
    expect(refusal.hint).toBe(
      "Hunk 1 comes nearest to lines 1-11:\n1|a1;\n2|a2;\n3|a3;\n4|a4;\n5|a5;\n6|\n7|a6;\n8|a7;\n9|a8;\n10|a9;\n11|b1;\nOnly blank lines differ",
    );
  });

  test("no changed word in a deleted line", () => {
    const refusal = refusalOf(applyPatch(SOURCE.replace("three", "3"), HUNK));
    expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
    expect(refusal.hint).toContain("2|two\n3|3\n4|four");
  });

  test.each([
    ['return s.split("")', 'return s.split(" ")'],
    ["l.join(',').trim()", "l.join(' , ').trim()"],
    ["s.replace(/+/g, it)", "s.replace(/ +/g, it)"],
    ["total = a--b", "total = a - -b"],
    ['it\'s split(" ")', 'it\'s split("")'],
  ])("not %j for a deleted %j", (theirs, ours) => {
    const refusal = refusalOf(applyPatch(`one\n${theirs}\ntwo\n`, `@@ @@\n one\n-${ours}\n two\n`));
    expect(refusal.code).toBe("ERR_PATCH_APPLY_FAILED");
  });

  test("layout around string literals of a deleted line", () => {
    const patch = "@@ @@\n one\n-const a=f( 'x y',b )\n+c\n two\n";
    expect(textOf(applyPatch('one\nconst a = f("x y", b)\ntwo\n', patch))).toBe("one\nc\ntwo\n");
  });

  test("no indentation while another place may have lost its markers", () => {
    const source = "f(() => {\n  g(() => {\n    a()\n  })\n})\n";
    refusalOf(applyPatch(source, "@@ @@\n+    b()\n  })\n"));
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
