import { describe, expect, test } from "bun:test";
import { renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type LineAt, readBack } from "../../src/system/logs/read-back.ts";
import { tempDir } from "../support/temp.ts";

const endOf = (path: string) => {
  const { ino, size } = statSync(path);
  return { ino, offset: size };
};

describe("readBack()", () => {
  test("gives the lines of all files, whatever their lengths, in pages of any size", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 30 }).map((text) => text.replaceAll("\n", "я")),
      fc.integer({ min: 65_530, max: 65_540 }).map((length) => "x".repeat(length)),
      fc.integer({ min: 1, max: 90_000 }).map((length) => "ж".repeat(length)),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        (older, newer, size) => {
          using dir = tempDir();
          const path = join(dir.path, "x.log");
          writeFileSync(`${path}.1`, older.map((each) => `${each}\n`).join(""));
          writeFileSync(path, newer.map((each) => `${each}\n`).join(""));
          const found: LineAt[] = [];
          for (let before = endOf(path); ; ) {
            const page: LineAt[] = [];
            for (const each of readBack(path, before)) {
              if (page.push(each) === size) break;
            }
            const [last] = page.slice(-1);
            if (!last) break;
            found.push(...page);
            before = last.at;
          }
          const all = [...older, ...newer];
          expect(found.map(({ text }) => text).toReversed()).toEqual(all);
          const sizes = found.map(({ sizeBytes }) => sizeBytes).toReversed();
          expect(sizes).toEqual(all.map((each) => Buffer.byteLength(each) + 1));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("gives of a line of a megabyte its beginning and its size", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(path, `first\n${"a".repeat(2 ** 20)}\nlast\n`);
    const [last, long, first] = [...readBack(path, endOf(path))];
    expect([first?.text, last?.text]).toEqual(["first", "last"]);
    expect(long?.text === "a".repeat(2 ** 18)).toBe(true);
    expect(long?.sizeBytes).toBe(2 ** 20 + 1);
  });

  test("goes on where a page ended though the file was set aside, and knows no place that is gone", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(path, "a\nb\nc\n");
    const [newest] = readBack(path, endOf(path));
    expect(newest?.text).toBe("c");
    renameSync(path, `${path}.1`);
    writeFileSync(path, "d\n");
    const before = newest?.at ?? { ino: 0, offset: 0 };
    expect([...readBack(path, before)].map(({ text }) => text)).toEqual(["b", "a"]);
    expect([...readBack(path, { ino: 1, offset: 5 })]).toEqual([]);
  });
});
