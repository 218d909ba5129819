import { describe, expect, test } from "bun:test";
import { applyEdits } from "../../src/patch/apply-edits.ts";
import type { Edit } from "../../src/patch/edit.ts";
import type { PatchResult } from "../../src/patch/patch-result.ts";

const SOURCE = `import { sum } from "./sum.ts";

function first(list) {
  const total = sum(list);
  return total;
}

/** Adds one. */
function second(list) {
  const total = sum(list) + 1;
  return total;
}
`;

function edit(anchor: string, before: string, after: string, more: Partial<Edit> = {}): Edit {
  return { op: "replace", anchor, before, after, ...more };
}

function textOf(result: PatchResult): string {
  if (!result.ok) throw new Error(`${result.message}\n${result.hint ?? ""}`);
  return result.text;
}

function refusalOf(result: PatchResult) {
  if (result.ok) throw new Error(`was applied:\n${result.text}`);
  return result;
}

function apply(source: string, ...edits: readonly Edit[]): string {
  return textOf(applyEdits(source, edits));
}

function refuse(source: string, ...edits: readonly Edit[]) {
  return refusalOf(applyEdits(source, edits, { path: "src/a.ts" }));
}

describe("applyEdits() finds by the anchor", () => {
  test("replaces behind the anchor, in the block that the anchor opens", () => {
    const result = apply(SOURCE, edit("function first(list) {", "return total;", "return 0;"));
    expect(result).toBe(SOURCE.replace("return total;", "return 0;"));
  });

  test("takes a comment for the code below it", () => {
    const result = apply(SOURCE, edit("/** Adds one. */", "return total;", "return 0;"));
    expect(result.indexOf("return 0;")).toBeGreaterThan(result.indexOf("second"));
    expect(result.split("return total;")).toHaveLength(2);
  });

  test("a statement stands for the rest of the block around it", () => {
    const result = apply(SOURCE, edit("+ 1", "return total;", "return 0;"));
    expect(result.indexOf("return 0;")).toBeGreaterThan(result.indexOf("second"));
  });

  test("an anchor may be a part of what is replaced", () => {
    const before = "sum(list);\n  return total;";
    expect(apply(SOURCE, edit("return total;\n}\n\n/**", "return total;\n}\n\n/**", "/**"))).toBe(
      SOURCE.replace("return total;\n}\n\n/**", "/**"),
    );
    expect(apply(SOURCE, edit("= sum(list);", before, "3;"))).toBe(SOURCE.replace(before, "3;"));
  });

  test("an anchor that is cut off in a word leads to what stands there as whole words", () => {
    const source = "const userName = 1\nlet b = 2\n";
    expect(apply(source, edit("const userN", "1", "3"))).toBe(source.replace("1", "3"));
    expect(apply(source, edit("const userN", "const userName", "let a"))).toStartWith("let a = 1");
  });

  test("what is replaced may be a part of the anchor", () => {
    const result = apply(SOURCE, edit("function second(list) {", "second", "third"));
    expect(result).toBe(SOURCE.replace("second", "third"));
  });

  test("occurrence says which of several anchors", () => {
    const again = (occurrence: number) =>
      apply(SOURCE, edit("return total;", "return total;", "return 0;", { occurrence }));
    expect(again(1)).toBe(SOURCE.replace("return total;", "return 0;"));
    expect(again(2).indexOf("return 0;")).toBeGreaterThan(SOURCE.indexOf("second"));
  });

  test("occurrence counts no places inside of words and indentations", () => {
    const first = (before: string) => edit(before, before, "id: 2", { occurrence: 1 });
    expect(apply("id: 12\nid: 1\n", first("id: 1"))).toBe("id: 12\nid: 2\n");
    expect(apply("    id: 1\n  id: 1\n", first("  id: 1"))).toBe("    id: 1\nid: 2\n");
  });

  test("keys of a JSON object are blocks of their own", () => {
    const json = '{\n  "a": {\n    "v": 1\n  },\n  "b": {\n    "v": 1\n  }\n}\n';
    expect(apply(json, edit('"a": {', '"v": 1', '"v": 2'))).toBe(json.replace("1", "2"));
  });

  test("in mid-line, and in a file without line ends", () => {
    expect(apply("a=1;b=2;c=3", edit("b=", "2", "5"))).toBe("a=1;b=5;c=3");
  });
});

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

  test("and says so", () => {
    const result = applyEdits("f() {\n  a (1);\n}\n", [edit("f() {", "  a(1);", "  b();")]);
    expect(result).toMatchObject({ hunks: [{ line: 2, matched: "tolerant" }] });
  });
});

describe("applyEdits() refuses", () => {
  test("an anchor that stands several times, and names the places", () => {
    const refusal = refuse(SOURCE, edit("return total;", "return total;", "return 0;"));
    expect(refusal.code).toBe("ERR_EDIT_AMBIGUOUS");
    expect(refusal.message).toBe(
      'Cannot apply edit 1 to "src/a.ts": its anchor stands at lines 5, 11; set "occurrence" or quote a longer anchor',
    );
    expect(refusal.hint).toBe("5|  return total;\n11|  return total;");
  });

  test("a text that stands several times in the block", () => {
    const refusal = refuse("f() {\n  a();\n  a();\n}\n", edit("f() {", "a();", "b();"));
    expect(refusal).toMatchObject({ code: "ERR_EDIT_AMBIGUOUS", hint: "2|  a();\n3|  a();" });
    expect(refusal.message).toContain('"before" stands at lines 2, 3');
  });

  test("two places that fit up to layout", () => {
    const source = "f() {\n  a( 1);\n  b();\n  a(1 );\n}\n";
    expect(refuse(source, edit("f() {", "  a(1);", "  c();")).code).toBe("ERR_EDIT_AMBIGUOUS");
  });

  test("an anchor that is nowhere, and shows the nearest line", () => {
    const refusal = refuse(SOURCE, edit("function secnd(list) {", "return total;", "return 0;"));
    expect(refusal.code).toBe("ERR_EDIT_ANCHOR_NOT_FOUND");
    expect(refusal.hint).toContain("|function ");
  });

  test("a text that is nowhere, and shows the nearest block with line numbers", () => {
    const refusal = refuse(SOURCE, edit("function second", "const total = sum(all) + 1;", "x"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
    expect(refusal.hint).toContain("10|  const total = sum(list) + 1;");
  });

  test("a text that stands only outside the block, and says where", () => {
    const before = "const total = sum(list) + 1;";
    const below = refuse(SOURCE, edit("function first", before, "x"));
    expect(below).toMatchObject({ code: "ERR_EDIT_BEFORE_NOT_FOUND", hint: `10|  ${before}` });
    const above = refuse(SOURCE, edit("function second", "import {", "x"));
    expect(above.message).toContain("stands at line 1, not in the block of its anchor at line 9");
  });

  test("an occurrence that is not there", () => {
    for (const occurrence of [3, 0, -1, 1.5, Number.NaN]) {
      const refusal = refuse(SOURCE, edit("return", "return", "x", { occurrence }));
      expect(refusal.code).toBe("ERR_EDIT_APPLY_FAILED");
    }
  });

  test("an occurrence of an anchor that is nowhere", () => {
    const refusal = refuse("a  b\n", edit("a  c", "a  c", "x", { occurrence: 2 }));
    expect(refusal.code).toBe("ERR_EDIT_ANCHOR_NOT_FOUND");
  });

  test("a changed word in what goes", () => {
    const source = "let one = 1;\nlet two = 2;\nlet three = 30;\nlet four = 4;\n";
    const before = "let one = 1;\nlet two = 2;\nlet three = 3;\nlet four = 4;";
    const refusal = refuse(source, edit("let two", before, before.replace("three = 3", "x = 3")));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("Unicode forms in what goes", () => {
    const refusal = refuse("say(x \u2013 y)\n", edit("say", "say(x - y)", "say(z)"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("an insertion beside a misquoted line", () => {
    const lines = ["let one = 1;", "let two = 2;", "let three = 3;", "let four = 4;"];
    const quoted = lines.with(1, "let too = 2;");
    const after = quoted.toSpliced(2, 0, "let x;").join("\n");
    const refusal = refuse(lines.join("\n"), edit("let three", quoted.join("\n"), after));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("a misquoted block that stands twice", () => {
    const block = (x: number) => `begin();\nlet a = ${x};\nwork();\nlet b = 2;\nend();\n`;
    const before = block(0).trimEnd();
    const result = applyEdits(block(1) + block(3), [
      edit("let a = 0;", before, before.replace("end", "stop")),
    ]);
    expect(refusalOf(result).code).toBe("ERR_EDIT_ANCHOR_NOT_FOUND");
  });

  test("a misquoted block at its anchor, where another place has as much of it", () => {
    const block = (last: string) => `begin();\nlet a = 1;\nwork();\n${last}\nend();\n\n`;
    const before = block("old();").replace("a = 1", "a = 0").trimEnd();
    const source = block("older();") + block("old();");
    const refusal = refuse(source, edit("old();", before, before.replace("old", "new")));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("everything if one edit cannot be made, and says which", () => {
    const refusal = refuse("a\nb\n", edit("a", "a", "A"), edit("z", "z", "Z"));
    expect(refusal.message).toStartWith('Cannot apply edit 2 to "src/a.ts": its anchor "z"');
  });

  test("a text in front of its anchor in one line, and says so", () => {
    const refusal = refuse("x\nf(a, b)\n  c\n}\n", edit("b)\n  c\n}", "a, b)\n  c", "d"));
    expect(refusal.message).toContain('"before" stands in front of its anchor in line 2;');
  });

  test("a text that stands only inside of words, numbers and characters", () => {
    const cut = [
      refuse("a:\n  timeout: 10\n", edit("timeout: 1", "timeout: 1", "timeout: 5")),
      refuse("web:\n  port: 8080\n", edit("web:", "port: 80", "port: 443")),
      refuse("const userName = 1\n", edit("const user", "const user", "const account")),
      refuse("a \u{1F600} b\n", edit("a", "\uD83D", "x")),
      refuse("a\u{1D4B3}\n", edit("a", "a", "x")),
    ];
    for (const { code, message } of cut) {
      expect(code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
      expect(message).toContain("is not in the block of its anchor");
    }
  });

  test("a piece of a line that is quoted with another indentation", () => {
    const refusal = refuse("f:\n\t\ta(1) // x\n", edit("f:", "    a( 1)", "    a(2)"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("blanks that stand anywhere in an indentation", () => {
    expect(refuse("    x\n", edit("  ", "  ", "\t")).code).toBe("ERR_EDIT_AMBIGUOUS");
  });

  test("an empty text to replace", () => {
    expect(refuse("a\n", edit("a", "", "x")).code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });
});

describe("applyEdits() leaves alone", () => {
  test("what was done before, and says so", () => {
    const done = SOURCE.replace("return total;", "return list;");
    const again = edit("function first", "return total;", "return list;");
    expect(applyEdits(done, [again])).toEqual({
      ok: true,
      text: done,
      hunks: [{ line: 5, matched: "exact", note: "already there, nothing to do" }],
    });
  });

  test("a block that was replaced together with its anchor", () => {
    const [before, after] = [
      "const total = sum(list);\n  return total;",
      "let t = 0;\n  return t;",
    ];
    const done = SOURCE.replace(before, after);
    const again = edit("total = sum(list);", before, after);
    expect(applyEdits(done, [again])).toMatchObject({ text: done, hunks: [{ line: 4 }] });
  });

  test("a line that has its new indentation", () => {
    const [less, more] = ["    c()", "        c()"];
    const there = { hunks: [{ line: 2, note: "already there, nothing to do" }] };
    for (const [before, after] of [
      [less, more],
      [more, less],
    ] as const) {
      const source = `if (x) {\n${after}\n}\n`;
      const again = applyEdits(source, [edit(before, before, after)]);
      expect(again).toMatchObject({ text: source, ...there });
    }
  });

  test("an insertion that was made before, on either side", () => {
    const there = { hunks: [{ note: "already there, nothing to do" }] };
    for (const after of ["a one\nb two", "b two\na one"]) {
      const again = applyEdits(`${after}\n`, [edit("a one", "a one", after)]);
      expect(again).toMatchObject({ text: `${after}\n`, ...there });
    }
    expect(apply("x + 10\n", edit("x", "x", "x + 1"))).toBe("x + 1 + 10\n");
    expect(apply("f {\n  }\n}\n", edit("  }", "  }", "  }\n}"))).toBe("f {\n  }\n}\n}\n");
    const copy = edit("a one", "a one", "a one\na one", { occurrence: 1 });
    expect(apply("a one\na one\n", copy)).toBe("a one\n".repeat(3));
  });

  test("but does not take a piece of the old text for the new one", () => {
    const source = "f() {\n  return sum(a, b) - 1;\n}\n";
    const refusal = refuse(source, edit("f() {", "return sum(a, b) + 1;", "return sum(a, b)"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("line ends of a CRLF file, whichever the edit has", () => {
    const one = edit("a", "a\nb", "A\nx\nB");
    const crlf = edit("a", "a\r\nb", "A\r\nx\r\nB");
    for (const each of [one, crlf])
      expect(apply("a\r\nb\r\nc\r\n", each)).toBe("A\r\nx\r\nB\r\nc\r\n");
    expect(apply("a\nb\nc\n", crlf)).toBe("A\nx\nB\nc\n");
    expect(apply("a\nb\r\nc\r\n", edit("b", "b", "b\nx"))).toBe("a\nb\r\nx\r\nc\r\n");
  });

  test("the byte order mark", () => {
    expect(apply("\uFEFFa\nb\n", edit("a", "a", "A"))).toBe("\uFEFFA\nb\n");
    expect(apply("\uFEFFa\nb\n", edit("\uFEFFa", "\uFEFFa", "A"))).toBe("\uFEFFA\nb\n");
  });

  test("whether the last line is terminated", () => {
    expect(apply("a\nb", edit("b", "b", "c\n"))).toBe("a\nc");
    expect(apply("a\nb\n", edit("b", "b\n", "c"))).toBe("a\nc\n");
    expect(apply("a\nb", edit("b", "b\n", "c\n"))).toBe("a\nc");
    expect(apply("a\n", edit("a", "a\n", ""))).toBe("");
  });

  test("form feeds, lone CRs and U+2028 as parts of their lines", () => {
    const source = "a\u2028b\fc\rd\ne\n";
    expect(apply(source, edit("e", "e", "E"))).toBe("a\u2028b\fc\rd\nE\n");
  });
});

describe("applyEdits() in a row", () => {
  test("a later edit sees what the earlier ones wrote", () => {
    const result = applyEdits("a\nb\n", [edit("a", "a", "x\ny"), edit("y", "b", "z")]);
    expect(result).toMatchObject({ text: "x\ny\nz\n", hunks: [{ line: 1 }, { line: 3 }] });
  });

  test("an insertion that is written twice is made once", () => {
    const one = edit("a", "a", "a\nx");
    const result = applyEdits("a\n", [one, one]);
    expect(result).toMatchObject({
      text: "a\nx\n",
      hunks: [{}, { note: "written twice, applied once" }],
    });
  });

  test("an insertion that another edit took back is made again", () => {
    const there = edit("x", "x", "x // k");
    const back = edit("x // k", "x // k", "x");
    expect(apply("x\n", there, back, there)).toBe("x // k\n");
  });

  test("the first occurrence twice is two occurrences", () => {
    const one = edit("a", "a", "b", { occurrence: 1 });
    expect(apply("a a a\n", one, one)).toBe("b b a\n");
  });

  test("no edits, no change", () => {
    expect(applyEdits("a\n", [])).toEqual({ ok: true, text: "a\n", hunks: [] });
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

  test("a deletion is no proof of itself where only a blank line stands above it", () => {
    const source = "one\n\n// rule  \n// more\n\nlast()\n";
    const before = "\n// rule\n// more\n\nlast()\n";
    const deletion = edit(before, before, "\nlast()\n");
    expect(applyEdits(source, [deletion])).toMatchObject({ text: "one\n\nlast()\n" });
  });
});

describe("applyEdits() is bounded", () => {
  const same = "x\n".repeat(100_000);
  const long = `${"x\n".repeat(24_000)}y`;
  const worst: Record<string, readonly [string, Edit]> = {
    "an anchor on 100,000 equal lines": [same, edit("x", "x", "y")],
    "a long text that almost fits everywhere": [`head\n${same}`, edit("head", long, "z")],
    "an occurrence among them": [same, edit("x", long, "z", { occurrence: 3 })],
    "one long line": [
      "ab".repeat(300_000),
      edit("b", `${"ab".repeat(20_000)}ba`, "", { occurrence: 9 }),
    ],
    "a line of combining marks": [
      `head\na${"\u0301\u0316".repeat(40_000)}\n`,
      edit("head", `b${"\u0316\u0301".repeat(40_000)}`, "c"),
    ],
    "two long texts that differ throughout": [
      `head\n${same}`,
      edit("head", "a\n".repeat(20_000), "b\nc\n".repeat(10_000)),
    ],
  };
  for (const [name, [source, one]] of Object.entries(worst)) {
    test(name, () => {
      const startedAt = performance.now();
      expect(applyEdits(source, [one]).ok).toBe(false);
      // Anything worse than linear takes minutes; this leaves room for a busy machine.
      expect(performance.now() - startedAt).toBeLessThan(2000);
    });
  }
});
