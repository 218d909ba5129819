import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import type { FileState } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { renderDiff, viewChanges } from "../../src/transaction/preview.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, workspaceAt } from "./scene.ts";

const create = (path: string, content: string): Action => ({ kind: "CREATE_FILE", path, content });

/** A change set that turns one text into another. */
function updateOf(before: string, after: string) {
  const contents = new Map<string, Uint8Array>();
  const toState = (text: string): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.length };
  };
  const states = { before: toState(before), after: toState(after) };
  return buildChangeSet([{ kind: "update", path: "a b.txt", ...states }], contents);
}

async function gitApply(root: string, diff: string): Promise<string> {
  const child = Bun.spawn(["git", "apply", "--whitespace=nowarn", "-"], {
    cwd: root,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: root },
    stdin: Buffer.from(diff),
    stderr: "pipe",
  });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  return exitCode === 0 ? "" : errors || `exit ${exitCode}`;
}

describe("renderDiff()", () => {
  test("is what git apply makes the same files of", async () => {
    using dir = tempDir();
    using copy = tempDir();
    for (const root of [dir.path, copy.path]) {
      writeTree(root, { "run.sh": "one\ntwo", "gone.txt": "x\n", "gone empty": "" });
      chmodSync(join(root, "run.sh"), 0o755);
    }
    const workspace = workspaceAt(dir.path);
    const actions: readonly Action[] = [
      create("src/new file.ts", "a\nb\n"),
      create("empty", ""),
      create("Привет.md", "без конца"),
      {
        kind: "REPLACE_RANGE",
        path: "run.sh",
        base_sha256: sha256("one\ntwo"),
        start_line: 2,
        end_line: 2,
        content: "2",
      },
      { kind: "DELETE_FILE", path: "gone.txt" },
      { kind: "DELETE_FILE", path: "gone empty" },
    ];
    const diff = renderDiff(changeSetOf(workspace, actions));
    await applyActions(workspace, actions);
    expect(await gitApply(copy.path, diff)).toBe("");
    expect(readTree(copy.path)).toEqual(readTree(dir.path));
  });

  test("agrees with git apply on any two texts", async () => {
    using dir = tempDir();
    const line = fc.constantFrom("a\n", "b\n", "\r\n", "c", "\f\n", "й\u2028\n");
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        writeTree(dir.path, { "a b.txt": before });
        expect(await gitApply(dir.path, renderDiff(updateOf(before, after)))).toBe("");
        expect(readFileSync(join(dir.path, "a b.txt"), "utf8")).toBe(after);
      }),
      { numRuns: runs(15, 40) },
    );
  });

  test("shows two texts that have little in common as one block, in bounded time", async () => {
    using dir = tempDir();
    const before = Array.from({ length: 6000 }, (_, n) => `old ${n}\n`).join("");
    const after = Array.from({ length: 6000 }, (_, n) => `new ${n}\n`).join("") + "end";
    writeTree(dir.path, { "a b.txt": before });
    const effort = measureEffort();
    const diff = renderDiff(updateOf(before, after));
    expect(effort()).toBeLessThan(3000);
    expect(await gitApply(dir.path, diff)).toBe("");
    expect(readFileSync(join(dir.path, "a b.txt"), "utf8")).toBe(after);
  });

  test("shows three lines around what changes, and the place as git writes it", () => {
    const lines = (...names: readonly (string | number)[]) => names.map((n) => `${n}\n`).join("");
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    const before = lines(...numbers);
    const names = "--- a/a b.txt\t\n+++ b/a b.txt\t\n";
    const shown = (text: string, then: string) =>
      renderDiff(updateOf(text, then)).replace(`diff --git a/a b.txt b/a b.txt\n${names}`, "");
    const around = [" 3", " 4", " 5", "-6", "+six", " 7", " 8", " 9"];
    expect(shown(before, before.replace("6", "six"))).toBe(lines("@@ -3,7 +3,7 @@", ...around));
    expect(shown("one\n", "two\n")).toBe(lines("@@ -1 +1 @@", "-one", "+two"));
    expect(shown(before, "")).toBe(lines("@@ -1,12 +0,0 @@", ...numbers.map((n) => `-${n}`)));
    expect(shown("one", "one\n")).toBe(
      lines("@@ -1 +1 @@", "-one", "\\ No newline at end of file", "+one"),
    );
  });

  test("says of a binary file only that it goes", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.bin": Buffer.from([0, 1, 2]) });
    const set = changeSetOf(workspaceAt(dir.path), [{ kind: "DELETE_FILE", path: "a.bin" }]);
    expect(renderDiff(set)).toBe(
      "diff --git a/a.bin b/a.bin\ndeleted file mode 100644\nBinary files a/a.bin and /dev/null differ\n",
    );
    expect(viewChanges(set)).toMatchObject([{ kind: "delete", added: 0, removed: 0 }]);
  });
});

describe("viewChanges()", () => {
  test("counts lines and names hashes", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "1\n2\n3\n" });
    const set = changeSetOf(workspaceAt(dir.path), [
      create("d/b.txt", "x\ny"),
      {
        kind: "REPLACE_RANGE",
        path: "a.txt",
        base_sha256: sha256("1\n2\n3\n"),
        start_line: 2,
        end_line: 3,
        content: "two",
      },
    ]);
    const nothing = { before_sha256: null, after_sha256: null, added: 0, removed: 0 };
    expect(viewChanges(set)).toEqual([
      { path: "d", kind: "mkdir", ...nothing },
      {
        path: "d/b.txt",
        kind: "create",
        before_sha256: null,
        after_sha256: sha256("x\ny"),
        added: 2,
        removed: 0,
      },
      {
        path: "a.txt",
        kind: "update",
        before_sha256: sha256("1\n2\n3\n"),
        after_sha256: sha256("1\ntwo\n"),
        added: 1,
        removed: 2,
      },
    ]);
  });
});
