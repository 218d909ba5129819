import { describe, expect, test } from "bun:test";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { apply, edit, refuse, SOURCE } from "./edits.ts";
import { refusalOf } from "./patch-outcome.ts";

describe("applyEdits() refuses", () => {
  test("an anchor that is found several times, and names the places", () => {
    const refusal = refuse(SOURCE, edit("return total;", "return total;", "return 0;"));
    expect(refusal.code).toBe("ERR_EDIT_AMBIGUOUS");
    expect(refusal.message).toBe(
      'Cannot apply edit 1 to "src/a.ts": its anchor is at lines 5, 11; set "occurrence" or quote a longer anchor',
    );
    expect(refusal.hint).toBe("5|  return total;\n11|  return total;");
  });

  test("a text that is found several times in the block", () => {
    const refusal = refuse("f() {\n  a();\n  a();\n}\n", edit("f() {", "a();", "b();"));
    expect(refusal).toMatchObject({ code: "ERR_EDIT_AMBIGUOUS", hint: "2|  a();\n3|  a();" });
    expect(refusal.message).toContain('"before" is at lines 2, 3');
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

  test("a text that is found only outside the block, and says where", () => {
    const before = "const total = sum(list) + 1;";
    const below = refuse(SOURCE, edit("function first", before, "x"));
    expect(below).toMatchObject({ code: "ERR_EDIT_BEFORE_NOT_FOUND", hint: `10|  ${before}` });
    const above = refuse(SOURCE, edit("function second", "import {", "x"));
    expect(above.message).toContain("is at line 1, not in the block of its anchor at line 9");
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

  test("an insertion next to a misquoted line", () => {
    const lines = ["let one = 1;", "let two = 2;", "let three = 3;", "let four = 4;"];
    const quoted = lines.with(1, "let too = 2;");
    const after = quoted.toSpliced(2, 0, "let x;").join("\n");
    const refusal = refuse(lines.join("\n"), edit("let three", quoted.join("\n"), after));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("a misquoted block that is found twice", () => {
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

  test("a block above its anchor that would do up to indentation", () => {
    const block = (name: string, first: string) =>
      `function ${name}() {\n  ${first}\n  last();\n}\n`;
    const source = block("one", "old();") + block("two", "renewed();");
    const refusal = refuse(source, edit("function two", "old();\nlast();", "renewed();\nlast();"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("the second time a text that is only like the one that it replaced", () => {
    const source = "f() {\n  work( 1);\n}\n\ng() {\n  work(1);\n}\n";
    const one = edit("  work(1);", "  work(1);", "  done(1);");
    const made = apply(source, one);
    expect(made).toBe(source.replace("work(1)", "done(1)"));
    const refusal = refuse(made, one);
    expect(refusal).toMatchObject({
      code: "ERR_EDIT_AMBIGUOUS",
      hint: "2|  work( 1);\n6|  done(1);",
    });
    expect(refusal.message).toContain('is only like line 2, and its "after" is at line 6 already');
  });

  test("a deletion that was made, next to another line like it", () => {
    const after = "}\n\nfunction g() {\n  body();";
    const again = edit("function g() {", `  x();\n${after}`, after);
    expect(apply(`f() {\n  x();\n${after}\n`, again)).toBe(`f() {\n${after}\n`);
    const refusal = refuse(`f() {\n  x();\n  put();\n${after}\n`, again);
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("everything if one edit cannot be made, and says which", () => {
    const refusal = refuse("a\nb\n", edit("a", "a", "A"), edit("z", "z", "Z"));
    expect(refusal.message).toStartWith('Cannot apply edit 2 to "src/a.ts": its anchor "z"');
  });

  test("a text in front of its anchor in one line, and says so", () => {
    const refusal = refuse("x\nf(a, b)\n  c\n}\n", edit("b)\n  c\n}", "a, b)\n  c", "d"));
    expect(refusal.message).toContain('"before" is in front of its anchor in line 2;');
  });

  test("a text that is found only inside of words, numbers and characters", () => {
    const cut = [
      refuse("a:\n  timeout: 10\n", edit("timeout: 1", "timeout: 1", "timeout: 5")),
      refuse("web:\n  port: 8080\n", edit("web:", "port: 80", "port: 443")),
      refuse("const userName = 1\n", edit("const user", "const user", "const account")),
      refuse("a \u{1F600} b\n", edit("a", "\uD83D", "x")),
      refuse("a\u{1D4B3}\n", edit("a", "a", "x")),
    ];
    for (const { code, message } of cut) {
      expect(code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
      expect(message).toContain("is, as it is quoted, not in the block of its anchor");
    }
  });

  test("a piece of a line that is quoted with another indentation", () => {
    const refusal = refuse("f:\n\t\ta(1) // x\n", edit("f:", "    a( 1)", "    a(2)"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("blanks anywhere in an indentation", () => {
    expect(refuse("    x\n", edit("  ", "  ", "\t")).code).toBe("ERR_EDIT_AMBIGUOUS");
  });

  test("an empty text to replace", () => {
    expect(refuse("a\n", edit("a", "", "x")).code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
  });

  test("an occurrence that is not there, and shows those that are", () => {
    const refusal = refuse(SOURCE, edit("return", "return", "x", { occurrence: 3 }));
    expect(refusal.message).toEndWith(
      'occurrence "3" of its anchor is not there: it is at lines 5, 11; count from 1',
    );
    expect(refusal.hint).toBe("5|  return total;\n11|  return total;");
  });

  test("what is in many lines or often in one, and lists the first ten lines", () => {
    const lines = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10";
    const message = (source: string) => refuse(source, edit("x()", "x()", "y()")).message;
    expect(message("x()\n".repeat(12))).toContain(`at lines ${lines} and 2 more; set`);
    expect(message("x()\n".repeat(2000))).toContain(`at lines ${lines} and many more; set`);
    expect(message("x() x()\n")).toContain("at line 1 (more than once in a line); set");
    expect(refuse("x()\n".repeat(12), edit("x()", "x()", "y()")).hint?.split("\n")).toHaveLength(
      10,
    );
  });

  test("a text that is nowhere, and says what differs, however long the line", () => {
    const line = `let text = "${"a".repeat(300)}";`;
    const source = `f() {\n  one();\n  ${line}\n  two();\n}\n`;
    const before = `  one();\n  ${line.replace("text", "next")}\n  two();`;
    const { message, hint } = refuse(source, edit("f()", before, "x"));
    expect(message).toContain(
      "as it is quoted, not in the block of its anchor at line 1; copy an exact piece",
    );
    expect(hint).toStartWith(
      'The "before" of edit 1 comes nearest to lines 1-5:\n1|f() {\n2|  one();\n3|  let',
    );
    expect(hint).toContain('line 3: the edit has "let next');
    expect(hint).toContain('the file "let text');
    expect(hint?.length).toBeLessThan(700);
  });

  test("a text of which nothing is in the file, and says so", () => {
    const refusal = refuse("f()\n", edit("f()", "zap", "x"));
    expect(refusal.hint).toBe('The "before" of edit 1 quotes nothing that is in the file');
    const { code, message } = refuse("", edit(`${"z".repeat(200)}\ny`, "z", "x"));
    expect(code).toBe("ERR_EDIT_ANCHOR_NOT_FOUND");
    expect(message).toContain(`its anchor "${"z".repeat(100)}…" is nowhere as it is quoted`);
  });

  test("new lines that are indented less than the file's indentation allows", () => {
    const refusal = refuse("f() {\n  a();\n}\n", edit("f()", "    a();", "    b();\nc();"));
    expect(refusal.message).toContain("its added lines are indented less than the lines it quotes");
  });

  test("more than 1,000 edits", () => {
    const edits = Array.from({ length: 1001 }, () => edit("a", "a", "b"));
    const refusal = refuse("a\n", ...edits);
    expect(refusal.code).toBe("ERR_EDIT_APPLY_FAILED");
    expect(refusal.message).toContain("one of 1001, and at most 1000 are made at once");
  });

  test("a line without the sign at its end, where such signs are what is changed", () => {
    const source = "first(1);\nsecond(2);\nthird(3);\n";
    const before = "first(1);\nsecond(2);\nthird(3)";
    const refusal = refuse(
      source,
      edit("second(2);", before, before.replace("second(2);", "second(2)")),
    );
    expect(refusal.message).toContain('line 3 without all of its end, "third(3);"');
    expect(refusal.hint).toContain("3|third(3);");
    const other = before.replace("second(2)", "second(4)");
    expect(apply(source, edit("second(2);", before, other))).toBe(
      source.replace("second(2)", "second(4)"),
    );
  });

  test("a line added next to what is quoted, where a blank line was quoted in its place", () => {
    const source = "first();\n\nsecond();\nthird();\nfourth();\n";
    for (const before of ["\nthird();", "\n\nthird();"]) {
      const after = before.replace("third", "added();\nsecond();\nthird");
      expect(refuse(source, edit("third();", before, after)).message).toContain(
        'adds "second();", which is at line 3 already',
      );
    }
  });

  test("a line added again in the middle of what comes for one that goes", () => {
    const source = "first(1);\nsecond();\nthird();\nfourth();\n";
    const after = "first(2);\nsecond();\nanother(third);";
    const refusal = refuse(source, edit("first(1);", "first(1);", after));
    expect(refusal.message).toContain("at line 2 already");
    expect(refusal.hint).toContain("Lines 1-4 of the file:");
  });
});
