import { describe, expect, test } from "bun:test";
import { moveComments } from "../../src/agent/plans/move-comments.ts";
import type { Comment } from "../../src/channels/press.ts";
import { sha256 } from "../../src/core/sha256.ts";
import type { ChangeSet } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";

/** A change set of files that get these texts. */
function setOf(files: Readonly<Record<string, string>>): ChangeSet {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string) => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.byteLength };
  };
  const changes = Object.entries(files).map(
    ([path, text]) =>
      ({ kind: "update", path, before: state("old\n"), after: state(text) }) as const,
  );
  return buildChangeSet(changes, contents);
}

const WHOLE = setOf({ "s.txt": "head\nnew\nnew\nsame\nTHIRTY\nsame\n", "z.txt": "z\n" });
const REST = setOf({ "s.txt": "head\nsame\nTHIRTY\nsame\n" });
const on = (line: number, text: string, more: Partial<Comment> = {}): Comment => ({
  path: "s.txt",
  side: "after",
  line,
  text,
  ...more,
});

describe("moveComments()", () => {
  test.each<[string, Comment, Comment]>([
    ["at the line that says the same", on(5, "a"), on(3, "a")],
    ["at one of several like it", on(6, "a"), on(4, "a")],
    ["at lines", on(4, "a", { to: 5 }), on(2, "a", { to: 3 })],
    ["at a line of the old file", on(1, "a", { side: "before" }), on(1, "a", { side: "before" })],
    ["on the file, where the line is not there", on(2, "a"), { path: "s.txt", text: "a" }],
    ["on the file, where the line never was", on(99, "a"), { path: "s.txt", text: "a" }],
    ["on the file", { path: "s.txt", text: "a" }, { path: "s.txt", text: "a" }],
    ["on the whole", { text: "a" }, { text: "a" }],
    [
      "on the whole, where the file is not in it",
      { path: "z.txt", side: "after", line: 1, text: "a" },
      { text: '"z.txt": a' },
    ],
  ])("keeps a comment %s", (_, comment, moved) => {
    expect(moveComments([comment], WHOLE, REST)).toEqual([moved]);
  });

  test("loses no words where several come to one place", () => {
    const comments = [on(2, "first"), on(3, "second"), { path: "s.txt", text: "third" }];
    expect(moveComments(comments, WHOLE, REST)).toEqual([
      { path: "s.txt", text: "first\nsecond\nthird" },
    ]);
  });

  test("changes nothing where all is as it was", () => {
    const comments = [on(2, "a"), on(6, "b"), { text: "c" }];
    expect(moveComments(comments, WHOLE, WHOLE)).toEqual(comments);
  });
});
