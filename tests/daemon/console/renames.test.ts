import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 } from "../../../src/core/sha256.ts";
import { toFileRows, toRenamedDocument } from "../../../src/daemon/console/documents.ts";
import type { Change, FileState } from "../../../src/transaction/change.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { findRenames } from "../../../src/transaction/compute/renames.ts";
import { runs } from "../../support/long.ts";

type Made = readonly [kind: "create" | "delete", path: string, text: string | Uint8Array];

function setOf(files: readonly Made[]) {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string | Uint8Array): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o644, sizeBytes: bytes.byteLength };
  };
  const changes = files.map(
    ([kind, path, text]): Change =>
      kind === "create" ? { kind, path, after: state(text) } : { kind, path, before: state(text) },
  );
  return buildChangeSet(changes, contents);
}

const lines = (from: number, to: number, word = "line") =>
  Array.from({ length: to - from }, (_, at) => `${word} number ${from + at}\n`).join("");

/** By names, since a change set has an order of its own. */
function namesIn(files: readonly Made[]) {
  const set = setOf(files);
  return findRenames(set).map(({ from, to, alike }) => [
    set.changes[from]?.path,
    set.changes[to]?.path,
    alike,
  ]);
}

const anyText = fc
  .array(fc.nat(12), { maxLength: 12 })
  .map((all) => all.map((each) => `some line ${each}\n`).join(""));
const anySet = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom<"create" | "delete">("create", "delete"),
      fc.stringMatching(/^[a-c]{1,3}$/u),
      anyText,
    ),
    { maxLength: 12, selector: ([, path]) => path },
  )
  .map(setOf);

describe("findRenames()", () => {
  test("each file is of one rename at most, from one that goes to one that comes; twice the same", () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const found = findRenames(set);
        const sides = found.flatMap(({ from, to }) => [from, to]);
        expect(new Set(sides).size).toBe(sides.length);
        for (const { from, to, alike } of found) {
          const [gone, come] = [set.changes[from], set.changes[to]];
          if (gone?.kind !== "delete" || come?.kind !== "create") throw new Error("other kinds");
          expect(alike).toBeGreaterThanOrEqual(50);
          expect(alike === 100).toBe(gone.before.sha256 === come.after.sha256);
        }
        expect(findRenames(set)).toEqual(found);
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  test("no row is lost, and both texts are there line by line", () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const renames = findRenames(set);
        const rows = toFileRows(set, new Set(), undefined, { renames });
        expect(rows.map(({ path }) => path)).toEqual(set.changes.map(({ path }) => path));
        for (const rename of renames) {
          const { from, to } = rename;
          expect(rows[from]).toMatchObject({ renamed_to: { n: to } });
          expect(rows[to]).toMatchObject({ renamed_from: { n: from } });
          const [gone, come] = [set.changes[from], set.changes[to]];
          if (gone?.kind !== "delete" || come?.kind !== "create") throw new Error("other kinds");
          const textOf = ({ sha256: hash }: FileState) =>
            Buffer.from(set.contents.get(hash) ?? []).toString();
          expect(toRenamedDocument(set, rename, (text) => text)).toMatchObject({
            path: come.path,
            old_path: gone.path,
            before: textOf(gone.before),
            after: textOf(come.after),
          });
        }
      }),
      { numRuns: runs(100, 2000) },
    );
  });

  test("the same content counts before what is like it, the same name before others", () => {
    const [a, b] = [lines(0, 20), lines(0, 19)];
    expect(
      namesIn([
        ["delete", "old/x.ts", a],
        ["delete", "old/y.ts", a],
        ["create", "new/y.ts", a],
        ["create", "new/z.ts", b],
      ]),
    ).toEqual([
      ["old/y.ts", "new/y.ts", 100],
      ["old/x.ts", "new/z.ts", 95],
    ]);
  });

  test("files that share less than half, empty ones, and what is no text but the same are none, none and one", () => {
    expect(
      namesIn([
        ["delete", "a", lines(0, 20)],
        ["create", "b", lines(11, 31)],
      ]),
    ).toEqual([]);
    expect(
      namesIn([
        ["delete", "a", ""],
        ["create", "b", ""],
      ]),
    ).toEqual([]);
    expect(
      namesIn([
        ["delete", "a", "}\n\n)\n"],
        ["create", "b", "}\n\n(\n"],
      ]),
    ).toEqual([]);
    const picture = Uint8Array.of(0x89, 0xff, 0, 1);
    expect(
      namesIn([
        ["delete", "a", picture],
        ["create", "b", picture],
      ]),
    ).toEqual([["a", "b", 100]]);
    const other = Uint8Array.of(0x89, 0xff, 0, 2);
    expect(
      namesIn([
        ["delete", "a", picture],
        ["create", "b", other],
      ]),
    ).toEqual([]);
  });

  test("a thousand files that all share their lines are compared by those that few have", () => {
    const license = lines(0, 200, "license");
    const files = Array.from({ length: 500 }, (_, at): readonly Made[] => [
      ["delete", `old/f${at}`, `${license}${lines(0, 300, `own ${at}`)}`],
      ["create", `new/g${at}`, `${license}${lines(0, 299, `own ${at}`)}`],
    ]).flat();
    const found = namesIn(files);
    // Those within the lines that are read at all, and none of them with another's.
    expect(found.length).toBeGreaterThan(300);
    for (const [from = "", to = ""] of found) {
      expect(String(to)).toBe(String(from).replace("old/f", "new/g"));
    }
  });
});
