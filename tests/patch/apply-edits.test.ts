import { describe, expect, test } from "bun:test";
import { applyEdits } from "../../src/patch/edits/edits.ts";
import { apply, edit, refuse, SOURCE } from "./edits.ts";

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

  test("a statement represents the rest of the block around it", () => {
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

  test("an anchor that is cut off in a word leads to what is there as whole words", () => {
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
    const there = { hunks: [{ line: 2, note: expect.stringContaining("already there") }] };
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
    const [line, added] = ["run: check --all", "run: test --features alloc"];
    const rest = `${added},raw\n${added},std\n`;
    expect(apply(`${line}\n${rest}`, edit(line, line, `${line}\n${added}`))).toBe(
      `${line}\n${added}\n${rest}`,
    );
    expect(apply("x + 10\n", edit("x", "x", "x + 1"))).toBe("x + 1 + 10\n");
    expect(apply("f {\n  }\n}\n", edit("  }", "  }", "  }\n}"))).toBe("f {\n  }\n}\n}\n");
    const copy = edit("a one", "a one", "a one\na one", { occurrence: 1 });
    expect(apply("a one\na one\n", copy)).toBe("a one\n".repeat(3));
  });

  test("an insertion that was made before, quoted up to layout", () => {
    const source = "f() {\n  put();\n  a( 1 );\n}\n";
    const again = edit("f() {", "  a(1);", "  put();\n  a(1);");
    expect(apply(source, again)).toBe(source);
  });

  test("but does not count as done what is still next to its new text", () => {
    const source = "function f() {\n  b.c(2);\n}\n";
    const refusal = refuse(source, edit("function f", "function f() {\n  x.c(2);", "  b.c(2);"));
    expect(refusal.code).toBe("ERR_EDIT_BEFORE_NOT_FOUND");
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
