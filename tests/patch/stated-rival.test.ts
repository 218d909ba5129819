import { describe, expect, test } from "bun:test";
import { applyPatch } from "../../src/patch/apply-patch.ts";
import { textOf } from "./patch-outcome.ts";

describe("applyPatch() on what may have been done before", () => {
  const service = (name: string) => `${name}:\n  port: 1\n  env:\n    - USER=2\n`;
  const deletion = "@@ -6,3 +6,2 @@\n   port: 1\n   env:\n-    - USER=2\n";

  test("deletes nothing from another block the second time", () => {
    const first = applyPatch(service("a") + service("b"), deletion);
    expect(first).toMatchObject({ ok: true, text: `${service("a")}b:\n  port: 1\n  env:\n` });
    expect(first.ok && applyPatch(first.text, deletion)).toMatchObject({
      ok: false,
      code: "ERR_PATCH_AMBIGUOUS",
      message: expect.stringContaining("it was perhaps applied before: its new side is at line 6"),
    });
  });

  test("says where the rest of a patch was made that would go elsewhere", () => {
    const around = Array.from({ length: 9 }, (_, i) => `row ${i + 1}\n`).join("");
    const source = `alpha\nONE\nbeta\n${around}gamma\ntwo\ndelta\n`;
    const hunks = "@@ -1,3 +1,3 @@\n alpha\n-one\n+ONE\n beta\n@@ -6,3 +6,3 @@\n gamma\n-two\n";
    expect(applyPatch(source, `${hunks}+TWO\n delta\n`)).toMatchObject({
      ok: false,
      code: "ERR_PATCH_AMBIGUOUS",
      message: expect.stringContaining(
        "others of the patch, at line 1, were made before, and what it quotes is at line 13",
      ),
    });
  });

  test("deletes nothing from another block that is misquoted", () => {
    const twin = "x:\n  prot: 1\n  dir: /srv\n  env:\n    - USER=2\n";
    const made = "b:\n  port: 1\n  dir: /srv\n  env:\n";
    const patch = "@@ -7,4 +7,3 @@\n   port: 1\n   dir: /srv\n   env:\n-    - USER=2\n";
    expect(applyPatch(twin + made, patch)).toMatchObject({ ok: false });
  });

  test("distinguishes adding a line where it is from moving it", () => {
    const insertion = "@@ ... @@\n alpha\n+import x\n";
    expect(textOf(applyPatch("alpha\nimport x\nbeta\n", insertion))).toBe(
      "alpha\nimport x\nbeta\n",
    );
    const removal = "@@ ... @@\n-import x\n beta\n";
    expect(textOf(applyPatch("alpha\nimport x\nbeta\n", insertion + removal))).toBe(
      "alpha\nimport x\nbeta\n",
    );
  });

  test("takes no other block for the proof while what was to go is still there", () => {
    const source = "- name: web\n  image: x\n  retries: 3\n- name: api\n  img: x\n  retries: 2\n";
    const patch = "@@ @@\n   image: x\n-  retries: 2\n+  retries: 3\n";
    expect(applyPatch(source, patch)).toMatchObject({ ok: false });
  });
});

describe("applyPatch() where the stated line speaks against the only place", () => {
  const block = (name: string, size = 3) =>
    `function ${name}() {\n  open("door");\n  walk(through);\n  close(${size});\n}\n`;
  const hunk = (at: number) =>
    `@@ -${at},4 +${at},4 @@\n   open("door");\n   walk(through);\n-  close(3);\n+  close(4);\n }\n`;

  test("refuses another block than the one that was edited since", () => {
    expect(applyPatch(block("a", 7) + block("b"), hunk(2))).toMatchObject({
      ok: false,
      code: "ERR_PATCH_AMBIGUOUS",
      message: expect.stringContaining("it fits line 7, but it states line 2"),
    });
  });

  test("goes there if another hunk is as far off", () => {
    const source = `${block("a", 7)}${block("b")}last\n`;
    const patch = `${hunk(2)}@@ -6,1 +6,1 @@\n-last\n+end\n`;
    expect(textOf(applyPatch(source, patch))).toBe(`${block("a", 7)}${block("b", 4)}end\n`);
  });

  test("goes there if little is left at the stated line", () => {
    expect(textOf(applyPatch(`one\ntwo\n${block("b")}`, hunk(1)))).toBe(
      `one\ntwo\n${block("b", 4)}`,
    );
  });
});
