import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import * as fc from "fast-check";
import {
  type Comment,
  createUnkept,
  type FileEntry,
  type LeftPart,
  type LinkState,
  RefusedError,
} from "../../src/console/client/client.ts";
import { list } from "../../src/console/client/read-json.ts";
import { readLeftPart } from "../../src/console/client/revision.ts";
import { rowsOf } from "../../src/console/diff/diff.ts";
import { withCommentRows } from "../../src/console/pages/review/person/comment-rows.ts";
import { createComments } from "../../src/console/pages/review/person/comments.ts";
import {
  ALL,
  createPicking,
  isLeftOut,
  type Picks,
  toggleFile,
  toggleHunk,
  toParts,
} from "../../src/console/pages/review/person/picks.ts";
import { placeKey } from "../../src/console/pages/review/person/ranges.ts";
import {
  joinRenames,
  namesOf,
  toggleShown,
} from "../../src/console/pages/review/person/renames.ts";
import { createSeen } from "../../src/console/pages/review/person/seen.ts";
import { runs } from "../support/long.ts";
import { until } from "../support/patience.ts";

describe("ticks", () => {
  const FILE = { path: "a", seen: undefined } as const;

  test("wait while nobody answers, and are taken back where they are refused", async () => {
    const link = signal<LinkState>("offline");
    let answer: Error | undefined = new TypeError("Failed to fetch");
    const posted: unknown[] = [];
    const post = async (_path: string, body: unknown) => {
      if (answer) throw answer;
      posted.push(body);
      return {};
    };
    const unkept = createUnkept({ draft: async () => {}, post }, link);
    const seen = createSeen(unkept.ticks, "ap");
    const asOf = seen.marks();
    expect(await seen.mark("a", true)).toBeUndefined();
    seen.take([FILE], asOf);
    expect([...seen.of.value]).toEqual([["a", "same"]]);
    const again = createSeen(unkept.ticks, "ap");
    again.take([FILE], again.marks());
    expect([[...again.of.value], unkept.isLeft()]).toEqual([[["a", "same"]], true]);
    answer = undefined;
    link.value = "live";
    await until(() => !unkept.isLeft());
    expect(posted).toEqual([{ path: "a", seen: true }]);
    answer = new RefusedError(409, "it does not wait");
    expect(await again.mark("a", false)).toBe(answer);
    expect([unkept.isLeft(), [...again.of.value]]).toEqual([false, [["a", "same"]]]);
    // It is refused later, when nobody waits for it any more.
    answer = new TypeError("Failed to fetch");
    await again.mark("b", true);
    expect([...again.of.value.keys()]).toEqual(["a", "b"]);
    answer = new RefusedError(409, "it does not wait");
    await unkept.ticks.flush();
    expect([unkept.isLeft(), [...again.of.value.keys()]]).toEqual([false, ["a"]]);
  });
});

const FILES = [
  { path: "docs", kind: "mkdir" },
  { path: "docs/in", kind: "mkdir" },
  { path: "docs/in/a", kind: "create" },
  { path: "docs/b", kind: "create" },
  { path: "c", kind: "update" },
  { path: "old/d", kind: "delete" },
  { path: "old", kind: "rmdir" },
];
const anyPicks = fc
  .array(fc.tuple(fc.nat(FILES.length - 1), fc.option(fc.nat(3))), { maxLength: 12 })
  .map((presses) =>
    presses.reduce<Picks>((picks, [at, hunk]) => {
      const path = FILES[at]?.path ?? "";
      return hunk === null ? toggleFile(picks, FILES, path) : toggleHunk(picks, path, hunk);
    }, ALL),
  );

describe("picks", () => {
  test("never take in what cannot be without what is left out", () => {
    fc.assert(
      fc.property(anyPicks, (picks) => {
        const isOut = (path: string) => isLeftOut(picks, path);
        for (const folder of ["docs", "docs/in"]) {
          const inner = FILES.filter(({ path }) => path.startsWith(`${folder}/`));
          if (isOut(folder))
            for (const { path } of inner) expect([path, isOut(path)]).toEqual([path, true]);
        }
        if (isOut("old/d")) expect(isOut("old")).toBe(true);
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  test("are what a press says, each file once, hunks in their order", () => {
    const picks = toggleHunk(toggleHunk(toggleFile(ALL, FILES, "docs/b"), "c", 2), "c", 0);
    expect(toParts(picks)).toEqual([{ path: "docs/b" }, { path: "c", hunks: [0, 2] }]);
    expect(toParts(toggleHunk(toggleHunk(picks, "c", 0), "c", 2))).toEqual([{ path: "docs/b" }]);
    expect(toParts(toggleFile(picks, FILES, "docs/b"))).toEqual([{ path: "c", hunks: [0, 2] }]);
  });
});

describe("what is unticked", () => {
  test("is the same in every window once all is kept, whoever said what and when", async () => {
    const step = fc.tuple(fc.nat(1), fc.nat(FILES.length - 1), fc.option(fc.nat(2)), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const daemon = new Map<string, LeftPart>();
        let isDown = false;
        const post = async (_path: string, body: Readonly<Record<string, unknown>>) => {
          if (isDown) throw new TypeError("Failed to fetch");
          for (const part of list(body["unticked"]).map(readLeftPart)) {
            if (part.hunks?.length === 0) daemon.delete(part.path);
            else daemon.set(part.path, part);
          }
        };
        const windows = [0, 1].map(() => {
          const link = signal<LinkState>("live");
          const { unticked } = createUnkept({ draft: async () => {}, post }, link);
          return { link, unticked, picking: createPicking(unticked, "ap") };
        });
        const read = ({ picking }: (typeof windows)[number]) =>
          picking.take([...daemon.values()], picking.turns());
        for (const [at, file, hunk, goesDown] of steps) {
          const own = windows[at];
          const path = FILES[file]?.path ?? "";
          if (!own) continue;
          isDown = goesDown;
          const before = own.picking.now.value;
          const next =
            hunk === null ? toggleFile(before, FILES, path) : toggleHunk(before, path, hunk);
          own.picking.set(next);
          expect(toParts(own.picking.now.value).toSorted(byPath)).toEqual(
            toParts(next).toSorted(byPath),
          );
          await own.unticked.flush();
          if (!goesDown) for (const each of windows) read(each);
        }
        isDown = false;
        for (const { unticked } of windows) await unticked.flush();
        windows.forEach(read);
        const shown = windows.map(({ picking }) => toParts(picking.now.value).toSorted(byPath));
        expect(shown[0]).toEqual(shown[1] ?? []);
        expect(shown[0]).toEqual([...daemon.values()].toSorted(byPath));
      }),
      { numRuns: runs(100, 2000) },
    );
  });
});

const byPath = (one: LeftPart, other: LeftPart) => (one.path < other.path ? -1 : 1);

describe("renames", () => {
  const entry = (
    n: number,
    kind: string,
    path: string,
    more: Partial<FileEntry> = {},
  ): FileEntry => ({
    n,
    kind,
    path,
    added: 3,
    removed: 0,
    binary: false,
    generated: false,
    isGone: false,
    size_before: undefined,
    size_after: undefined,
    mode_before: undefined,
    mode_after: undefined,
    since: undefined,
    seen: undefined,
    renamed_from: undefined,
    renamed_to: undefined,
    ...more,
  });
  const RENAMED = [
    entry(0, "mkdir", "new"),
    entry(1, "create", "new/a", { renamed_from: { n: 4, added: 1, removed: 2 } }),
    entry(2, "create", "new/b", { renamed_from: { n: 5, added: 0, removed: 0 } }),
    entry(3, "update", "c"),
    entry(4, "delete", "old/a", { renamed_to: 1, mode_before: "644" }),
    entry(5, "delete", "old/b", { renamed_to: 2 }),
    entry(6, "rmdir", "old"),
  ];

  test("are one file with two names, and nothing else is another", () => {
    const shown = joinRenames(RENAMED);
    expect(shown.flatMap(namesOf).toSorted()).toEqual(RENAMED.map(({ path }) => path).toSorted());
    expect(shown[1]).toMatchObject({
      n: 1,
      kind: "rename",
      added: 1,
      removed: 2,
      mode_before: "644",
      old: { path: "old/a", n: 4 },
    });
    // What names a file that is not there, or that names another, is what it says it is.
    const half = RENAMED.filter(({ n }) => n !== 4);
    expect(joinRenames(half).flatMap(namesOf)).toHaveLength(half.length);
    const odd = [
      entry(0, "create", "x", { renamed_from: { n: 1, added: 0, removed: 0 } }),
      entry(1, "delete", "y", { renamed_to: 7 }),
    ];
    expect(joinRenames(odd)).toEqual(odd);
  });

  test("are left out and taken in with both names, whatever goes with them", () => {
    const shown = joinRenames(RENAMED);
    fc.assert(
      fc.property(fc.array(fc.nat(shown.length - 1), { maxLength: 12 }), (presses) => {
        let picks = ALL;
        for (const at of presses) {
          const file = shown[at];
          if (!file) continue;
          const wasOut = isLeftOut(picks, file.path);
          picks = toggleShown(picks, RENAMED, shown, file);
          expect(isLeftOut(picks, file.path)).toBe(!wasOut);
          for (const each of shown) {
            const states = namesOf(each).map((name) => isLeftOut(picks, name));
            expect([each.path, new Set(states).size]).toEqual([each.path, 1]);
          }
        }
      }),
      { numRuns: runs(200, 5000) },
    );
  });
});

describe("comments", () => {
  const at = (line: number, text: string) => ({ path: "a", side: "after", line, text }) as const;
  const open = () => {
    const sent: Comment[] = [];
    let isDown = false;
    const draft = async (_id: string, comment: Comment) => {
      if (isDown) throw new Error("offline");
      sent.push(comment);
    };
    const link = signal<LinkState>("live");
    const unkept = createUnkept({ draft, post: async () => ({}) }, link);
    return {
      sent,
      comments: createComments(unkept.drafts, "ap"),
      again: () => createComments(unkept.drafts, "ap"),
      link,
      unkept,
      setDown: (to: boolean) => (isDown = to),
    };
  };

  test("are kept with their last text, each place by itself", async () => {
    const { sent, comments } = open();
    for (const text of ["n", "no", "not so"]) comments.write(at(1, text));
    comments.write(at(2, "x"));
    comments.write(at(2, ""));
    await comments.flush();
    expect(sent).toEqual([at(1, "not so"), at(2, "")]);
    expect(comments.all.value).toEqual([at(1, "not so")]);
    await comments.flush();
    expect(sent).toHaveLength(2);
  });

  test("that could not be kept say so, stay, and are kept as soon as they can be", async () => {
    const { sent, comments, setDown } = open();
    setDown(true);
    comments.write(at(1, "x"));
    await comments.flush();
    expect(comments.failure.value).toBe("offline");
    comments.take([at(1, "older")], comments.writes());
    expect(comments.all.value).toEqual([at(1, "x")]);
    setDown(false);
    await comments.flush();
    expect([sent, comments.failure.value]).toEqual([[at(1, "x")], undefined]);
    comments.take([at(1, "from before it was written")], comments.writes() - 1);
    expect(comments.all.value).toEqual([at(1, "x")]);
    comments.take([at(1, "of another window")], comments.writes());
    expect(comments.all.value).toEqual([at(1, "of another window")]);
    expect([...comments.open.value.keys()]).toContain(placeKey(at(1, "")));
  });

  test("are kept as soon as the link is live again, whatever place is shown by then", async () => {
    const { sent, comments, again, link, unkept, setDown } = open();
    setDown(true);
    link.value = "offline";
    comments.write(at(1, "x"));
    comments.write(at(2, "y"));
    comments.write(at(3, "z"));
    comments.write(at(3, ""));
    await comments.flush();
    expect([sent, unkept.isLeft()]).toEqual([[], true]);
    // Somebody went elsewhere and is back, before the daemon is.
    const back = again();
    back.take([at(2, "older"), at(3, "of before"), at(4, "w")], back.writes());
    expect(back.all.value).toEqual([at(2, "y"), at(4, "w"), at(1, "x")]);
    expect([...back.open.value.keys()].toSorted()).toEqual(back.all.value.map(placeKey).toSorted());
    // What was asked before it was kept does not take it away.
    const asOf = back.writes();
    setDown(false);
    link.value = "live";
    await until(() => !unkept.isLeft());
    expect(sent).toEqual([at(1, "x"), at(2, "y"), at(3, "")]);
    back.take([at(4, "w")], asOf);
    expect(back.all.value.map(({ text }) => text).toSorted()).toEqual(["w", "x", "y"]);
    expect(back.failure.value).toBeUndefined();
    back.take([], back.writes());
    expect(back.all.value).toEqual([]);
  });

  test("that are refused stay, are said to be, and no other is held up by them", async () => {
    const link = signal<LinkState>("live");
    const sent: string[] = [];
    const draft = async (id: string) => {
      if (id === "gone") throw new RefusedError(404, "it is over");
      sent.push(id);
    };
    const unkept = createUnkept({ draft, post: async () => ({}) }, link);
    const [gone, other] = ["gone", "here"].map((id) => createComments(unkept.drafts, id));
    gone?.write(at(1, "x"));
    other?.write(at(1, "y"));
    await other?.flush();
    expect([gone?.failure.value, other?.failure.value]).toEqual(["it is over", undefined]);
    expect([sent, gone?.all.value, unkept.isLeft()]).toEqual([["here"], [at(1, "x")], true]);
    expect([gone?.refused.value, other?.refused.value]).toEqual([[at(1, "x")], []]);
    gone?.dropRefused();
    expect([gone?.all.value, gone?.failure.value, unkept.isLeft()]).toEqual([[], undefined, false]);
  });

  test("under somebody's hands keep their words, which are those that are sent, until they are let go", () => {
    const { comments } = open();
    const [place, read] = [
      at(1, ""),
      (text: string) => comments.take([at(1, text)], comments.writes()),
    ];
    const key = placeKey(place);
    const now = () => [
      comments.all.value.map(({ text }) => text),
      comments.elsewhere.value.has(key),
    ];
    read("one");
    comments.hold(place);
    read("two");
    expect(now()).toEqual([["one"], true]);
    comments.release(place);
    read("three");
    expect(now()).toEqual([["one"], true]);
    comments.takeThose(place);
    expect(now()).toEqual([["three"], false]);
    comments.hold(place);
    comments.take([], comments.writes());
    expect(now()).toEqual([["three"], true]);
    comments.write(at(1, "four"));
    expect(now()).toEqual([["four"], false]);
    comments.release(place);
    comments.take([at(1, "five")], comments.writes());
    // It is not kept yet: what the daemon has is from before.
    expect(now()).toEqual([["four"], false]);
    // A box that nobody wrote in has no words to keep.
    const other = at(2, "");
    comments.hold(other);
    comments.release(other);
    comments.take([at(2, "elsewhere")], comments.writes());
    expect(comments.all.value).toContainEqual(at(2, "elsewhere"));
  });

  test("are sent once where they are refused or nobody answers, until something is another", async () => {
    const link = signal<LinkState>("live");
    let answer: Error | undefined = new RefusedError(409, "it does not wait");
    const tried: string[] = [];
    const draft = async (_id: string, { text }: Comment) => {
      tried.push(text);
      if (answer) throw answer;
    };
    const unkept = createUnkept({ draft, post: async () => ({}) }, link);
    const comments = createComments(unkept.drafts, "ap");
    const write = async (comment: Comment) => {
      comments.write(comment);
      await comments.flush();
    };
    await write(at(1, "a"));
    await write(at(2, "b"));
    await comments.flush();
    expect(tried.splice(0)).toEqual(["a", "b"]);
    // Who empties the box wants it gone, and it is, whatever the daemon says.
    for (const line of [1, 2]) await write(at(line, ""));
    expect([tried.splice(0), unkept.isLeft(), comments.failure.value]).toEqual([
      ["", ""],
      false,
      undefined,
    ]);
    answer = new TypeError("Failed to fetch");
    link.value = "offline";
    for (const text of ["c", "d", "e"]) await write(at(text.charCodeAt(0), text));
    await write(at("c".charCodeAt(0), "c more"));
    expect(tried.splice(0)).toEqual(["c", "d", "e"]);
    expect(comments.failure.value).toBe("Failed to fetch");
    // Whoever is signed out is not asked again and again; the words wait for the next sign-in.
    answer = new RefusedError(401, "sign in");
    link.value = "live";
    await comments.flush();
    expect([unkept.isLeft(), comments.refused.value]).toEqual([true, []]);
    tried.splice(0);
    answer = undefined;
    await comments.flush();
    expect([tried, unkept.isLeft()]).toEqual([["c more", "d", "e"], false]);
  });

  test("stand below their lines in both layouts, those about the file before all", () => {
    const texts = {
      before: "one\ntwo\n",
      after: "one\n2\n",
      hunks: [{ old_start: 1, old_lines: 2, new_start: 1, new_lines: 2 }],
    };
    const places = [
      { path: "a" },
      at(2, ""),
      { path: "a", side: "before", line: 2 } as const,
      { path: "b" },
    ];
    const standing = places.map((place) => ({ id: placeKey(place), place }));
    const keys = places.slice(0, 3).map(placeKey);
    for (const isSplit of [false, true]) {
      const rows = rowsOf(texts, { isSplit, ignoresBlanks: false, opened: new Map() });
      const placed = withCommentRows(rows, ["a"], standing);
      expect(placed.filter(({ kind }) => kind !== "comment")).toEqual([...rows]);
      const found = placed.flatMap((row) => (row.kind === "comment" ? row.of : []));
      expect(found[0]).toBe(keys[0] ?? "");
      expect(found.toSorted()).toEqual(keys.toSorted());
    }
  });

  test("of the version before hide nothing but the hunks that it had as well", () => {
    const line = (at_: number, word = "same") => `${word} ${at_}\n`;
    const before = Array.from({ length: 30 }, (_, n) => line(n)).join("");
    const after = Array.from({ length: 30 }, (_, n) =>
      line(n, n === 2 || n === 25 ? "new" : "same"),
    ).join("");
    const hunk = (start: number, same: boolean) => ({
      old_start: start,
      old_lines: 7,
      new_start: start,
      new_lines: 7,
      same,
    });
    const texts = {
      before,
      after,
      hunks: [{ ...hunk(1, true), old_lines: 6, new_lines: 6 }, hunk(23, false)],
    };
    const layout = { isSplit: false, ignoresBlanks: false, opened: new Map(), isSince: true };
    const rows = rowsOf(texts, layout);
    expect(rows[0]).toEqual({ kind: "hunk", hunk: 0, isHidden: true });
    const added = rows.flatMap((row) =>
      row.kind === "line" && row.line.kind === "add" ? [row.line] : [],
    );
    expect(added).toMatchObject([{ new: 26, text: "new 25" }]);
  });
});
