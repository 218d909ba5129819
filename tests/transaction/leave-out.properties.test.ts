import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change, ChangeSet, FileState } from "../../src/transaction/change.ts";
import { buildChangeSet, contentOf } from "../../src/transaction/change-set.ts";
import { composeChangeSets, remainderOf } from "../../src/transaction/compute/compute.ts";
import { type LeftPart, leaveOut } from "../../src/transaction/compute/leave-out.ts";
import { diffOf } from "../../src/transaction/preview.ts";
import { runs } from "../support/long.ts";

/** Files by path, each with its text before and after; a folder ends in "/". */
type Files = Readonly<Record<string, readonly [before: string | null, after: string | null]>>;

function setOf(files: Files): ChangeSet {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string, mode = 0o644): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode, sizeBytes: bytes.byteLength };
  };
  const changes = Object.entries(files).flatMap(([path, [before, after]]): readonly Change[] => {
    const folder = path.endsWith("/") ? path.slice(0, -1) : undefined;
    if (folder !== undefined) {
      return [{ kind: before === null ? "mkdir" : "rmdir", path: folder, mode: 0o755 }];
    }
    if (before === null)
      return after === null ? [] : [{ kind: "create", path, after: state(after) }];
    if (after === null) return [{ kind: "delete", path, before: state(before) }];
    if (before === after) return [];
    return [{ kind: "update", path, before: state(before), after: state(after) }];
  });
  return buildChangeSet(changes, contents);
}

const anyLine = fc.constantFrom("a", "b", "c", "", "x\r", "ы", "\uFEFF");
const textOf = (minLength: number) =>
  fc
    .tuple(fc.array(anyLine, { minLength, maxLength: 40 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
const anyText = textOf(0);
/** A text, and the same with some lines others, so that it has several hunks. */
const anyEdit = fc
  .tuple(
    // Long enough for hunks that are apart.
    fc.oneof(anyText, textOf(24)),
    fc.array(fc.tuple(fc.nat(40), fc.constantFrom("new", "", "two\nlines")), {
      maxLength: 5,
      size: "max",
    }),
  )
  .map(([text, edits]) => {
    const lines = text.split("\n");
    for (const [at, line] of edits) if (at < lines.length) lines[at] = line;
    return [text, lines.join("\n")] as const;
  });
const anySide = fc.oneof(
  { weight: 5, arbitrary: anyEdit },
  { weight: 1, arbitrary: anyText.map((text) => [null, text] as const) },
  { weight: 1, arbitrary: anyText.map((text) => [text, null] as const) },
);
const anySet = fc
  .tuple(anySide, anySide, anySide)
  .map(([a, b, c]) => setOf({ a, "d/b": b, c }))
  .filter(({ changes }) => changes.length > 0);

/** Some of it, by the dice. */
const anyParts = (set: ChangeSet): fc.Arbitrary<readonly LeftPart[]> =>
  fc
    .tuple(
      ...set.changes.map((change) => {
        const hunks = diffOf(set, change)?.map((_, n) => n) ?? [];
        return fc.oneof(
          fc.constant(undefined),
          fc.constant({ path: change.path }),
          fc.subarray(hunks).map((some) => ({ path: change.path, hunks: some })),
        );
      }),
    )
    .map((parts) => parts.flatMap((part) => part ?? []));

const anyCase = anySet.chain((set) => fc.tuple(fc.constant(set), anyParts(set)));

describe("leaveOut()", () => {
  test("what is left out, done after what stays, gives the whole again", () => {
    let partial = 0;
    fc.assert(
      fc.property(anyCase, ([whole, parts]) => {
        const rest = leaveOut(whole, parts);
        if (!rest.ok) return expect(rest.why).not.toBe("unknown");
        if (rest.left.length === 0) return expect(rest.changeSet.id).toBe(whole.id);
        partial += 1;
        const back = remainderOf(rest.changeSet, whole);
        expect(back.changes.length).toBeGreaterThan(0);
        const composed = composeChangeSets(rest.changeSet, back);
        expect(composed.ok && composed.changeSet.id).toBe(whole.id);
      }),
      { numRuns: runs(400, 20_000) },
    );
    expect(partial).toBeGreaterThan(50);
  });

  test("keeps exactly the hunks that stay, in their order", () => {
    let several = 0;
    fc.assert(
      fc.property(anyCase, ([whole, parts]) => {
        const rest = leaveOut(whole, parts);
        if (!rest.ok) return;
        for (const part of parts) {
          const change = whole.changes.find(({ path }) => path === part.path);
          const kept = rest.changeSet.changes.find(({ path }) => path === part.path);
          if (change?.kind !== "update" || kept?.kind !== "update") continue;
          const out = new Set(part.hunks);
          const wanted = diffOf(whole, change)?.filter((_, n) => !out.has(n)) ?? [];
          if (out.size > 0) several += 1;
          const text = (set: ChangeSet, each: FileState) => String(contentOf(set, each));
          let expected = text(whole, change.before).split(/(?<=\n)/u);
          for (const { oldStart, oldLines, newStart, newLines } of wanted.toReversed()) {
            const added = text(whole, change.after).split(/(?<=\n)/u);
            const piece = added.slice(newStart - 1, newStart - 1 + newLines);
            expected = expected.toSpliced(oldStart - 1, oldLines, ...piece);
          }
          expect(text(rest.changeSet, kept.after)).toBe(expected.join(""));
        }
      }),
      { numRuns: runs(400, 20_000) },
    );
    expect(several).toBeGreaterThan(2);
  });

  test("without anything is the same, without all of it none", () => {
    fc.assert(
      fc.property(anySet, (whole) => {
        expect(leaveOut(whole, [])).toEqual({ ok: true, changeSet: whole, left: [] });
        const all = whole.changes.map(({ path }) => ({ path }));
        expect(leaveOut(whole, all)).toEqual({ ok: false, why: "nothing left" });
      }),
      { numRuns: runs(100, 2000) },
    );
  });

  test("leaves one hunk of two out, or the file where it is both", () => {
    const lines = Array.from({ length: 30 }, (_, n) => `${n}\n`);
    const both = lines.with(2, "two\n").with(20, "twenty\n").join("");
    const set = setOf({ a: [lines.join(""), both], b: [null, "b\n"] });
    const without = (...hunks: number[]) => leaveOut(set, [{ path: "a", hunks }]);
    for (const [hunk, left] of [
      [0, lines.with(20, "twenty\n")],
      [1, lines.with(2, "two\n")],
    ] as const) {
      const rest = without(hunk);
      if (!rest.ok) throw new Error(rest.why);
      expect(rest.left).toEqual([{ path: "a", hunks: [hunk] }]);
      const change = rest.changeSet.changes.find(({ path }) => path === "a");
      if (change?.kind !== "update") throw new Error("it is gone");
      const text = left.join("");
      expect(change.after).toEqual({ sha256: sha256(text), mode: 0o644, sizeBytes: text.length });
      expect(String(contentOf(rest.changeSet, change.after))).toBe(text);
    }
    const all = without(0, 1);
    expect(all.ok && all.left).toEqual([{ path: "a" }]);
    expect(all.ok && all.changeSet.changes.map(({ path }) => path)).toEqual(["b"]);
    const none = leaveOut(set, [{ path: "a", hunks: [] }]);
    expect(none.ok && none.changeSet).toBe(set);
  });

  test("refuses a file or a hunk that is not there, and one that is named twice", () => {
    const set = setOf({ a: ["1\n2\n", "1\n3\n"], b: [null, "x\n"] });
    const refused = (...parts: LeftPart[]) => leaveOut(set, parts);
    expect(refused({ path: "c" })).toEqual({ ok: false, why: "unknown", path: "c" });
    expect(refused({ path: "a" }, { path: "a" })).toMatchObject({ why: "unknown", path: "a" });
    for (const hunk of [1, -1, 0.5, Number.NaN, 2 ** 53]) {
      const found = { ok: false, why: "unknown", path: "a", hunk } as const;
      expect(refused({ path: "a", hunks: [0, hunk] })).toEqual(found);
    }
  });

  test("names what stays and cannot do without what is left out", () => {
    const made = setOf({
      "d/": [null, null],
      "d/e/": [null, null],
      "d/e/a": [null, "1\n"],
      b: [null, "2\n"],
    });
    expect(leaveOut(made, [{ path: "d" }])).toEqual({
      ok: false,
      why: "needed",
      needs: [
        { path: "d/e", needs: "d" },
        { path: "d/e/a", needs: "d" },
      ],
    });
    const gone = setOf({ "d/": ["", null], "d/a": ["1\n", null], b: [null, "2\n"] });
    expect(leaveOut(gone, [{ path: "d/a" }])).toMatchObject({
      needs: [{ path: "d", needs: "d/a" }],
    });
    const moved = setOf({ a: ["long text\n", null], b: [null, "long text\n"], c: [null, "2\n"] });
    expect(leaveOut(moved, [{ path: "b" }])).toMatchObject({ needs: [{ path: "a", needs: "b" }] });
    expect(leaveOut(moved, [{ path: "a" }])).toMatchObject({ ok: true });
    // It is somewhere else as well, or there is nothing to lose.
    const twice = setOf({ a: ["long\n", null], b: [null, "long\n"], c: [null, "long\n"] });
    expect(leaveOut(twice, [{ path: "b" }])).toMatchObject({ ok: true });
    expect(leaveOut(twice, [{ path: "b" }, { path: "c" }])).toMatchObject({
      needs: [
        { path: "a", needs: "b" },
        { path: "a", needs: "c" },
      ],
    });
    const empty = setOf({ a: ["", null], b: [null, ""], c: [null, "2\n"] });
    expect(leaveOut(empty, [{ path: "b" }])).toMatchObject({ ok: true });
    const other = setOf({ a: ["1\n", null], b: [null, "2\n"], c: ["1\n", "2\n"] });
    expect(leaveOut(other, [{ path: "b" }])).toMatchObject({ ok: true });
    const nested = setOf({ "d/": ["", null], "d/e/": ["", null], b: [null, "2\n"] });
    expect(leaveOut(nested, [{ path: "d/e" }])).toMatchObject({
      needs: [{ path: "d", needs: "d/e" }],
    });
    expect(leaveOut(nested, [{ path: "d" }])).toMatchObject({ ok: true });
    const beside = setOf({ "d/": [null, null], "d/a": [null, "1\n"], "de/a": [null, "1\n"] });
    expect(leaveOut(beside, [{ path: "d/a" }])).toMatchObject({
      ok: true,
      left: [{ path: "d/a" }, { path: "d" }],
    });
  });

  test("takes along the folders that were to be made for what is left out alone", () => {
    const set = setOf({
      "d/": [null, null],
      "d/e/": [null, null],
      "d/e/a": [null, "1\n"],
      b: [null, "2\n"],
      "empty/": [null, null],
    });
    const rest = leaveOut(set, [{ path: "d/e/a", hunks: [0] }]);
    expect(rest.ok && rest.changeSet.changes.map(({ path }) => path)).toEqual(["empty", "b"]);
    expect(rest.ok && rest.left).toEqual([{ path: "d/e/a" }, { path: "d" }, { path: "d/e" }]);
    // No content is carried along that it does not mention.
    const texts = rest.ok ? [...rest.changeSet.contents.values()].map(String) : [];
    expect(texts).toEqual(["2\n"]);
  });
});
