import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { createClient, createUnkept, type LinkState } from "../../src/console/client/client.ts";
import {
  charsShown,
  createReview,
  type Review,
} from "../../src/console/pages/review/model/model.ts";
import { createFinder, findLine, placeOf } from "../../src/console/pages/review/walk.ts";
import { type Scene, toFile, toSet } from "../support/console-server.ts";

const findText = createFinder();

const LONG = "x".repeat(90_000);
const lines = (word: string) =>
  Array.from({ length: 60 }, (_, at) => (at % 20 === 10 ? `${word} ${at}` : `line ${at}`));
const SCENE: Scene = {
  id: "ap",
  workspace: "site",
  goal: "",
  summary: "",
  files: [
    { path: "a.ts", before: `${lines("was").join("\n")}\n`, after: `${lines("is").join("\n")}\n` },
    { path: "blanks.ts", before: "if (a)\n  b\n  c\n", after: "if (a) {\n    b\n  c\n}\n" },
    { path: "bun.lock", before: "a@1\n", after: "a@2\nneedle\n", generated: true },
    { path: "drawing.svg", before: "<svg/>\n", after: "<svg>needle</svg>\n" },
    { path: "long.txt", before: "a\nsame\n", after: `b\n${LONG}\nsame\n` },
  ],
};

/** A review whose files are all read. */
async function readReview(scene: Scene, isSplit: boolean, isPage = false): Promise<Review> {
  let shown = scene;
  const client = createClient({
    fetch: async (path) => {
      const [, n] = /files\/(\d+)/u.exec(path) ?? [];
      return Response.json(n === undefined ? toSet(shown) : toFile(shown, Number(n)));
    },
    secrets: { get: () => null, set() {}, clear() {} },
    pause: async () => {},
    onSignedOut() {},
  });
  const review = createReview(
    { client, unkept: createUnkept(client, signal<LinkState>("live")) },
    "ap",
    isSplit,
    isPage,
  );
  await review.source.load();
  for (const at of review.files().keys()) await review.source.loadFile(at);
  shown = { ...scene, files: scene.files.slice(1), more: { digest: "other" } };
  return review;
}

/** Where a person is, as the address of it says. */
const addressOf = ({ files, position }: Review) => {
  const cursor = position.cursor();
  return cursor && placeOf(files(), cursor);
};

describe("a place in a review", () => {
  test("is open for whoever is led to it, also where the file was seen, generated or a picture", async () => {
    const review = await readReview(SCENE, false);
    const found = findText(review.files(), "needle");
    expect(found.map(({ file }) => review.files()[file]?.entry.path)).toEqual([
      "bun.lock",
      "drawing.svg",
    ]);
    const [lock, drawing] = found.map(({ file }) => file);
    review.opening.showPicture(drawing ?? -1, true);
    expect(review.files()[lock ?? -1]?.isOpen).toBe(false);
    for (const cursor of found) {
      review.position.goTo(cursor);
      const file = review.files()[cursor.file];
      expect([file?.isOpen, file?.isPicture]).toEqual([true, false]);
      expect(review.position.cursor()).toEqual(cursor);
    }
    // At its head a person stands before what is closed.
    review.opening.toggle(lock ?? -1, false);
    review.position.goTo({ file: lock ?? -1, row: -1 });
    expect(review.files()[lock ?? -1]?.isOpen).toBe(false);
  });

  test("is the same line whatever lays the rows anew", async () => {
    for (const isSplit of [false, true]) {
      const review = await readReview(SCENE, isSplit);
      const { layout, opening, position } = review;
      const changes: readonly (() => void)[] = [
        () => (layout.isSplit.value = !layout.isSplit.value),
        () => (layout.ignoresBlanks.value = !layout.ignoresBlanks.value),
        () => opening.openFold(0, 0, { top: 2 }),
        () => opening.openFold(0, 1, { top: 99 }),
        () => opening.comment({ path: "a.ts", side: "after", line: 11 }),
        () => opening.showSince(true),
        () => opening.showSince(false),
      ];
      for (const place of [
        { file: 0, side: "R", line: 31 },
        { file: 1, side: "R", line: 2 },
      ] as const) {
        const cursor = await findLine(review, place);
        position.goTo(cursor ?? { file: -1, row: -1 });
        for (const change of changes) {
          change();
          layout.relay();
          expect(addressOf(review)).toEqual(place);
        }
      }
      layout.ignoresBlanks.value = false;
      layout.isSplit.value = false;
      layout.relay();
      const gone = await findLine(review, { file: 0, side: "L", line: 31 });
      position.goTo(gone ?? { file: -1, row: -1 });
      expect(addressOf(review)).toEqual({ file: 0, side: "L", line: 31 });
    }
  });

  test("goes with its file when others come or go, and is none when that goes", async () => {
    const review = await readReview(SCENE, false);
    const [cursor] = findText(review.files(), "needle");
    review.position.goTo(cursor ?? { file: -1, row: -1 });
    await review.source.load();
    const at = review.files().findIndex(({ entry }) => entry.path === "bun.lock");
    expect(review.position.cursor()).toEqual({ file: at, row: -1 });
    await review.source.loadFile(at);
    expect(review.position.cursor()?.row).toBe(cursor?.row ?? -2);
    const other = await readReview(SCENE, false);
    other.position.goTo({ file: 0, row: -1 });
    await other.source.load();
    expect(other.position.cursor()).toBeUndefined();
  });
});

test("what is open of a long line stays open when rows are laid anew", async () => {
  const review = await readReview(SCENE, false);
  const at = review.files().findIndex(({ entry }) => entry.path === "long.txt");
  const shown = () => {
    const { files } = review;
    const rows = files()[at]?.laid.rows ?? [];
    const row = findText(files(), "xxxx")[0]?.row ?? -1;
    const open = rows.flatMap((each, number) => {
      const file = files()[at];
      return file && charsShown(file, each) > 2000 ? [number] : [];
    });
    return { row, open };
  };
  review.opening.showLonger(at, shown().row);
  expect(shown().open).toEqual([shown().row]);
  const before = shown().row;
  review.layout.isSplit.value = true;
  review.layout.relay();
  expect(shown().row).not.toBe(before);
  expect(shown().open).toEqual([shown().row]);
});

test("an answer that a later one has overtaken is not what a review shows", async () => {
  const asked: ((digest: string) => void)[] = [];
  const client = createClient({
    fetch: async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      asked.push(resolve);
      return Response.json(toSet({ ...SCENE, more: { digest: await promise } }));
    },
    secrets: { get: () => null, set() {}, clear() {} },
    pause: async () => {},
    onSignedOut() {},
  });
  const parts = { client, unkept: createUnkept(client, signal<LinkState>("live")) };
  const { source } = createReview(parts, "ap", false);
  const loads = [source.load(), source.load()];
  asked[1]?.("now");
  await loads[1];
  asked[0]?.("before");
  await loads[0];
  expect(source.set.value?.digest).toBe("now");
});

test("a search looks into the lines of a file once, however many others are read meanwhile", () => {
  let looks = 0;
  const line = (text: string) => {
    return {
      kind: "same" as const,
      old: 1,
      new: 1,
      get text() {
        looks += 1;
        return text;
      },
    };
  };
  const fileOf = (text: string) => {
    const rows = [{ kind: "line" as const, line: line(text) }];
    return { laid: { rows } };
  };
  const find = createFinder();
  const files: ReturnType<typeof fileOf>[] = [];
  for (let read = 0; read < 100; read++) {
    files.push(fileOf(`needle ${read}`));
    expect(find(files, "Needle")).toHaveLength(read + 1);
  }
  expect(looks).toBe(100);
  expect(find(files, "needle 99")).toEqual([{ file: 99, row: 0 }]);
  expect(looks).toBe(200);
});
