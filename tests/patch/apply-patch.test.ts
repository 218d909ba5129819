import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import type { PatchResult } from "../../src/patch/patch-result.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";
import { refusalOf, textOf } from "./patch-outcome.ts";

const SOURCE = ["one", "two", "three", "four", "five", "six", ""].join("\n");
const HUNK = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n";
const DONE = SOURCE.replace("three", "THREE");

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
  /** Inputs are this part of what is large, and so is the bound. */
  const part = runs(4, 1);
  const most = 2000 / part;
  const timed = (run: () => PatchResult) => {
    const effort = measureEffort();
    const result = run();
    expect(effort()).toBeLessThan(most);
    return result;
  };

  test("on 100,000 identical lines and hunks that do not fit", () => {
    const half = 50_000 / part;
    const source = "x\n".repeat(2 * half);
    const hunk = `@@ ... @@\n${" x\n".repeat(half)}-y\n+z\n`;
    expect(timed(() => applyPatch(source, hunk)).ok).toBe(false);
    const late = `${"x\n".repeat(half)}y\n${"x\n".repeat(half)}y\n`;
    const long = `@@ ... @@\n${" x\n".repeat(half + 1)}-y\n+z\n`;
    expect(timed(() => applyPatch(late, long)).ok).toBe(false);
    expect(timed(() => applyPatch(source, "@@ ... @@\n-x\n+y\n".repeat(2000 / part))).ok).toBe(
      false,
    );
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

  test("on 10,000 hunks as stated or moved and on 3,000 misquoted ones", () => {
    const lines = Array.from({ length: 40_000 / part }, (_, i) => `value ${i}`);
    const source = lines.join("\n");
    const hunks = (header: (at: number) => string, spoiled = "", length = 10_000 / part) =>
      Array.from({ length }, (_, i) => {
        const [a, b, c, d] = lines.slice(i * 4, i * 4 + 4);
        return `${header(i * 4)}\n ${a}\n ${b}${spoiled}\n-${c}\n+new\n ${d}\n`;
      }).join("");
    const stated = hunks((at) => `@@ -${at + 1},4 +${at + 1},4 @@`);
    expect(timed(() => applyPatch(source, stated)).ok).toBe(true);
    expect(
      timed(() =>
        applyPatch(
          source,
          hunks(() => "@@ ... @@"),
        ),
      ).ok,
    ).toBe(true);
    const spoiled = hunks(() => "@@ ... @@", " not there", 3000 / part);
    expect(timed(() => applyPatch(source, spoiled)).ok).toBe(true);
  });

  test("on many hunks, each of which fits nearly as many places as are distinguished", () => {
    const source = "    a = 1\n      b\n".repeat(999);
    const long = `@@ ... @@\n-a = 1\n+c\n   b\n${" a = 1\n   b\n".repeat(400)}`;
    for (const patch of [
      "@@ ... @@\n-a = 1\n+c\n   b\n".repeat(3000 / part),
      "@@ ... @@\n-a  =  1\n+c\n   b\n".repeat(3000 / part),
      "@@ ... @@\n-    a = 1\n+c\n       b\n".repeat(3000 / part),
      long.repeat(200 / part),
    ]) {
      expect(timed(() => applyPatch(source, patch)).ok).toBe(false);
    }
  });

  test("on a long hunk that fits 500 places which overlap", () => {
    const patch = `@@ ... @@\n${" same\n".repeat(50_000)}+new\n`;
    expect(timed(() => applyPatch("  same\n".repeat(50_499), patch)).ok).toBe(false);
  });

  test("on many misquoted hunks next to a line of 1 MB", () => {
    const source = `a = 1\nb = 2\n${"ab ".repeat(350_000)}\nc = 3\nd = 4\n`;
    const patch = "@@ ... @@\n-a = 1\n+a = 0\n b = 2\n not there\n c = 3\n d = 4\n".repeat(200);
    expect(timed(() => applyPatch(source, patch)).ok).toBe(true);
  });

  test("on headings whose sections all go on to the end", () => {
    const deepest = 1000 / part;
    const heads = Array.from({ length: deepest }, (_, i) => `${" ".repeat(i)}h${i}`);
    const line = `${" ".repeat(deepest + 1)}go()`;
    const deep = `${line}\n`.repeat(900);
    const patch = heads.map((head) => `@@ ... @@ ${head.trim()}\n-${line}\n+stop()\n`).join("");
    expect(timed(() => applyPatch(`${heads.join("\n")}\n${deep}`, patch)).ok).toBe(false);
  });

  test("on hostile patches", () => {
    const many = 100_000 / part;
    for (const patch of [
      "junk\n".repeat(many),
      `@@ ... @@\na\n-b\n+c\n${"junk\n".repeat(many)}`,
      "@@ -1 +1 @@\n\njunk\n".repeat(many),
      `@@ ... @@\n ${" ".repeat(10 * many)}..x\n-end\n+END\n`,
      `@@ ... @@\n ${"1".repeat(10 * many)}\n-end\n+END\n`,
      `@@${" ".repeat(many)}x\n-end\n+END\n`,
      `@@ ${"-.".repeat(many)}x\n-end\n+END\n`,
    ]) {
      timed(() => applyPatch("a\nb\n", patch));
    }
  });
});
