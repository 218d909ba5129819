import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import * as fc from "fast-check";
import { type Comment, createUnkept, type LinkState } from "../../src/console/client/client.ts";
import { countLines, rowsOf } from "../../src/console/diff/diff.ts";
import { linesIn } from "../../src/console/pages/review/model/line-of.ts";
import {
  showSpoken,
  standingOf,
  withCommentRows,
} from "../../src/console/pages/review/person/comment-rows.ts";
import { createComments } from "../../src/console/pages/review/person/comments.ts";
import {
  clampEnd,
  isWithin,
  joinRanges,
  movingEnd,
  placeKey,
  rangeOf,
  toPlace,
} from "../../src/console/pages/review/person/ranges.ts";
import { runs } from "../support/long.ts";

const numRuns = runs(200, 5000);
const anyLine = fc.integer({ min: 1, max: 30 });
const on = (one: number, other: number) =>
  ({ path: "a", side: "after", ...rangeOf(one, other) }) as const;

describe("lines of a comment", () => {
  test("are those from one to another, whichever comes first, and one end moves alone", () => {
    fc.assert(
      fc.property(anyLine, anyLine, anyLine, (from, end, next) => {
        const place = on(from, end);
        expect(place).toEqual(on(end, from));
        expect(movingEnd(place, from)).toBe(end);
        for (const line of [from, end]) expect(isWithin(place, "after", line)).toBe(true);
        expect(isWithin(place, "before", from)).toBe(false);
        const moved = on(from, next);
        expect(isWithin(moved, "after", from) && isWithin(moved, "after", next)).toBe(true);
        expect(placeKey(on(from, Math.max(from, next)))).toBe(placeKey(on(from, from)));
        expect(toPlace(moved)).toEqual(moved);
        const both = joinRanges(on(from, Math.max(from, end)), on(from, Math.max(from, next)));
        expect([both.line, both.to ?? both.line]).toEqual([from, Math.max(from, end, next)]);
      }),
      { numRuns },
    );
  });

  test("that somebody types are never before the first, nor beyond the file", () => {
    const anyTyped = fc.oneof(fc.double(), fc.integer());
    fc.assert(
      fc.property(anyLine, fc.nat(50), anyTyped, (line, more, typed) => {
        const end = clampEnd({ line }, typed, line + more);
        expect(Number.isInteger(end) && end >= line && end <= line + more).toBe(true);
        if (Number.isInteger(typed) && typed >= line && typed <= line + more)
          expect(end).toBe(typed);
      }),
      { numRuns },
    );
  });

  test("are as many as the side has, whether its text was sent or its hunks alone", () => {
    const hunk = { old_start: 3, old_lines: 2, new_start: 3, new_lines: 4 };
    const texts = { before: "1\n2\n3\n4", after: "1\n2\na\nb\nc\nd\n", hunks: [hunk] };
    expect([countLines(texts, "before"), countLines(texts, "after")]).toEqual([4, 6]);
    const none = { ...texts, before: null, after: null };
    expect([countLines(none, "before"), countLines(none, "after")]).toEqual([4, 6]);
    expect(countLines({ before: null, after: "", hunks: [] }, "after")).toBe(0);
  });
});

describe("comments on lines", () => {
  const open = () => {
    const kept = new Map<string, Comment>();
    const draft = async (_id: string, comment: Comment) => {
      if (comment.text === "") kept.delete(placeKey(comment));
      else kept.set(placeKey(comment), comment);
    };
    const link = signal<LinkState>("live");
    const unkept = createUnkept({ draft, post: async () => ({}) }, link);
    return { kept, comments: createComments(unkept.drafts, "ap") };
  };

  test("lose no word however they become others, and are kept as they are shown", async () => {
    const anyStep = fc.tuple(anyLine, anyLine, anyLine);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { kept, comments } = open();
        const words: string[] = [];
        for (const [at, [line, from, end]] of steps.entries()) {
          const place = on(line, line);
          if (!comments.open.value.has(placeKey(place))) {
            words.push(`word ${at}.`);
            comments.show(place, true);
            comments.write({ ...place, text: `word ${at}.` });
          }
          const box = comments.open.value.get(placeKey(on(from, from)));
          if (box) comments.extend(box.place, on(from, end));
          const said = comments.all.value.map(({ text }) => text).join("\n");
          for (const word of words) expect(said.split(word)).toHaveLength(2);
          const boxes = [...comments.open.value].map(([key, each]) => [key, each.place] as const);
          for (const [key, each] of boxes) expect(placeKey(each)).toBe(key);
          const shown = comments.all.value.map((each) => [placeKey(each), toPlace(each)] as const);
          expect(new Map(shown)).toEqual(new Map(boxes));
        }
        await comments.flush();
        expect([...kept.keys()].toSorted()).toEqual(comments.all.value.map(placeKey).toSorted());
        for (const comment of comments.all.value)
          expect(kept.get(placeKey(comment))).toEqual(comment);
      }),
      { numRuns },
    );
  });

  test("that say what lines are to be are joined to no other, and stay what they are by themselves", () => {
    for (const [isFirst, isSecond] of [
      [true, true],
      [true, false],
      [false, true],
    ] as const) {
      const { comments } = open();
      const two = { ...on(2, 2), text: "two", ...(isFirst && { instead: true }) };
      const five = { ...on(5, 5), text: "five", ...(isSecond && { instead: true }) };
      for (const comment of [two, five]) {
        comments.show(toPlace(comment), true);
        comments.write(comment);
      }
      expect(comments.extend(on(5, 5), on(2, 5))).toBe(false);
      expect(comments.all.value).toEqual([two, five]);
      expect([...comments.open.value.keys()]).toEqual([two, five].map(placeKey));
      // Nor by a box in which nothing is written.
      comments.show(on(8, 8), true);
      expect(comments.extend(on(8, 8), on(2, 8))).toBe(!isFirst);
    }
    const { comments } = open();
    comments.show(on(9, 9), true);
    comments.write({ ...on(9, 9), text: "nine", instead: true });
    expect(comments.extend(on(9, 9), on(7, 9))).toBe(true);
    expect(comments.all.value).toEqual([{ ...on(7, 9), text: "nine", instead: true }]);
  });

  test("are one only where the daemon takes so much of one, and so much of all", () => {
    const { comments } = open();
    const say = (line: number, chars: number) => {
      comments.show(on(line, line), true);
      comments.write({ ...on(line, line), text: "x".repeat(chars) });
    };
    say(2, 5000);
    say(5, 5000);
    expect(comments.extend(on(5, 5), on(2, 5))).toBe(false);
    expect(comments.all.value.map(({ line, text }) => [line, text.length])).toEqual([
      [2, 5000],
      [5, 5000],
    ]);
    say(5, 4999);
    expect(comments.extend(on(5, 5), on(2, 5))).toBe(true);
    expect(comments.all.value.map(({ text }) => text.length)).toEqual([10_000]);
    // Until the one is kept, the words of the other stand there twice.
    for (let at = 0; at < 8; at++) say(10 + at, 9999);
    say(20, 4000);
    say(21, 6000);
    expect(comments.extend(on(21, 21), on(20, 21))).toBe(false);
  });

  test("that are one are taken away from where they were only when that one is kept", async () => {
    const sent: Comment[] = [];
    let isDown = false;
    const draft = async (_id: string, comment: Comment) => {
      if (isDown && comment.text !== "") throw new TypeError("Failed to fetch");
      sent.push(comment);
    };
    const link = signal<LinkState>("live");
    const unkept = createUnkept({ draft, post: async () => ({}) }, link);
    const comments = createComments(unkept.drafts, "ap");
    for (const [line, text] of [
      [5, "five"],
      [2, "two"],
    ] as const) {
      comments.show(on(line, line), true);
      comments.write({ ...on(line, line), text });
    }
    await comments.flush();
    isDown = true;
    sent.length = 0;
    comments.extend(on(5, 5), on(2, 5));
    const joined = { ...on(2, 5), text: "two\nfive" };
    expect(comments.all.value).toEqual([joined]);
    await comments.flush();
    expect([sent, unkept.isLeft()]).toEqual([[], true]);
    isDown = false;
    await comments.flush();
    expect(sent).toEqual([joined, { ...on(5, 5), text: "" }]);
    expect(unkept.isLeft()).toBe(false);
  });

  test("show a hunk that is as before, and no other", () => {
    const hunk = (start: number) => {
      return { old_start: start, old_lines: 3, new_start: start + 1, new_lines: 3, same: true };
    };
    const texts = { before: null, after: null, hunks: [hunk(1), hunk(10), hunk(20)] };
    fc.assert(
      fc.property(anyLine, anyLine, fc.constantFrom("before", "after"), (one, other, side) => {
        const place = { ...on(one, other), side };
        const { hunks } = showSpoken(texts, ["a"], [{ id: "x", place }]);
        const shift = side === "after" ? 1 : 0;
        for (const [at, start] of [1, 10, 20].entries()) {
          const own = [0, 1, 2].map((more) => start + shift + more);
          const isOn = own.some((line) => isWithin(place, side, line));
          expect(hunks[at]?.same).toBe(!isOn);
        }
        expect(showSpoken(texts, ["b"], [{ id: "x", place }])).toBe(texts);
      }),
      { numRuns },
    );
  });

  test("stay where they stand while they become others, and stand below the last line that is shown", () => {
    const line = (at: number) => (at === 3 || at === 25 ? `new ${at}` : `line ${at}`);
    const side = (isAfter: boolean) =>
      Array.from({ length: 30 }, (_, at) => `${isAfter ? line(at) : `line ${at}`}\n`).join("");
    const hunk = (start: number) => ({
      old_start: start,
      old_lines: 7,
      new_start: start,
      new_lines: 7,
    });
    const texts = { before: side(false), after: side(true), hunks: [hunk(1), hunk(23)] };
    const shown = [
      ...Array.from({ length: 7 }, (_, at) => at + 1),
      ...Array.from({ length: 8 }, (_, at) => at + 23),
    ];
    fc.assert(
      fc.property(anyLine, anyLine, fc.boolean(), fc.boolean(), (one, other, isSplit, isOld) => {
        const { comments } = open();
        const place = { ...on(one, other), side: isOld ? "before" : "after" } as const;
        comments.show(place, true);
        const rows = rowsOf(texts, { isSplit, ignoresBlanks: false, opened: new Map() });
        const placed = withCommentRows(rows, ["a"], standingOf([], comments));
        expect(placed.filter(({ kind }) => kind !== "comment")).toEqual([...rows]);
        const at = placed.findIndex(({ kind }) => kind === "comment");
        const to = Math.max(one, other);
        const last = shown.findLast((each) => each >= place.line && each <= to);
        expect(at < 0).toBe(last === undefined);
        if (at < 0) return;
        const above = placed[at - 1];
        const own = linesIn(above).find((each) => each.side === (isOld ? "L" : "R"));
        expect(own?.line).toBe(last);
        comments.extend(place, { ...place, to: 30 });
        const later = withCommentRows(rows, ["a"], standingOf([], comments));
        expect(later.findIndex(({ kind }) => kind === "comment")).toBe(at);
      }),
      { numRuns },
    );
  });
});
