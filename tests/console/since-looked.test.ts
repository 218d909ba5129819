import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { createClient, createUnkept, type LinkState } from "../../src/console/client/client.ts";
import { createReview, isAt, type Review } from "../../src/console/pages/review/model/model.ts";
import { createFinder, findLine, isTextHidden } from "../../src/console/pages/review/walk.ts";
import { type Scene, type SceneFile, toFile, toSet } from "../support/console-server.ts";

const findText = createFinder();

const lines = (word: string) =>
  Array.from({ length: 60 }, (_, at) => (at % 20 === 10 ? `${word} ${at}\n` : `line ${at}\n`)).join(
    "",
  );
const FILES: readonly SceneFile[] = [
  { path: "a.ts", before: lines("was"), after: lines("is") },
  { path: "b.ts", before: lines("was"), after: lines("is") },
  { path: "c.ts", before: "", after: "c\n" },
  { path: "d.ts", before: "", after: "d\n" },
  { path: "e.lock", before: "", after: "e\n", generated: true },
];
const LOOKED = { looked: true, gone: [], comments: [] };
const SINCE = ["changed", "same", "new", "same", "changed"];

/** A review of what took the place of another; each file with more that is known of it. */
async function begin(
  previous: Readonly<Record<string, unknown>>,
  more: readonly Partial<SceneFile>[] = SINCE.map((since) => ({ since })),
  isPage = true,
): Promise<Review> {
  const scene: Scene = {
    id: "ap",
    workspace: "site",
    goal: "",
    summary: "",
    files: FILES.map((file, at) => Object.assign({}, file, more[at])),
    more: { state: "waiting", previous: { approval_id: "b", ...previous } },
  };
  const client = createClient({
    fetch: async (path) => {
      const [, n] = /files\/(\d+)/u.exec(path) ?? [];
      return Response.json(n === undefined ? toSet(scene) : toFile(scene, Number(n)));
    },
    secrets: { get: () => null, set() {}, clear() {} },
    pause: async () => {},
    onSignedOut() {},
  });
  const parts = { client, unkept: createUnkept(client, signal<LinkState>("live")) };
  const review = createReview(parts, "ap", false, isPage);
  await review.source.load();
  return review;
}

/** What is open of it, and whether it shows only what is different. */
const shownOf = (review: Review) => ({
  isSince: review.layout.isSince.value,
  open: review.files().flatMap(({ entry, isOpen }) => (isOpen ? [entry.path] : [])),
});
const with_ = (seen: Readonly<Record<number, string>>, since = SINCE) =>
  since.map((each, at) => ({ since: each, ...(seen[at] !== undefined && { seen: seen[at] }) }));
const ALL = ["a.ts", "b.ts", "c.ts", "d.ts"];
const SAID = { path: "b.ts", side: "after", line: 11, text: "no" } as const;

describe("a review of what took the place of another", () => {
  test("begins with what is different since a person looked, and all in which they never were", async () => {
    const begun = async (...given: Parameters<typeof begin>) => shownOf(await begin(...given));
    expect(await begun(LOOKED)).toEqual({ isSince: true, open: ALL });
    const seen = with_({ 1: "same", 3: "same" });
    expect(await begun(LOOKED, seen)).toEqual({ isSince: true, open: ["a.ts", "c.ts"] });
    // The tick of another content is none of this one.
    const before = with_({ 0: "changed", 1: "same", 3: "changed" });
    expect(await begun(LOOKED, before)).toEqual({ isSince: true, open: ["a.ts", "c.ts", "d.ts"] });
    // Not where nobody looked, nothing is different or known, nor in the list, which has no way back.
    const whole = { isSince: false, open: ALL };
    expect(await begun({ ...LOOKED, looked: false })).toEqual(whole);
    expect(await begun({ looked: true, comments: [] })).toEqual(whole);
    const same = with_(
      {},
      SINCE.map(() => "same"),
    );
    expect(await begun(LOOKED, same)).toEqual(whole);
    expect(await begun(LOOKED, undefined, false)).toEqual(whole);
    expect(await begun({ ...LOOKED, gone: ["x"] }, same)).toEqual({ isSince: true, open: ALL });
  });

  test("is where it began after its button was pressed twice", async () => {
    for (const previous of [
      LOOKED,
      { ...LOOKED, comments: [SAID] },
      { ...LOOKED, looked: false, comments: [SAID] },
    ]) {
      const review = await begin(previous, with_({ 3: "same" }));
      review.opening.showSince(true);
      const first = shownOf(review);
      review.opening.showSince(false);
      review.opening.showSince(true);
      expect(shownOf(review)).toEqual(first);
      // A lock file is not opened by it, nor is what they said something of shut.
      expect(first.open).not.toContain("e.lock");
      expect(first.open.includes("b.ts")).toBe(previous.looked || previous.comments.length > 0);
    }
    const review = await begin(LOOKED, with_({ 3: "same" }));
    const first = shownOf(review);
    review.opening.showSince(false);
    review.opening.showSince(true);
    expect(shownOf(review)).toEqual(first);
  });

  test("hides the changes that were there before only in files in which they were", async () => {
    const hidden = async (previous: typeof LOOKED, seen?: string) => {
      const more = [{ since: "changed", same: [0, 2], ...(seen !== undefined && { seen }) }];
      const review = await begin(previous, more);
      review.opening.showSince(true);
      await review.source.loadFile(0);
      const rows = review.files()[0]?.laid.rows ?? [];
      return rows.flatMap((row) => (row.kind === "hunk" && row.isHidden ? [row.hunk] : []));
    };
    expect(await hidden(LOOKED)).toEqual([]);
    expect(await hidden(LOOKED, "changed")).toEqual([0, 2]);
    expect(await hidden({ ...LOOKED, looked: false })).toEqual([0, 2]);
    const said = { ...SAID, path: "a.ts" };
    expect(await hidden(Object.assign({}, LOOKED, { comments: [said] }))).toEqual([2]);
  });

  const PARTLY = [{ since: "changed", seen: "changed", same: [0, 2] }];

  test("shows a line to which somebody is sent, also one that is as when they looked", async () => {
    for (const [place, isShown] of [
      [{ file: 0, side: "R", line: 11 }, true],
      [{ file: 0, side: "L", line: 51 }, true],
      [{ file: 0, side: "R", line: 31 }, false],
      [{ file: 0, side: "R", line: 22 }, false],
    ] as const) {
      const review = await begin(LOOKED, PARTLY);
      expect(review.layout.isSince.value).toBe(true);
      const cursor = await findLine(review, place);
      const row = review.files()[cursor?.file ?? -1]?.laid.rows[cursor?.row ?? -1];
      expect([place, row && isAt(row, { side: place.side, line: place.line })]).toEqual([
        place,
        true,
      ]);
      expect([place, review.files()[0]?.isOpen, review.layout.isSince.value]).toEqual([
        place,
        true,
        !isShown,
      ]);
    }
  });

  test("knows of words that stand in nothing but what it hides", async () => {
    const review = await begin(LOOKED, PARTLY);
    await review.source.loadFile(0);
    for (const [query, isFound, isHidden] of [
      ["IS 10", false, true],
      ["was 50", false, true],
      ["is 30", true, false],
      ["nowhere", false, false],
    ] as const) {
      const found = findText(review.files(), query).length > 0;
      expect([query, found, isTextHidden(review.files(), query)]).toEqual([
        query,
        isFound,
        isHidden,
      ]);
    }
    review.opening.showSince(false);
    expect(isTextHidden(review.files(), "is 10")).toBe(false);
    expect(findText(review.files(), "is 10")).toHaveLength(1);
  });
});
