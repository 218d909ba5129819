import { describe, expect, test } from "bun:test";
import { findConflicts } from "../../src/protocol/find-conflicts.ts";
import type { Action } from "../../src/protocol/response.ts";

const BASE = { base_sha256: "a".repeat(64) };

/** One action of every kind on a path. */
const MAKE = {
  CREATE_FILE: (path) => ({ kind: "CREATE_FILE", path, content: "" }),
  UPDATE_FILE: (path) => ({ kind: "UPDATE_FILE", path, content: "" }),
  CREATE_DIR: (path) => ({ kind: "CREATE_DIR", path }),
  DELETE_FILE: (path) => ({ kind: "DELETE_FILE", path }),
  DELETE_DIR: (path) => ({ kind: "DELETE_DIR", path }),
  PATCH_FILE: (path) => ({ kind: "PATCH_FILE", path, ...BASE, patch: "@@ @@\n-a\n+b\n" }),
  REPLACE_RANGE: (path) => {
    return { kind: "REPLACE_RANGE", path, ...BASE, start_line: 1, end_line: 1, content: "" };
  },
  EDIT_FILE: (path) => ({ kind: "EDIT_FILE", path, ...BASE, edits: [] }),
} satisfies Readonly<Record<Action["kind"], (path: string) => Action>>;

const KINDS = [
  "CREATE_FILE",
  "UPDATE_FILE",
  "CREATE_DIR",
  "DELETE_FILE",
  "DELETE_DIR",
  "PATCH_FILE",
  "REPLACE_RANGE",
  "EDIT_FILE",
] as const satisfies (keyof typeof MAKE)[];
const PAIRS = KINDS.flatMap((a) => KINDS.map((b) => [a, b] as const));

function conflicts(...actions: Action[]): readonly string[] {
  return findConflicts(actions).map(({ code }) => code);
}

describe("findConflicts()", () => {
  test.each(PAIRS)("on one path, %s then %s", (a, b) => {
    const isFine = a === "CREATE_DIR" && b === "CREATE_DIR";
    expect(conflicts(MAKE[a]("x/y"), MAKE[b]("./x//y"))).toEqual(
      isFine ? [] : ["ERR_ACTION_CONFLICT"],
    );
  });

  test.each(PAIRS)("on a parent and its child, %s then %s", (parent, child) => {
    const leaves = child === "DELETE_FILE" || child === "DELETE_DIR";
    const isFine = parent === "CREATE_DIR" || (parent === "DELETE_DIR" && leaves);
    const expected = isFine ? [] : ["ERR_ACTION_CONFLICT"];
    expect(conflicts(MAKE[parent]("x"), MAKE[child]("x/y/z"))).toEqual(expected);
    expect(conflicts(MAKE[child]("x/y/z"), MAKE[parent]("x"))).toEqual(expected);
  });

  test("takes a name that only begins like another for a path of its own", () => {
    expect(conflicts(MAKE.DELETE_DIR("src"), MAKE.CREATE_FILE("src2/a"))).toEqual([]);
  });
});
