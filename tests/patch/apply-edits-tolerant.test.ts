import { describe, expect, test } from "bun:test";
import type { Edit } from "../../src/patch/edits/edit.ts";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { apply, edit, refuse } from "./edits.ts";
import { textOf } from "./patch-outcome.ts";

describe("applyEdits() tolerates", () => {
  const cases: Record<string, readonly [source: string, edit: Edit, text: string]> = {
    "blanks at line ends": [
      "one  \ntwo\nthree\n",
      edit("one", "one\ntwo", "one\nTWO"),
      "one  \nTWO\nthree\n",
    ],
    "a uniform re-indent, which the new lines follow": [
      "{\n    if (x) {\n      a();\n    }\n}\n",
      edit("if (x) {", "if (x) {\n  a();\n}", "if (x) {\n  a();\n  b();\n}"),
      "{\n    if (x) {\n      a();\n      b();\n    }\n}\n",
    ],
    "a line quoted with a part of its indentation, which the new lines follow": [
      "f() {\n  if (x)\n    a();\n\n  b();\n}\n",
      edit("a();", "  a();\n\n", "  a();\n}\n\n"),
      "f() {\n  if (x)\n    a();\n  }\n\n  b();\n}\n",
    ],
    "a line quoted without its indentation, which the new lines follow": [
      "def f():\n    return 1\n",
      edit("return 1", "return 1", "x = 2\nreturn x"),
      "def f():\n    x = 2\n    return x\n",
    ],
    "a piece of a line quoted with a part of its indentation": [
      "f:\n        a = 1, b\n",
      edit("f:", "    a = 1", "    a = 2"),
      "f:\n        a = 2, b\n",
    ],
    "tabs against blanks": [
      "f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n",
      edit("f() {", "    if (x) {\n        a();", "    if (x) {\n        b();"),
      "f() {\n\tif (x) {\n\t\tb();\n\t}\n}\n",
    ],
    "quote style and blanks in what goes": [
      'f() {\n  g("a", x=1)\n}\n',
      edit("f() {", "  g('a',x = 1)", "  h()"),
      "f() {\n  h()\n}\n",
    ],
    "quote style and blanks in a piece of a line": [
      'f() {\n  g("a", x=1) // why\n}\n',
      edit("f() {", "g('a',x = 1)", "h()"),
      "f() {\n  h() // why\n}\n",
    ],
    "Unicode forms in what stays, which stays as it is": [
      "// caf\u00e9 \u2013 \u201cx\u201d\u2026\nlet a;\n",
      edit("let a;", '// cafe\u0301 - "x"...\nlet a;', '// cafe\u0301 - "x"...\nlet b;'),
      "// caf\u00e9 \u2013 \u201cx\u201d\u2026\nlet b;\n",
    ],
    "an anchor quoted up to layout": [
      'if (a  ==  "x") {\n  b();\n}\n',
      edit("if(a == 'x')", "b()", "c()"),
      'if (a  ==  "x") {\n  c();\n}\n',
    ],
    "line numbers before the lines": [
      "a\n  b\nc\n",
      edit("2|  b", "1|a\n2|  b", "1|a\n2|  B\n3|  x"),
      "a\n  B\n  x\nc\n",
    ],
    "blank lines too many at the edges": [
      "a()\nb()\n",
      edit("b()", "\nb()\n\n", "\nc()\n\n"),
      "a()\nc()\n",
    ],
    "a misquoted line of context": [
      "let one = 1;\nlet two = 2;\nlet three = 3;\nlet four = 4;\n",
      edit(
        "let three",
        "let won = 1;\nlet two = 2;\nlet three = 3;\nlet four = 4;",
        "let won = 1;\nlet two = 2;\nlet three = 0;\nlet four = 4;",
      ),
      "let one = 1;\nlet two = 2;\nlet three = 0;\nlet four = 4;\n",
    ],
    "a blank line left out of the context": [
      "let one = 1;\n\nlet two = 2;\nlet three = 3;\n",
      edit(
        "let two",
        "let one = 1;\nlet two = 2;\nlet three = 3;",
        "let one = 1;\nlet two = 2;\nlet x;",
      ),
      "let one = 1;\n\nlet two = 2;\nlet x;\n",
    ],
    "dots for lines left out": [
      "head();\na();\nb();\nc();\nlast();\n",
      edit(
        "head();",
        "head();\n// ... existing code ...\nlast();",
        "start();\n// ... existing code ...\nlast();",
      ),
      "start();\na();\nb();\nc();\nlast();\n",
    ],
  };
  for (const [name, [source, one, text]] of Object.entries(cases)) {
    test(name, () => {
      const result = applyEdits(source, [one]);
      expect(textOf(result)).toBe(text);
      expect(result).toMatchObject({ hunks: [{ matched: expect.any(String) }] });
    });
  }

  test("but takes text as quoted first, even where more fits up to layout", () => {
    const source = "f() {\n  a( 1 );\n  a(1);\n}\n";
    expect(apply(source, edit("f() {", "a(1);", "b();"))).toBe("f() {\n  a( 1 );\n  b();\n}\n");
  });

  test("but leaves new lines alone that close what is around", () => {
    const source = "class A {\n    f() {\n        one;\n    }\n}\n";
    const after = "one;\n    }\n    g() {";
    expect(apply(source, edit("one;", "one;", after))).toBe(source.replace("one;", after));
  });

  test("no blanks inside string literals in what goes", () => {
    const others = [
      ['log("a b")', 'log("a  b")'],
      ["log('a b'); x", "log('a  b')"],
      ['log("a b c"); x', "a  b"],
      ['s.split(" "); x', 's.split("")'],
      ["x = a - -b; y", "a--b"],
      ["say(it's, a b); x", "a  b"],
    ] as const;
    for (const [line, before] of others) {
      const refusal = refuse(`f() {\n  ${line}\n}\n`, edit("f() {", before, "gone"));
      expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
    }
    const source = 'f() {\n  log("a  b",1); x\n}\n';
    expect(apply(source, edit("f() {", 'log( "a  b", 1 )', "gone"))).toContain("  gone; x\n");
  });

  describe("and says so:", () => {
    const source =
      'f() {\n    a("x") // one\n    b() // two\n    c() // three\n\n    d() // four\n}\n';
    const [a, b, c, d] = ['a("x") // one', "b() // two", "c() // three", "d() // four"];
    const quoted = `    ${b}\n    ${c}\n\n    ${d}`;
    const blanks = "blanks at line ends or indentation differ";
    const notes: Record<string, Edit> = {
      [blanks]: edit("f()", `${b}\n${c}`, "z()\ny()"),
      "blanks, quotes or Unicode forms differ": edit("f()", "    a('x') // one", "    z()"),
      "blanks or quotes differ": edit("f()", "a( 'x' )", "z()"),
      "its anchor differs in layout": edit("a( 'x' )", "b()", "z()"),
      "its anchor ends inside a word": edit("c() // thr", "c()", "z()"),
      [`lines are numbered, ${blanks}`]: edit("f()", `3|    ${b}`, "3|    z()"),
      [`blank lines at the edges differ, ${blanks}`]: edit("f()", `\n${b}\n\n`, "\nz()\n\n"),
      [`lines are left out, ${blanks}`]: edit("f()", `${a}\n...\n${c}`, `${a}\n...\nz()`),
      'line 2: the edit has "a("x") // on", the file "a("x") // one", a few context lines differ':
        edit("f()", `    a("x") // on\n${quoted}`, `    a("x") // on\n${quoted.replace(c, "z()")}`),
      "its anchor is only part of what it replaces, blank lines differ": edit(
        `${c}\n    ${d}`,
        quoted.replace("\n\n", "\n"),
        quoted.replace("\n\n", "\n").replace(b, "z()"),
      ),
    };
    for (const [note, one] of Object.entries(notes)) {
      test(note, () => {
        expect(applyEdits(source, [one])).toMatchObject({ hunks: [{ matched: "tolerant", note }] });
      });
    }
  });
});

describe("applyEdits() takes evidence of the whole", () => {
  test("tabs for blanks in one edit hold for one that quotes no indented line", () => {
    const source = "start()\n\nfunction f() {\n\told()\n}\n";
    const result = applyEdits(source, [
      {
        op: "replace",
        anchor: "start()",
        before: "start()\n",
        after: "if (a) {\n    start()\n}\n",
      },
      { op: "replace", anchor: "old()", before: "    old()\n", after: "    renewed()\n" },
    ]);
    expect(result).toMatchObject({
      text: "if (a) {\n\tstart()\n}\n\nfunction f() {\n\trenewed()\n}\n",
      hunks: [
        { matched: "tolerant", note: "tabs and blanks differ" },
        { matched: "tolerant", note: "tabs and blanks differ" },
      ],
    });
  });

  test("where quotes are what it is about, shared lines get its quotes too", () => {
    const source = "a('x')\nb('y')\n";
    const before = "a('x')\nb(\"y\")\n";
    const quotes = edit("a('x')", before, 'a("x")\nb("y")\n');
    expect(applyEdits(source, [quotes])).toMatchObject({ text: 'a("x")\nb("y")\n' });
    const other = { ...quotes, after: "a('z')\nb(\"y\")\n" };
    expect(applyEdits(source, [other])).toMatchObject({ text: "a('z')\nb('y')\n" });
  });

  test("a deletion is no proof of itself where only a blank line is above it", () => {
    const source = "one\n\n// rule  \n// more\n\nlast()\n";
    const before = "\n// rule\n// more\n\nlast()\n";
    const deletion = edit(before, before, "\nlast()\n");
    expect(applyEdits(source, [deletion])).toMatchObject({ text: "one\n\nlast()\n" });
  });
});
