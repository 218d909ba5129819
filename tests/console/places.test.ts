import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMANDS, commandOf, type KeyPress } from "../../src/console/commands/keys.ts";
import { inTreeOrder, type TreeRow, treeRows } from "../../src/console/pages/review/tree.ts";
import { readRoute, renderRoute } from "../../src/console/route.ts";
import { runs } from "../support/long.ts";

const numRuns = runs(60, 3000);
const name = fc.constantFrom("src", "a", "b", "core", "__proto__", "constructor", " ", "\u202ex");
const files = fc
  .uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), { selector: (it) => it.join("/") })
  .map((paths) =>
    paths.map((parts, at) => ({
      path: [...parts, `f${at}`].join("/"),
      kind: "update",
      added: at,
      removed: at % 3,
    })),
  );

describe("treeRows()", () => {
  test("has each file once, below its folders, which add up what is in them", () => {
    fc.assert(
      fc.property(files, (given) => {
        const rows = treeRows(given, new Set());
        const shown = rows.flatMap((row) => (row.kind === "file" ? [row.path] : []));
        expect(shown.toSorted()).toEqual(given.map(({ path }) => path).toSorted());
        for (const row of rows) {
          if (row.kind === "file") continue;
          const inside = given.filter(({ path }) => path.startsWith(`${row.path}/`));
          expect(row.files).toBe(inside.length);
          expect(row.added).toBe(inside.reduce((sum, { added }) => sum + added, 0));
          expect(row.removed).toBe(inside.reduce((sum, { removed }) => sum + removed, 0));
        }
        expect(inTreeOrder(given).map(({ path }) => path)).toEqual(shown);
      }),
      { numRuns },
    );
  });

  test("leaves out what is in a closed folder, and nothing else", () => {
    fc.assert(
      fc.property(files, fc.nat(), (given, which) => {
        const all = treeRows(given, new Set());
        const folders = all.filter((row) => row.kind === "folder");
        const closed = folders[which % Math.max(1, folders.length)]?.path;
        if (closed === undefined) return;
        const rows = treeRows(given, new Set([closed]));
        const isIn = ({ path }: TreeRow) => path.startsWith(`${closed}/`);
        expect(rows.map(({ path }) => path)).toEqual(
          all.filter((row) => !isIn(row)).map(({ path }) => path),
        );
      }),
      { numRuns },
    );
  });

  test("shows a folder that is alone in another behind it", () => {
    const given = [
      { path: "src/core/a.ts", kind: "update", added: 1, removed: 0 },
      { path: "src/core/b.ts", kind: "update", added: 2, removed: 1 },
      { path: "z.md", kind: "update", added: 0, removed: 4 },
    ];
    const rows = treeRows(given, new Set());
    expect(rows.map(({ depth, name: shown, added }) => [depth, shown, added])).toEqual([
      [0, "src/core", 3],
      [1, "a.ts", 1],
      [1, "b.ts", 2],
      [0, "z.md", 0],
    ]);
  });
});

describe("treeRows() of folders that come or go", () => {
  const kinds = fc.constantFrom("mkdir", "rmdir", "create", "delete", "update");
  const given = fc
    .uniqueArray(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), kinds), {
      selector: ([parts, kind]) => `${kind} ${parts.join("/")}`,
    })
    .map((all) =>
      all.map(([parts, kind]) => ({ path: parts.join("/"), kind, added: 0, removed: 0 })),
    );

  test("has one row for each, which is that of the folder, and every file once", () => {
    fc.assert(
      fc.property(given, (entries) => {
        const rows = treeRows(entries, new Set());
        const folders = rows.filter(({ kind }) => kind === "folder").map(({ path }) => path);
        expect(new Set(folders).size).toBe(folders.length);
        const places = rows.flatMap((row) => {
          const at = row.kind === "file" ? row.file : row.own;
          return at === undefined ? [] : [at];
        });
        expect(places.toSorted((one, other) => one - other)).toEqual([...entries.keys()]);
        for (const row of rows) {
          if (row.kind === "folder" && row.own !== undefined) {
            expect(entries[row.own]?.path).toBe(row.path);
          }
        }
        expect(inTreeOrder(entries)).toHaveLength(entries.length);
      }),
      { numRuns },
    );
  });
});

describe("readRoute()", () => {
  test("reads what renderRoute() gives", () => {
    const place = fc.record({
      file: fc.nat(9999),
      side: fc.constantFrom("L" as const, "R" as const),
      line: fc.nat(999_999),
    });
    fc.assert(
      fc.property(fc.stringMatching(/^\w[\w.:-]{0,40}$/), fc.option(place), (id, at) => {
        const route = { page: "review" as const, id, ...(at && { place: at }) };
        const past = {
          page: "workspace" as const,
          name: id,
          part: "tx_1",
          ...(at && { place: at }),
        };
        for (const each of [route, past]) {
          const { pathname, hash } = new URL(renderRoute(each), "http://x");
          expect(readRoute(pathname, hash)).toEqual(each);
        }
      }),
      { numRuns },
    );
  });

  test("reads what a new conversation is to be about", () => {
    const anyName = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(anyName, (workspace) => {
        const { pathname, search } = new URL(renderRoute({ page: "chat", workspace }), "http://x");
        expect(readRoute(pathname, "", search)).toEqual({ page: "chat", workspace });
      }),
      { numRuns },
    );
  });

  test.each([
    "/reviewx",
    "/review/",
    "/review/a/b",
    "/review/%3Cscript%3E",
    "//evil",
    "/settings/a",
  ])("knows no page at %s", (path) => {
    expect(readRoute(path, "")).toEqual({ page: "unknown" });
  });

  test("takes no fragment for a line that is none", () => {
    for (const hash of ["", "#", "#login=x", "#1X2", "#1R", "#-1R2", "#1R99999999999"]) {
      expect(readRoute("/review/ap_1", hash)).toEqual({ page: "review", id: "ap_1" });
    }
    // What an undo would do has no lines that somebody else could be sent to.
    expect(readRoute("/workspaces/a/undo", "#1R2")).toEqual({
      page: "workspace",
      name: "a",
      part: "undo",
    });
  });
});

const KEY: KeyPress = {
  key: "a",
  code: "",
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  on: "nothing",
};

describe("commandOf()", () => {
  test("knows the keys of each page", () => {
    expect(commandOf(KEY, "review")).toBe("approve");
    expect(commandOf({ ...KEY, key: "F7" }, "review")).toBe("nextChange");
    expect(commandOf({ ...KEY, key: "F7", shiftKey: true }, "review")).toBe("previousChange");
    expect(commandOf({ ...KEY, key: "F7" }, "inbox")).toBeUndefined();
    expect(commandOf({ ...KEY, key: "?", shiftKey: true }, "inbox")).toBe("help");
  });

  test("leaves to the browser what has a modifier, and to a field what is typed there", () => {
    for (const modifier of ["ctrlKey", "altKey", "metaKey"] as const) {
      expect(commandOf({ ...KEY, [modifier]: true }, "review")).toBeUndefined();
    }
    for (const key of ["a", "r", "/", "j", "Enter"]) {
      expect(commandOf({ ...KEY, key, on: "text" }, "review")).toBeUndefined();
    }
    expect(commandOf({ ...KEY, key: "Escape", on: "text" }, "review")).toBe("close");
    expect(commandOf({ ...KEY, key: "F7", on: "text" }, "review")).toBe("nextChange");
    expect(commandOf({ ...KEY, key: "Enter", on: "button" }, "inbox")).toBeUndefined();
  });

  test("knows a letter by its place under a layout of another script, and signs by what they are", () => {
    const at = (key: string, code: string, more: Partial<KeyPress> = {}) =>
      commandOf({ ...KEY, key, code, ...more }, "review");
    expect(at("ф", "KeyA")).toBe("approve");
    expect(at("о", "KeyJ")).toBe("next");
    expect(at("ρ", "KeyR")).toBe("reject");
    expect(at("ש", "KeyA")).toBe("approve");
    expect(at("A", "KeyA")).toBe("approve"); // locked
    expect(at("A", "KeyA", { shiftKey: true })).toBeUndefined();
    for (const key of ["J", "О", "Ξ"])
      expect([key, at(key, "KeyJ", { shiftKey: true, repeat: true })]).toEqual([key, "extendDown"]);
    expect(at("J", "KeyJ", { shiftKey: true, on: "text" })).toBeUndefined();
    expect(at("ArrowUp", "ArrowUp", { shiftKey: true, on: "text" })).toBeUndefined();
    expect(at("ArrowUp", "ArrowUp", { shiftKey: true })).toBe("extendUp");
    expect(at("J", "KeyJ")).toBe("next"); // locked
    for (const key of ["j", "о", "ξ"])
      expect([key, at(key, "KeyJ", { shiftKey: true })]).toEqual([key, "extendDown"]); // and held
    expect(at("a", "KeyA", { shiftKey: true })).toBeUndefined();
    expect(at("Ф", "KeyA", { shiftKey: true })).toBeUndefined();
    // Other Latin layouts: what is written on the key counts.
    expect(at("q", "KeyA")).toBeUndefined();
    expect(at("a", "KeyQ")).toBe("approve");
    expect(at("é", "KeyA")).toBeUndefined();
    expect(at(".", "Slash")).toBeUndefined();
    expect(at("/", "Backslash", { shiftKey: true })).toBe("search");
    expect(at("?", "Digit7", { shiftKey: true })).toBe("help");
    expect(at("ф", "KeyA", { on: "text" })).toBeUndefined();
    expect(at("ф", "KeyA", { repeat: true })).toBeUndefined();
  });

  test("takes no key that is held down for a yes", () => {
    for (const [page, commands] of Object.entries(COMMANDS)) {
      const held = { ...KEY, repeat: true };
      expect([page, commands.length > 0]).toEqual([page, true]);
      expect(commandOf(held, "review")).toBeUndefined();
      expect(commandOf({ ...held, key: "r" }, "inbox")).toBeUndefined();
      expect(commandOf({ ...held, key: "j" }, "inbox")).toBe("next");
    }
  });
});

test("addresses of the page that Telegram opened stay below /app", () => {
  for (const [path, route] of [
    ["/app", { page: "inbox" }],
    ["/app/", { page: "inbox" }],
    ["/app/review/ap_1", { page: "review", id: "ap_1" }],
    ["/app/chat/http%3Amine", { page: "chat", session: "http:mine" }],
    ["/app/app", { page: "unknown" }],
    ["/apps", { page: "unknown" }],
  ] as const) {
    expect([path, readRoute(path, "")]).toEqual([path, route]);
  }
});
