import { describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCode } from "../../src/core/error-codes.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { NOTES_EN } from "../../src/texts/notes/en.ts";
import { wordNotes } from "../../src/texts/notes/notes.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import type { ComputeRules } from "../../src/transaction/compute/write-file.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { changeSetOf, workspaceAt } from "./scene.ts";

const create = (path: string, content = "new\n"): Action => ({
  kind: "CREATE_FILE",
  path,
  content,
});
const remove = (path: string): Action => ({ kind: "DELETE_FILE", path });
const deleteFolder = (path: string): Action => ({ kind: "DELETE_DIR", path });
const range = (path: string, base: string | Uint8Array, content: string): Action => ({
  kind: "REPLACE_RANGE",
  path,
  base_sha256: sha256(base),
  start_line: 1,
  end_line: 1,
  content,
});

function codesOf(root: string, actions: readonly Action[], globs: readonly string[] = []) {
  const computed = computeChangeSet(workspaceAt(root, globs), actions);
  return computed.ok ? [] : computed.problems.map(({ code, actionIndex }) => [actionIndex, code]);
}

describe("computeChangeSet()", () => {
  test("orders folders, creates, updates, deletes, and folders to remove from the deepest up", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a\n", "old/deep/x.txt": "x\n" });
    const set = changeSetOf(workspaceAt(dir.path), [
      deleteFolder("old"),
      deleteFolder("old/deep"),
      remove("old/deep/x.txt"),
      range("a.txt", "a\n", "b"),
      create("src/lib/b.ts"),
      create("src/a.ts"),
    ]);
    expect(set.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "mkdir src",
      "mkdir src/lib",
      "create src/a.ts",
      "create src/lib/b.ts",
      "update a.txt",
      "delete old/deep/x.txt",
      "rmdir old/deep",
      "rmdir old",
    ]);
    expect(set.notes).toEqual([]);
    const texts = [...set.contents.values()].map(String);
    expect(texts.toSorted()).toEqual(["a\n", "b\n", "new\n", "x\n"]);
  });

  test("writes nothing", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a\n" });
    const before = readTree(dir.path);
    changeSetOf(workspaceAt(dir.path), [create("b.txt"), remove("a.txt")]);
    expect(readTree(dir.path)).toEqual(before);
    expect(() => readFileSync(join(dir.path, ".papa-yu"))).toThrow();
  });

  test("has one id for one effect, and another for another content, path, mode or base", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a\n" });
    const workspace = workspaceAt(dir.path);
    const idOf = (actions: readonly Action[]) => changeSetOf(workspace, actions).id;
    const one = idOf([create("b"), range("a.txt", "a\n", "x")]);
    expect(idOf([range("a.txt", "a\n", "x"), create("./b")])).toBe(one);
    const others = [idOf([create("b", "other")]), idOf([create("c")]), idOf([create("b")])];
    chmodSync(join(dir.path, "a.txt"), 0o600);
    others.push(idOf([create("b"), range("a.txt", "a\n", "x")]));
    expect(new Set([one, ...others]).size).toBe(5);
  });

  test("patches with the base's mode, byte-order mark and line ends kept", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "\uFEFFone\r\ntwo\r\n" });
    chmodSync(join(dir.path, "a.txt"), 0o750);
    const set = changeSetOf(workspaceAt(dir.path), [
      {
        kind: "PATCH_FILE",
        path: "a.txt",
        base_sha256: sha256("\uFEFFone\r\ntwo\r\n"),
        patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
      },
    ]);
    expect(set.changes).toMatchObject([{ kind: "update", after: { mode: 0o750 } }]);
    expect([...set.contents.values()].map(String)).toContain("\uFEFFone\r\n2\r\n");
  });

  test("sees no change in a file created with the content it has, or a folder that exists", () => {
    using dir = tempDir();
    writeTree(dir.path, { "d/a.txt": "a\n" });
    const set = changeSetOf(workspaceAt(dir.path), [
      create("d/a.txt", "a\n"),
      { kind: "CREATE_DIR", path: "d" },
    ]);
    expect(set.changes).toEqual([]);
  });

  test("collects the faults of all actions, in the order of the actions", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a\n", "full/x": "x", "latin.txt": Buffer.from([0xe9, 10]) });
    const latin = Buffer.from([0xe9, 10]);
    const codes = codesOf(dir.path, [
      remove("full"),
      deleteFolder("full"),
      remove("missing"),
      { kind: "UPDATE_FILE", path: "a.txt", content: "a\n" },
      create("full/x", "other"),
      range("nowhere", "", "x"),
      range("latin.txt", latin, "x"),
      create(".env"),
      create("../out"),
      create("bun.lock"),
      { ...range("a.txt", "other", "x"), path: "./b.txt" },
      create("full/y"),
    ]);
    expect(codes).toEqual([
      [0, "ERR_NOT_FOUND"],
      [1, "ERR_ACTION_CONFLICT"],
      [2, "ERR_NOT_FOUND"],
      [3, "ERR_V2_UPDATE_EXISTING_FORBIDDEN"],
      [4, "ERR_CREATE_EXISTS"],
      [5, "ERR_BASE_MISMATCH"],
      [6, "ERR_NON_UTF8_FILE"],
      [7, "ERR_PROTECTED_PATH"],
      [8, "ERR_INVALID_PATH"],
      [9, "ERR_PROTECTED_PATH"],
      [10, "ERR_BASE_MISMATCH"],
    ]);
  });

  test("says what a changed base is now", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "now\n" });
    const computed = computeChangeSet(workspaceAt(dir.path), [range("a.txt", "then\n", "x")]);
    const problem = computed.ok ? undefined : computed.problems[0];
    expect(problem).toMatchObject({ code: "ERR_BASE_MISMATCH", hint: sha256("now\n") });
    expect(problem?.message).toContain(`have ${sha256("now\n")}, want ${sha256("then\n")}`);
  });

  test("says why nothing can be deleted, and what a model may look at where a change fits nowhere", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "one\none\n" });
    mkdirSync(join(dir.path, "d"));
    const edits = [{ op: "replace", anchor: "one", before: "one", after: "1" } as const];
    const edit = {
      kind: "EDIT_FILE",
      path: "a.txt",
      base_sha256: sha256("one\none\n"),
      edits,
    } as const;
    const actions = [remove("d"), remove("gone"), deleteFolder("a.txt"), deleteFolder("gone")];
    const messages = actions.map((action) => {
      const computed = computeChangeSet(workspaceAt(dir.path), [action]);
      return computed.ok ? "" : computed.problems[0]?.message.replace(/.*: /, "");
    });
    expect(messages).toEqual([
      "it is a folder; use DELETE_DIR",
      "it does not exist",
      "it is a file; use DELETE_FILE",
      "it does not exist",
    ]);
    const computed = computeChangeSet(workspaceAt(dir.path), [edit]);
    expect(computed.ok ? "" : computed.problems[0]?.hint).toContain("one");
  });

  test("says of a patch and of an edit what was tolerated, and of which part of them", () => {
    using dir = tempDir();
    const source = `${"x\n".repeat(9)}one\n${"y\n".repeat(9)}two\n`;
    writeTree(dir.path, { "a.txt": source });
    const base_sha256 = sha256(source);
    const exact = "@@ -9,3 +9,3 @@\n x\n-one\n+1\n y\n";
    const moved = "@@ -17,2 +17,2 @@\n y\n-two\n+2\n";
    const patch: Action = { kind: "PATCH_FILE", path: "a.txt", base_sha256, patch: exact + moved };
    const edits = [
      { op: "replace", anchor: "one", before: "one", after: "ONE" },
      { op: "replace", anchor: "two", before: "two  ", after: "TWO" },
    ] as const;
    const edit: Action = { kind: "EDIT_FILE", path: "a.txt", base_sha256, edits: [...edits] };
    const placed = (action: Action) =>
      changeSetOf(workspaceAt(dir.path), [action]).notes.map((note) =>
        typeof note !== "string" && note.kind === "placed" ? note.facts : note,
      );
    for (const [action, of] of [
      [patch, "hunk"],
      [edit, "edit"],
    ] as const) {
      expect(placed(action)).toEqual([{ path: "a.txt", of, number: 2, said: expect.anything() }]);
    }
    const wrong: Action = { ...patch, patch: "@@ -1 +1 @@\n-none\n+1\n" };
    const nowhere = { op: "replace", anchor: "none", before: "one", after: "1" } as const;
    const lost: Action = { kind: "EDIT_FILE", path: "a.txt", base_sha256, edits: [nowhere] };
    for (const action of [wrong, lost]) {
      const computed = computeChangeSet(workspaceAt(dir.path), [action]);
      expect(computed.ok ? "" : computed.problems[0]?.message).toContain('"a.txt"');
    }
  });

  test("makes a folder once that several ask for, and nothing else twice", () => {
    using dir = tempDir();
    const folder: Action = { kind: "CREATE_DIR", path: "a" };
    expect(codesOf(dir.path, [folder, folder])).toEqual([]);
    for (const pair of [
      [folder, create("a")],
      [create("a"), folder],
    ]) {
      expect(codesOf(dir.path, pair).map(([, code]) => code)).toEqual(["ERR_ACTION_CONFLICT"]);
    }
  });

  test("refuses a folder to delete that another action fills, and one that is not empty", () => {
    using dir = tempDir();
    writeTree(dir.path, { "d/a": "a" });
    mkdirSync(join(dir.path, "e"));
    expect(codesOf(dir.path, [deleteFolder("d")])).toEqual([[0, "ERR_NOT_EMPTY"]]);
    expect(codesOf(dir.path, [deleteFolder("e"), create("e/new")])).toEqual([[0, "ERR_NOT_EMPTY"]]);
    expect(codesOf(dir.path, [deleteFolder("e"), remove("d/a"), deleteFolder("d")])).toEqual([]);
  });

  test("refuses two actions on one path and a file where another needs a folder", () => {
    using dir = tempDir();
    expect(codesOf(dir.path, [create("a"), create("./a")])).toMatchObject([
      [0, "ERR_ACTION_CONFLICT"],
    ]);
    for (const below of ["a/b", "a/b/c"]) {
      expect(codesOf(dir.path, [create("a"), create(below)])).toEqual([[1, "ERR_ACTION_CONFLICT"]]);
    }
    mkdirSync(join(dir.path, "d"));
    const folder: Action = { kind: "CREATE_DIR", path: "d" };
    expect(codesOf(dir.path, [folder, create("d")])).toEqual([[1, "ERR_ACTION_CONFLICT"]]);
  });

  test("refuses to write through links, and replaces a file with a second name", () => {
    using dir = tempDir();
    using outside = tempDir();
    writeTree(dir.path, { "real/a.txt": "a\n" });
    writeTree(outside.path, { "b.txt": "b\n" });
    symlinkSync(join(dir.path, "real"), join(dir.path, "inside"));
    symlinkSync(outside.path, join(dir.path, "out"));
    symlinkSync("nowhere", join(dir.path, "dangling"));
    linkSync(join(outside.path, "b.txt"), join(dir.path, "hard.txt"));
    const codes = codesOf(dir.path, [
      create("inside/new"),
      create("out/new"),
      create("dangling"),
      remove("out/b.txt"),
      { kind: "DELETE_DIR", path: "inside" },
    ]);
    expect(codes.map(([, code]) => code)).toEqual(Array(5).fill("ERR_INVALID_PATH"));
    const change = (action: Action) =>
      wordNotes(changeSetOf(workspaceAt(dir.path), [action]).notes, NOTES_EN);
    const keeps = "its other name (a hard link) keeps the old content";
    expect(change(range("hard.txt", "b\n", "x"))).toEqual([
      `hard.txt: replaced by a new file; ${keeps}`,
    ]);
    expect(change(remove("hard.txt"))).toEqual([`hard.txt: only this name goes; ${keeps}`]);
    writeTree(dir.path, { ".env": "SECRET=1\n" });
    linkSync(join(dir.path, ".env"), join(dir.path, "notes.txt"));
    expect(codesOf(dir.path, [remove("notes.txt")])).toEqual([[0, "ERR_PROTECTED_PATH"]]);
  });
});

describe("a file that is written whole", () => {
  const now = "one\r\ntwo\r\n";
  const shown = { "a.txt": sha256(now) };
  const update: Action = { kind: "UPDATE_FILE", path: "a.txt", content: "new\n" };
  const compute = (root: string, rules: Partial<ComputeRules>) =>
    computeChangeSet(workspaceAt(root), [update], {
      version: 1,
      normalizeEol: "keep",
      seen: {},
      whole: [],
      ...rules,
    });

  test.each<[string, Partial<ComputeRules>, string]>([
    ["was not shown", { whole: ["a.txt"] }, "ERR_UPDATE_WITHOUT_BASE"],
    ["was shown in part", { seen: shown }, "ERR_UPDATE_WITHOUT_BASE"],
    [
      "is another than was shown",
      { seen: { "a.txt": sha256("before") }, whole: ["a.txt"] },
      "ERR_BASE_MISMATCH",
    ],
  ])("is refused where it %s", (_, rules, code) => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": now });
    const computed = compute(dir.path, rules);
    expect(computed).toMatchObject({ ok: false, problems: [{ code, path: "a.txt" }] });
  });

  test.each([
    ["keep", "new\r\n"],
    ["lf", "new\n"],
  ] as const)(
    "takes the place of one that was shown whole, line ends: %s",
    (normalizeEol, text) => {
      using dir = tempDir();
      writeTree(dir.path, { "a.txt": now });
      const computed = compute(dir.path, { normalizeEol, seen: shown, whole: ["a.txt"] });
      const [change] = computed.ok ? computed.changeSet.changes : [];
      expect(change).toMatchObject({ kind: "update", after: { sha256: sha256(text) } });
    },
  );
});

interface Expected {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly hint?: string;
}

describe("a fault of one action says what would be right", () => {
  const text = "one\n";
  const hash = sha256(text);
  const update = (path: string): Action => ({ kind: "UPDATE_FILE", path, content: "new\n" });
  const edit = (path: string, base_sha256: string): Action => {
    const edits = [{ op: "replace", anchor: "one", before: "one", after: "1" } as const];
    return { kind: "EDIT_FILE", path, base_sha256, edits };
  };
  const patchHint = `use PATCH_FILE with base_sha256 ${hash}`;
  const notFound = "have no file, want one; create it or plan again";
  const noText = "it is not UTF-8 text; leave it out";

  test.each<readonly [string, Action, Partial<ComputeRules>, Expected]>([
    [
      "a new file where one is",
      create("a.txt"),
      {},
      { code: "ERR_CREATE_EXISTS", reason: "the file exists; patch it instead", hint: patchHint },
    ],
    [
      "the same under v1",
      create("a.txt"),
      { version: 1 },
      { code: "ERR_CREATE_EXISTS", reason: "the file exists; use UPDATE_FILE" },
    ],
    [
      "a whole file above v1",
      update("a.txt"),
      {},
      {
        code: "ERR_V2_UPDATE_EXISTING_FORBIDDEN",
        reason: "the file exists; patch it instead",
        hint: patchHint,
      },
    ],
    [
      "a new file where a folder is",
      create("d"),
      {},
      { code: "ERR_CREATE_EXISTS", reason: "a folder has this name" },
    ],
    [
      "a folder where a file is",
      { kind: "CREATE_DIR", path: "a.txt" },
      {},
      { code: "ERR_CREATE_EXISTS", reason: "a file has this name" },
    ],
    [
      "another content of nothing",
      update("none"),
      {},
      {
        code: "ERR_UPDATE_WITHOUT_BASE",
        reason: "it does not exist; name an existing file",
        hint: "use CREATE_FILE",
      },
    ],
    [
      "another content of what was shown and is gone",
      update("none"),
      { seen: { none: hash } },
      { code: "ERR_BASE_MISMATCH", reason: notFound },
    ],
    [
      "a file that was not shown",
      update("a.txt"),
      { version: 1 },
      {
        code: "ERR_UPDATE_WITHOUT_BASE",
        reason: "the plan did not show it; name it in the goal",
        hint: "leave it out",
      },
    ],
    [
      "a file that was shown in part",
      update("a.txt"),
      { version: 1, seen: { "a.txt": hash } },
      {
        code: "ERR_UPDATE_WITHOUT_BASE",
        reason: "the plan showed only a part of it; name it in the goal",
        hint: "leave it out",
      },
    ],
    [
      "a file that is no text and was not shown",
      update("latin"),
      { version: 1 },
      { code: "ERR_UPDATE_WITHOUT_BASE", reason: noText },
    ],
    [
      "a file that is no text and was shown",
      update("latin"),
      { version: 1, seen: { latin: sha256(Buffer.from([0xe9, 10])) }, whole: ["latin"] },
      { code: "ERR_NON_UTF8_FILE", reason: noText },
    ],
    [
      "a patch of nothing",
      range("none", text, "x"),
      {},
      { code: "ERR_BASE_MISMATCH", reason: notFound },
    ],
    [
      "a patch of a folder",
      range("d", text, "x"),
      {},
      { code: "ERR_BASE_MISMATCH", reason: notFound },
    ],
    [
      "an edit of another file",
      edit("a.txt", sha256("then")),
      {},
      {
        code: "ERR_EDIT_BASE_MISMATCH",
        reason: `have ${hash}, want ${sha256("then")}; plan again from the file as it is`,
        hint: hash,
      },
    ],
    [
      "an edit of nothing",
      edit("none", hash),
      {},
      { code: "ERR_EDIT_BASE_MISMATCH", reason: notFound },
    ],
    [
      "what is too large",
      remove("large"),
      {},
      { code: "ERR_IO", reason: "it is a file over 64 MiB" },
    ],
  ])("%s", (_, action, rules, fault) => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": text, latin: Buffer.from([0xe9, 10]), "d/x": "x" });
    writeTree(dir.path, { large: "" });
    truncateSync(join(dir.path, "large"), 64 * 1024 * 1024 + 1);
    const all: ComputeRules = { version: 2, normalizeEol: "keep", seen: {}, whole: [], ...rules };
    const computed = computeChangeSet(workspaceAt(dir.path), [action], all);
    if (computed.ok) throw new Error("nothing was wrong with it");
    const [problem] = computed.problems;
    const { reason, ...rest } = fault;
    const message = expect.stringContaining(`"${action.path}": ${reason}`);
    expect(computed.problems).toHaveLength(1);
    expect(problem).toEqual({ ...rest, message, actionIndex: 0, path: action.path });
  });

  test("nothing is wrong with what is there already, which is no change", () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": text });
    const rules: ComputeRules = {
      version: 1,
      normalizeEol: "keep",
      seen: { "a.txt": hash },
      whole: ["a.txt"],
    };
    const same: Action = { kind: "UPDATE_FILE", path: "a.txt", content: text };
    const computed = computeChangeSet(workspaceAt(dir.path), [same], rules);
    expect(computed.ok && computed.changeSet.changes).toEqual([]);
    const kept = computeChangeSet(workspaceAt(dir.path), [range("a.txt", text, "one")]);
    expect(kept.ok && kept.changeSet.changes).toEqual([]);
  });

  test("a new file has the line ends that it is written with, or LF", () => {
    using dir = tempDir();
    const made = (normalizeEol: "keep" | "lf") => {
      const rules: ComputeRules = { version: 2, normalizeEol, seen: {}, whole: [] };
      const action = create("n", "a\r\nb\n");
      const computed = computeChangeSet(workspaceAt(dir.path), [action], rules);
      return computed.ok ? [...computed.changeSet.contents.values()].map(String) : [];
    };
    expect([made("keep"), made("lf")]).toEqual([["a\r\nb\n"], ["a\nb\n"]]);
  });
});
