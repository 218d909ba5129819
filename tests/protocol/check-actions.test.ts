import { describe, expect, test } from "bun:test";
import { checkActions } from "../../src/protocol/check-actions.ts";
import type { Action } from "../../src/protocol/response.ts";

const SHA = "a".repeat(64);
const DIFF = "@@ -1 +1 @@\n-a\n+b\n";

function create(path: string, content = "text\n"): Action {
  return { kind: "CREATE_FILE", path, content };
}

function patch(path: string, diff: string): Action {
  return { kind: "PATCH_FILE", path, patch: diff, base_sha256: SHA };
}

function range(start_line: number, end_line: number): Action {
  return { kind: "REPLACE_RANGE", path: "r", base_sha256: SHA, start_line, end_line, content: "" };
}

function codesOf(...actions: Action[]): readonly string[] {
  return checkActions(actions, { maxActions: 25 }).map(({ code }) => code);
}

function checkMany(count: number, maxActions: number): readonly unknown[] {
  const actions = Array.from({ length: count }, (_, i) => create(`f${i}`));
  return checkActions(actions, { maxActions }).map(({ code, actionIndex }) => [code, actionIndex]);
}

describe("checkActions()", () => {
  test("has nothing against good actions", () => {
    expect(
      codesOf(
        create("src/[...slug].tsx", ""),
        create("./docs/Привет.md", "Привет, 世界 🚀\f\r\n"),
        { kind: "CREATE_DIR", path: "src/new" },
        { kind: "CREATE_DIR", path: "./src/new" },
        create("src/new/a.ts"),
        { kind: "DELETE_DIR", path: "old" },
        { kind: "DELETE_FILE", path: "old/a.ts" },
        patch("p.ts", `--- a/p.ts\n+++ b/p.ts\n${DIFF}`),
        range(3, 2),
      ),
    ).toEqual([]);
  });

  for (const path of [
    "../a",
    "a/../b",
    "/etc/passwd",
    "C:\\a",
    "\\\\host\\a",
    "~/a",
    ".",
    "a/./b",
    "a\0b",
    "a\nb",
  ]) {
    test(`refuses the path ${JSON.stringify(path)}`, () => {
      expect(codesOf(create(path))).toEqual(["ERR_INVALID_PATH"]);
    });
  }

  test("refuses a path over 240 bytes", () => {
    expect(codesOf(create("ж".repeat(121)))).toEqual(["ERR_PATH_TOO_LONG"]);
  });

  test("refuses more actions than the workspace or the protocol allows", () => {
    expect(checkMany(25, 25)).toEqual([]);
    expect(checkMany(26, 25)).toEqual([["ERR_TOO_MANY_ACTIONS", -1]]);
    expect(checkMany(201, 1000)).toEqual([["ERR_TOO_MANY_ACTIONS", -1]]);
  });

  test("refuses what looks binary, but no text of any language", () => {
    expect(codesOf(create("a", "x\0"))).toEqual(["ERR_PSEUDO_BINARY"]);
    expect(codesOf(create("a", "\u0001\u0002abcdefgh"))).toEqual(["ERR_PSEUDO_BINARY"]);
    expect(codesOf(create("a", `\u0001${"a".repeat(20)}`))).toEqual([]);
    expect(codesOf(create("a", "\f\f\fabc"))).toEqual([]);
    expect(codesOf(create("a", "\v\v\vabc"))).toEqual(["ERR_PSEUDO_BINARY"]);
    expect(codesOf(create("a", "half a \ud83d"))).toEqual(["ERR_PSEUDO_BINARY"]);
  });

  test("refuses over 5 MiB in sum, counted in UTF-8 bytes", () => {
    const mib = 1024 * 1024;
    expect(
      codesOf(create("a", "я".repeat(1.25 * mib)), create("b", "x".repeat(2.5 * mib))),
    ).toEqual([]);
    expect(
      codesOf(create("a", "я".repeat(1.25 * mib)), create("b", "x".repeat(2.5 * mib + 1))),
    ).toEqual(["ERR_CONTENT_TOO_LARGE"]);
  });

  test("counts and looks at what edits and patches write as well", () => {
    const edit = (...afters: string[]): Action => ({
      kind: "EDIT_FILE",
      path: "e",
      base_sha256: SHA,
      edits: afters.map((after) => ({ op: "replace", anchor: "a", before: "a", after })),
    });
    expect(codesOf(edit("a", "x\0"))).toEqual(["ERR_PSEUDO_BINARY"]);
    expect(codesOf(patch("p", "@@ -1 +1 @@\n-a\n+\0\n"))).toEqual(["ERR_PSEUDO_BINARY"]);
    const half = "x".repeat(2.5 * 1024 * 1024);
    expect(codesOf(edit(half, half))).toEqual([]);
    expect(codesOf(edit(half, `${half}x`))).toEqual(["ERR_CONTENT_TOO_LARGE"]);
    expect(codesOf(patch("p", `@@ -1 +1 @@\n-a\n+${half}\n`), edit(half))).toEqual([
      "ERR_CONTENT_TOO_LARGE",
    ]);
  });

  test("refuses patches that are none or about another file", () => {
    expect(codesOf(patch("p", " "))).toEqual(["ERR_PATCH_REQUIRED"]);
    expect(codesOf(patch("p", "replace a by b"))).toEqual(["ERR_PATCH_NOT_UNIFIED"]);
    expect(codesOf(patch("p", `--- a/q\n+++ b/q\n${DIFF}`))).toEqual(["ERR_PATCH_PATH_MISMATCH"]);
  });

  test("refuses a range that ends before it begins", () => {
    expect(codesOf(range(3, 1))).toEqual(["ERR_RANGE_INVALID"]);
  });

  const conflicts: Record<string, readonly [Action, Action]> = {
    "two on one path": [create("a"), patch("a", DIFF)],
    "two spellings of one path": [create("a/b"), create("./a//b")],
    "composed and decomposed letters": [create("\u00e9"), create("e\u0301")],
    "one below a deleted folder": [{ kind: "DELETE_DIR", path: "a" }, create("a/b/c")],
    "one below a deleted file": [create("a/b"), { kind: "DELETE_FILE", path: "a" }],
    "one below a new file": [create("a/b"), create("a")],
    "a folder made and deleted": [
      { kind: "CREATE_DIR", path: "a" },
      { kind: "DELETE_DIR", path: "a" },
    ],
  };
  for (const [name, actions] of Object.entries(conflicts)) {
    test(`refuses ${name}`, () => {
      expect(codesOf(...actions)).toEqual(["ERR_ACTION_CONFLICT"]);
      expect(codesOf(...actions.toReversed())).toEqual(["ERR_ACTION_CONFLICT"]);
    });
  }

  test("names all problems of all actions, in the order of the rules", () => {
    const actions = [
      range(3, 1),
      patch("p", "none"),
      create("../x"),
      create("y", "\0"),
      create("y"),
    ];
    expect(
      checkActions(actions, { maxActions: 3 }).map(({ code, actionIndex }) => [code, actionIndex]),
    ).toEqual([
      ["ERR_INVALID_PATH", 2],
      ["ERR_TOO_MANY_ACTIONS", -1],
      ["ERR_PSEUDO_BINARY", 3],
      ["ERR_PATCH_NOT_UNIFIED", 1],
      ["ERR_RANGE_INVALID", 0],
      ["ERR_ACTION_CONFLICT", 4],
    ]);
  });

  test("names the action, its path and the other side in a message", () => {
    const [problem] = checkActions([create("a"), create("./a")], { maxActions: 25 });
    expect(problem).toEqual({
      code: "ERR_ACTION_CONFLICT",
      actionIndex: 1,
      path: "./a",
      message:
        'Cannot CREATE_FILE "./a": it is the path of actions[0], CREATE_FILE "a"; one action for a path',
    });
  });
});

test("checkActions() takes exactly these characters for no text", () => {
  // Tab, line feed, form feed and carriage return are of texts; DEL and the controls behind it not.
  const controls = (code: number) =>
    (code < 0x20 && ![9, 10, 12, 13].includes(code)) || (code >= 0x7f && code <= 0x9f);
  for (let code = 1; code <= 0x180; code++) {
    const content = `${String.fromCharCode(code)}${String.fromCharCode(code)}ab`;
    const codes = codesOf(create("a", content));
    expect([code, codes]).toEqual([code, controls(code) ? ["ERR_PSEUDO_BINARY"] : []]);
  }
});

test("checkActions() says of a problem of all actions what to do, and names no path", () => {
  const [problem] = checkActions([create("a"), create("b")], { maxActions: 1 });
  expect(problem).toEqual({
    code: "ERR_TOO_MANY_ACTIONS",
    actionIndex: -1,
    path: "",
    message: expect.stringContaining("2 actions: at most 1"),
    hint: "Do the most important ones first",
  });
});
