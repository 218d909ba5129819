import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as papayu from "../../src/index.ts";
import { tempDir } from "../support/temp.ts";
import { readSnippet, snippetsOf } from "./snippets.ts";

/** Where a drawing's columns of text begin; what is a hunk has its sign before it. */
const COLUMN = 8;

/** The texts side by side in a drawing, by their labels; a tab is drawn as `\t`. */
function readDrawing(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const labels = [...(lines[0] ?? "").matchAll(/(hunk|file|before|after|result): /gu)];
  const columns = labels.map(({ 1: label = "", index }, n) => {
    const from = index + COLUMN - (label === "hunk" ? 1 : 0);
    const until = labels[n + 1]?.index ?? Infinity;
    const cut = lines.map((line) => line.slice(from, until).trimEnd().replaceAll("\\t", "\t"));
    return [
      label,
      cut
        .filter((line) => line !== "")
        .map((line) => `${line}\n`)
        .join(""),
    ] as const;
  });
  return Object.fromEntries(columns);
}

const drawings = snippetsOf("")
  .map(({ name, text }) => [name, readDrawing(text)] as const)
  .filter(([, { result }]) => result !== undefined);

describe("docs/patch-rules.md", () => {
  test("draws four results", () => expect(drawings).toHaveLength(4));

  test.each(drawings)("%s … comes to what is drawn", (_name, drawing) => {
    const { hunk, file = "", before = "", after = "", result } = drawing;
    const [anchor = ""] = before.split("\n");
    const made =
      hunk === undefined
        ? papayu.applyEdits(file, [{ op: "replace", anchor, before, after }])
        : papayu.applyPatch(file, `@@ ... @@\n${hunk}`);
    expect(made).toMatchObject({ ok: true, text: result });
  });
});

describe("what docs/patch-rules.md shows of a patch", () => {
  const rule = (first: string) => readSnippet(`docs/patch-rules.md: ${first}`);

  test("every form of a header begins the same hunk", () => {
    const forms = rule("@@ -2,3 +2,3 @@        @@ ... @@        @@        @@ function total() {");
    const headers = forms.trim().split(/ {2,}/u);
    const made = headers.map((header) =>
      papayu.applyPatch("x\na\nb\nc\n", `${header}\n a\n-b\n+B\n c\n`),
    );
    expect(made).toHaveLength(4);
    for (const each of made) expect(each).toMatchObject({ ok: true, text: "x\na\nB\nc\n" });
  });

  test("context without its blank goes on, and prose ends it", () => {
    const patch = rule("@@ ... @@").replaceAll(/ +<- .*$/gmu, "");
    const made = papayu.applyPatch("class A {\n  a()\n}\n", patch);
    expect(made).toMatchObject({ ok: true, text: "class A {\n  b()\n}\n" });
  });

  test("a line that stands for left-out ones cuts the hunk", () => {
    const file = "function f() {\n  a()\n  x()\n  y()\n  return 1\n}\n";
    const made = papayu.applyPatch(file, `@@ ... @@\n${rule("function f() {")}`);
    const text = file.replace("a()", "b()").replace("return 1", "return 2");
    expect(made).toMatchObject({ ok: true, text });
  });

  test("what was left out and added again is there once", () => {
    const file = "first()\nsecond(1)\nthird()\nfourth()\n";
    const made = papayu.applyPatch(file, `@@ ... @@\n${rule("first()")}`);
    expect(made).toMatchObject({ ok: true, text: file.replace("second(1)", "second(2)") });
  });

  test("the only place is refused where another block is at the stated line", () => {
    const lines = rule(
      "@@ -1,4 +1,4 @@         file:   open()          refused: line 5, or line 1?",
    );
    const shown = lines.split("\n").filter(Boolean);
    const column = (from: number, until: number) =>
      shown.map((line) => line.slice(from, until).trimEnd()).filter((line) => line !== "");
    const file = column(32, 44).join("\n");
    const made = papayu.applyPatch(`${file}\n`, `${column(0, 16).join("\n")}\n`);
    expect(made).toMatchObject({ ok: false, code: "ERR_PATCH_AMBIGUOUS" });
    expect(JSON.stringify(made)).toMatch(/line 5\b.*line 1\b/u);
  });
});

test("docs/protocol.md shows an answer that is taken", () => {
  const answer = readSnippet('docs/protocol.md: "summary": "1. Rename the option …",');
  const filled = answer.replaceAll(/<[^>"]*>/gu, "0".repeat(64));
  expect(papayu.validateResponse(JSON.parse(filled), { version: 2, mode: "apply" })).toMatchObject({
    ok: true,
  });
});

test.each(snippetsOf("ts").map((it) => [it.name, it.text] as const))(
  "%s … gives what is said of it",
  async (_name, text) => {
    const [, names = ""] = /^import \{ (.*) \} from "papayu";$/mu.exec(text) ?? [];
    expect(names.split(", ").filter((name) => !(name in papayu))).toEqual([]);
    // Below are expressions, each with its value in a comment behind it.
    const checked = text.replaceAll(/^(\w+\(.*\));\n\/\/ (.*)$/gmu, "said.push([$1, $2]);");
    using dir = tempDir();
    const index = JSON.stringify(join(import.meta.dir, "../../src/index.ts"));
    const source = checked.replace('"papayu"', index);
    await Bun.write(
      join(dir.path, "snippet.ts"),
      `export const said: unknown[][] = [];\n${source}`,
    );
    const { said }: { readonly said: unknown[][] } = await import(join(dir.path, "snippet.ts"));
    for (const [made, shown] of said) expect(made).toEqual(shown);
    expect(text.split("\n").filter(Boolean)).toHaveLength(1 + 2 * said.length);
  },
);
