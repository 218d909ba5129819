import { afterAll, describe, expect, test } from "bun:test";
import { toPatchActions } from "../../src/planner/prepare/patch-actions.ts";
import { validateResponse } from "../../src/protocol/validate-response.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { filesAfter } from "./files-after.ts";
import { carryOut, createGitBetween, type Files } from "./git-between.ts";
import { toWorkspace } from "./planner-scene.ts";

const LINES = Array.from({ length: 24 }, (_, i) => `line ${i + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

const repository = tempDir();
afterAll(() => repository[Symbol.dispose]());
const gitDiff = createGitBetween(repository.path);

describe("toPatchActions() carries out all hunks of a patch or none", () => {
  const BEFORE = { "a.txt": text(LINES), "go.sum": text(LINES) };
  const [first, second] = ["-line 1\n+LINE 1\n line 2\n", "-line 8\n+LINE 8\n line 9\n"];
  const both = text(LINES.map((line) => line.replace(/line (1|8)$/u, "LINE $1")));
  const HEADS = [
    "@@ -1,2 +1,2 @@\n",
    "@@\n",
    "@@ ... @@\n",
    "@@ def f @@\n",
    "@@ -1,2 +1,2\n@@ function foo\n",
    "@@  -1,2 +1,2 @@\n",
    "@@ -1, 2 +1, 2 @@\n",
    "@@ \u20131,2 +1,2 @@\n",
    "",
    "some words\n",
  ];
  const isDamaged = HEADS.flatMap((one) => HEADS.map((other) => [one, other] as const));

  test.each(isDamaged)("below %j and %j", (one, other) => {
    const back = other.replace("-1,", "-8,").replace("+1,", "+8,");
    for (const path of ["a.txt", "go.sum"] as const) {
      const patch = `--- a/${path}\n+++ b/${path}\n${one}${first}${back}${second}`;
      const made = carryOut(BEFORE, patch);
      expect("code" in made ? both : made[path]).toBe(both);
    }
  });

  test("and takes nothing for a signature that is a line", () => {
    const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-line 1\n+x\n line 2\n-- \n+y\n";
    const made = carryOut(BEFORE, patch);
    expect("code" in made ? "" : made["a.txt"]).not.toBe(text(LINES).replace("line 1", "x"));
  });

  test("below a rename without any, they are another file's", () => {
    const head =
      "diff --git a/a.txt b/n.txt\nsimilarity index 100%\nrename from a.txt\nrename to n.txt\n";
    for (const part of [
      "--- a/go.sum\n+++ b/go.sum\n@@ -1,2 +1,2 @@\n-line 1\n+x\n line 2\n",
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n",
    ]) {
      expect(carryOut(BEFORE, head + part)).toEqual({ code: "ERR_PATCH_PATH_MISMATCH" });
    }
  });
});

describe("toPatchActions() takes a patch of several files as that of one", () => {
  const BEFORE = { "a.txt": "a\r\nb\r\n", "go.sum": "a\nb\n", "z.txt": "a\nb\n" };
  const AFTER = { "a.txt": "a\nb\n", "go.sum": "a\nc\n", "z.txt": "\uFEFFa\nc\n" };
  const parts = gitDiff(BEFORE, AFTER, []).split(/^(?=diff --git)/mu);
  const plain = parts.map((part) => part.slice(part.indexOf("\n---") + 1));

  test.each<[string, (part: string, at: number) => string]>([
    ["git", (_, at) => parts[at] ?? ""],
    ["diff -ruN", (part) => `diff -ruN old/x new/x\n${part}`],
    ["hg", (part) => `diff -r 0123456789ab x\n${part}`],
    [
      "mails of git",
      (_, at) =>
        `From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH ${at}/3] x\n\n---\n x | 2 +-\n\n${parts[at]}-- \n2.43.0\n\n`,
    ],
    ["svn", (part) => `Index: x\n====\n${part}`],
  ])("%s", (_, toPart) => {
    expect(carryOut(BEFORE, plain.map(toPart).join(""))).toEqual({ ...AFTER });
  });

  test("saved with CRLF, and a file that has it, where no line says which", () => {
    const patch = "--- a/a.txt\r\n+++ b/a.txt\r\n@@ -1,0 +2 @@\r\n+x\r\n";
    const made = carryOut(BEFORE, patch);
    expect("code" in made ? "a\r\nx\r\nb\r\n" : made["a.txt"]).toBe("a\r\nx\r\nb\r\n");
  });

  test("whose byte order mark would get lost where it has to be looked for", () => {
    const moved = { ...BEFORE, "z.txt": "\uFEFFx\na\nb\n" };
    const patch = "--- a/z.txt\n+++ b/z.txt\n@@ -9,2 +9,2 @@\n-\uFEFFx\n+x\n a\n";
    expect(carryOut(moved, patch)).toEqual({ code: "ERR_PATCH_APPLY_FAILED" });
  });
});

test("what toPatchActions() removes and renames is what the patch knows", () => {
  using dir = tempDir();
  writeTree(dir.path, { "a.txt": "a\n", "b.txt": "b\n" });
  const workspace = toWorkspace(dir.path);
  for (const after of [{ "b.txt": "b\n" }, { "a.txt": "a\n", "n.txt": "b\n" }]) {
    const made = toPatchActions(workspace, gitDiff({ "a.txt": "a\n", "b.txt": "b\n" }, after, []));
    if (!made.ok) throw new Error(made.message);
    expect(computeChangeSet(workspace, made.actions)).toMatchObject({ ok: true });
    writeTree(dir.path, { "a.txt": "a\nmine\n", "b.txt": "b\nmine\n" });
    expect(computeChangeSet(workspace, made.actions)).toMatchObject({
      ok: false,
      problems: [{ code: "ERR_BASE_MISMATCH" }],
    });
    writeTree(dir.path, { "a.txt": "a\n", "b.txt": "b\n" });
  }
});

test("what toPatchActions() carries out exactly keeps its line ends under normalize_eol", () => {
  using dir = tempDir();
  writeTree(dir.path, { "a.bat": "a\r\nb\r\n" });
  const workspace = toWorkspace(dir.path);
  const after = { "n.bat": "a\r\nb\r\n", "new.bat": "x\r\n" };
  const made = toPatchActions(workspace, gitDiff({ "a.bat": "a\r\nb\r\n" }, after, []));
  const computed =
    made.ok &&
    computeChangeSet(workspace, made.actions, {
      version: 2,
      normalizeEol: "lf",
      seen: {},
      whole: [],
    });
  if (!computed || !computed.ok) throw new Error("it does not fit");
  expect(filesAfter({ "a.bat": "a\r\nb\r\n" }, computed.changeSet)).toEqual(after);
});

describe("toPatchActions() takes what a patch has of lock files", () => {
  const LOCKS = ["bun.lock", "go.sum", "a/package-lock.json", "Cargo.lock"];
  const [was, is] = ["a\nb\n", "a\nc\n"];

  test.each(LOCKS)("%s, where it fits byte for byte", (path) => {
    const other = { "other.txt": "o\n" };
    const states: readonly Files[] = [
      other,
      { ...other, [path]: was },
      { ...other, [path]: is },
      { ...other, [`moved/${path}`]: was },
    ];
    for (const before of states) {
      for (const after of states.filter((state) => state !== before)) {
        expect(carryOut(before, gitDiff(before, after, []))).toEqual({ ...after });
      }
    }
  });

  test.each(LOCKS)("%s, but not where its lines would have to be looked for", (path) => {
    const patch = gitDiff({ [path]: was }, { [path]: is }, []);
    const moved = { [path]: `x\n${was}` };
    expect(carryOut(moved, patch)).toEqual({ code: "ERR_PROTECTED_PATH" });
  });

  test("and no model can say that it took one from a patch", () => {
    const action = { kind: "CREATE_FILE", path: "bun.lock", content: "", as_stated: true };
    const taken = ([1, 2, 3] as const).map((version) =>
      validateResponse({ summary: "s", actions: [action] }, { version, mode: "apply" }),
    );
    expect(taken.map(({ ok }) => ok)).toEqual([true, false, false]); // version 1 reads over it
    expect(JSON.stringify(taken[0])).not.toContain("as_stated");
  });
});
