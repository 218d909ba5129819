import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change, ChangeSet, FileState } from "../../src/transaction/change.ts";
import { buildChangeSet, contentOf } from "../../src/transaction/change-set.ts";
import { writeLines } from "../../src/transaction/compute/write-lines.ts";
import { runs } from "../support/long.ts";

function setOf(before: string | null, after: string | Uint8Array | null): ChangeSet {
  const contents = new Map<string, Uint8Array>();
  const state = (text: string | Uint8Array): FileState => {
    const bytes = Buffer.from(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), mode: 0o755, sizeBytes: bytes.byteLength };
  };
  const other: Change = { kind: "create", path: "b", after: state("other\n") };
  const changes: readonly Change[] =
    after === null
      ? [{ kind: "delete", path: "a", before: state(before ?? "") }]
      : before === null
        ? [{ kind: "create", path: "a", after: state(after) }]
        : [{ kind: "update", path: "a", before: state(before), after: state(after) }];
  return buildChangeSet([...changes, other], contents);
}

function textIn(set: ChangeSet, path: string): string | undefined {
  const change = set.changes.find((each) => each.path === path);
  return change && "after" in change ? String(contentOf(set, change.after)) : undefined;
}

const anyLine = fc.constantFrom("a", "", "\tb ", "ы", "\uFEFFc", "x\ry");
const anyText = fc
  .tuple(fc.array(anyLine, { minLength: 1 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""))
  .filter((text) => text !== "");
const at = (line: number, text: string, to = line) => ({ path: "a", line, to, text });

describe("writeLines()", () => {
  test("changes the named lines alone, with the line ends of the file", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(),
        fc.nat(3),
        fc.array(fc.constantFrom("new", "", "two"), { minLength: 1 }),
        fc.constantFrom("\n", "\r\n"),
        (text, from, more, words, typed) => {
          const lines = text.split(/(?<=\n)/u);
          const line = (from % lines.length) + 1;
          const to = Math.min(lines.length, line + more);
          const made = writeLines(setOf(null, text), [at(line, words.join(typed), to)]);
          const [head, tail] = [lines.slice(0, line - 1).join(""), lines.slice(to).join("")];
          const written = (made.ok && textIn(made.changeSet, "a")) || "";
          expect(written.startsWith(head)).toBe(true);
          expect(written.endsWith(tail)).toBe(true);
          const middle = written.slice(head.length, written.length - tail.length);
          const end = /\r?\n$/u.exec(lines[to - 1] ?? "")?.[0] ?? "";
          expect(middle.endsWith(end)).toBe(true);
          const bare = middle.slice(0, middle.length - end.length);
          expect(bare.split(/\r?\n/u)).toEqual(words);
          const ends = new Set(text.match(/\r?\n/gu));
          if (ends.size > 0)
            for (const each of bare.match(/\r?\n/gu) ?? []) expect(ends).toContain(each);
        },
      ),
      { numRuns: runs(300, 10_000) },
    );
  });

  test("writing what is there is the same change set", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, from) => {
        const set = setOf("before\n", text);
        const lines = text.split(/(?<=\n)/u);
        const line = (from % lines.length) + 1;
        const said = (lines[line - 1] ?? "").replace(/\r?\n$/u, "");
        const made = writeLines(set, [at(line, said)]);
        expect(made.ok && made.changeSet.id).toBe(set.id);
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  test("in any order comes to the same", () => {
    const set = setOf(null, "1\n2\n3\n4");
    const parts = [at(1, "one"), at(4, "four\nfive"), at(2, "", 3)];
    const [one, other] = [parts, parts.toReversed()].map((each) => writeLines(set, each));
    expect(one?.ok && textIn(one.changeSet, "a")).toBe("one\n\nfour\nfive");
    expect(Bun.deepEquals(one, other)).toBe(true);
  });

  test("a file that is as before is no change any more, and the rest stays", () => {
    const made = writeLines(setOf("1\n2\n", "1\ntwo\n"), [at(2, "2")]);
    expect(made.ok && made.changeSet.changes.map(({ path }) => path)).toEqual(["b"]);
    const whole = setOf("1\n", "one\n");
    const alone = buildChangeSet(
      whole.changes.filter(({ path }) => path === "a"),
      whole.contents,
    );
    expect(writeLines(alone, [at(1, "1")])).toEqual({ ok: false, why: "nothing left" });
  });

  test("takes a mode that is set anew for a change, though the content is as before", () => {
    const set = setOf("1\n", "one\n");
    const changes = set.changes.map((change) =>
      change.kind === "update"
        ? Object.assign(change, { before: Object.assign(change.before, { mode: 0o644 }) })
        : change,
    );
    const made = writeLines(buildChangeSet(changes, set.contents), [at(1, "1")]);
    expect(made.ok && made.changeSet.changes.map(({ path }) => path)).toEqual(["b", "a"]);
  });

  test("keeps the mode of the file, and of other files what they become", () => {
    const made = writeLines(setOf(null, "1\n"), [at(1, "one")]);
    const change = made.ok ? made.changeSet.changes[0] : undefined;
    expect(change).toMatchObject({ kind: "create", after: { mode: 0o755, sizeBytes: 4 } });
    expect(made.ok && textIn(made.changeSet, "b")).toBe("other\n");
    // No content is carried along that it does not mention.
    const texts = made.ok ? [...made.changeSet.contents.values()].map(String) : [];
    expect(texts.toSorted()).toEqual(["one\n", "other\n"]);
  });

  test.each<readonly [string, ChangeSet, ReturnType<typeof at>[]]>([
    ["a line behind the last", setOf(null, "1\n2\n"), [at(3, "x")]],
    ["lines up to one behind the last", setOf(null, "1\n2\n"), [at(1, "x", 3)]],
    ["no line", setOf(null, "1\n"), [at(0, "x")]],
    ["a range that ends before it begins", setOf(null, "1\n2\n"), [at(2, "x", 1)]],
    ["a line of an empty file", setOf(null, ""), [at(1, "x")]],
    ["a file that is not in it", setOf(null, "1\n"), [{ ...at(1, "x"), path: "c" }]],
    ["a file that goes", setOf("1\n", null), [at(1, "x")]],
    ["a file that is no text", setOf(null, Buffer.from([0xff, 10])), [at(1, "x")]],
    ["beside lines that overlap", setOf(null, "1\n2\n"), [at(1, "x"), at(1, "y"), at(3, "z")]],
  ])("refuses %s", (_, set, written) => {
    const { path, line } = written.at(-1) ?? at(0, "");
    expect(writeLines(set, written)).toEqual({ ok: false, why: "unknown lines", path, line });
  });

  test("refuses lines of which one is in two of them, in any order, and names the first two", () => {
    const anySpan = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(3));
    const set = setOf(null, "x\n".repeat(15));
    fc.assert(
      fc.property(fc.array(anySpan, { minLength: 1, maxLength: 6 }), (spans) => {
        const written = spans.map(([line, more]) => at(line, "y", line + more));
        const made = writeLines(set, written);
        const taken = written.flatMap(({ line, to }) =>
          Array.from({ length: to - line + 1 }, (_, more) => line + more),
        );
        const isTwice = new Set(taken).size < taken.length;
        expect(made.ok).toBe(!isTwice);
        if (made.ok || made.why !== "overlapping") return;
        const [one, other] = made.both;
        expect(one.line <= other.line && other.line <= one.to).toBe(true);
        for (const { line, to } of made.both) expect(written).toContainEqual(at(line, "y", to));
      }),
      { numRuns: runs(300, 10_000) },
    );
    const three = [at(4, "c", 5), at(3, "b", 4), at(1, "a", 2)];
    expect(writeLines(set, three)).toEqual({
      ok: false,
      why: "overlapping",
      path: "a",
      both: [
        { line: 3, to: 4 },
        { line: 4, to: 5 },
      ],
    });
  });
});
