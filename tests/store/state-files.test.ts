import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { begunPath, copiesDir, copyPath, listCopies } from "../../src/store/open/state-files.ts";
import { readMark } from "../../src/store/open/state-mark.ts";
import { tempDir } from "../support/temp.ts";

const NOON = Date.parse("2026-05-01T12:34:56.789Z");

describe("listCopies()", () => {
  test("has the newest first, of one moment the newest shape, and nothing that is no copy", () => {
    using home = tempDir();
    expect(listCopies(home.path)).toEqual([]);
    mkdirSync(copiesDir(home.path));
    const made = [
      [NOON, 2],
      [NOON + 1, 1],
      [NOON - 86_400_000, 9],
      [NOON, 10],
    ] as const;
    for (const [at, version] of made) writeFileSync(copyPath(home.path, at, version), "");
    mkdirSync(copyPath(home.path, NOON, 3));
    for (const name of ["notes.txt", "state-2026-05-01T12-34-56.789Z-v1.db.part"])
      writeFileSync(`${copiesDir(home.path)}/${name}`, "");
    const path = copyPath(home.path, NOON + 1, 1);
    expect(basename(path)).toBe("state-2026-05-01T12-34-56.790Z-v1.db");
    const [newest, ...older] = listCopies(home.path);
    expect(newest).toEqual({ path, madeAt: NOON + 1, version: 1 });
    expect(older.map(({ madeAt, version }) => [madeAt, version])).toEqual([
      [NOON, 10],
      [NOON, 2],
      [NOON - 86_400_000, 9],
    ]);
  });
});

describe("readMark()", () => {
  test.each([
    ["rubbish", { version: 0, roots: {} }],
    ['{"version":"7","roots":{"plans":3}}', { version: 7, roots: { plans: 3 } }],
    ['{"version":7,"roots":null,"homeId":5}', { version: 7, roots: {} }],
    ['{"version":7,"roots":{},"homeId":"h"}', { homeId: "h", version: 7, roots: {} }],
  ])("reads %s", (text, expected) => {
    using home = tempDir();
    expect(readMark(home.path)).toEqual({ version: 0, roots: {} });
    writeFileSync(begunPath(home.path), text);
    expect(readMark(home.path)).toEqual(expected);
  });
});
