import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { normalisePath } from "../../src/core/relative-path.ts";

const good: readonly (readonly [string, string])[] = [
  ["src/a.ts", "src/a.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["src/", "src"],
  ["src//a.ts", "src/a.ts"],
  ["app/[...slug].tsx", "app/[...slug].tsx"],
  ["a..b/c", "a..b/c"],
  [".gitignore", ".gitignore"],
  ["docs/Привет мир.md", "docs/Привет мир.md"],
  ["cafe\u0301.md", "caf\u00e9.md"],
  ["console.ts", "console.ts"],
  ["a~b", "a~b"],
];

const bad: readonly string[] = [
  "",
  ".",
  "./",
  "..",
  "../a",
  "a/../b",
  "a/..",
  "a/./b",
  "./../a",
  "././a",
  "/etc/passwd",
  ".//etc/passwd",
  "//server/share",
  "\\\\server\\share",
  "a\\..\\b",
  "C:\\Windows",
  "C:/Windows",
  "./c:/x",
  "~/x",
  "~root/x",
  "a\0b",
  "a\nb",
  "a\u007fb",
  "a\u202Eb",
  ".g\u200Cit/config",
  "a\uD800b",
  "\uFF0E\uFF0E/a",
  "\u2025/a",
  "a\uFF0Fb",
  "a/CON",
  "nul.txt",
  "Com1",
  "conin$",
  "a.txt:stream",
  "a\uFF1Ab",
  "a./b",
  "a /b",
];

describe("normalisePath()", () => {
  test.each([...good])("accepts %p as %p", (path, normal) => {
    expect(normalisePath(path)).toEqual({ ok: true, path: normal });
  });

  test.each([...bad])("refuses %p", (path) => {
    expect(normalisePath(path)).toMatchObject({ ok: false, code: "ERR_INVALID_PATH" });
  });

  test("counts 240 bytes, not characters", () => {
    expect(normalisePath("я".repeat(120)).ok).toBe(true);
    expect(normalisePath("я".repeat(121))).toMatchObject({ code: "ERR_PATH_TOO_LONG" });
  });

  test("shows no control character in its message", () => {
    const result = normalisePath("a\u001b[2Jb");
    expect(result.ok ? "" : result.message).not.toContain("\u001b");
  });

  test("keeps what it accepted, and never lets a segment climb", () => {
    const piece = fc.constantFrom("a", ".", "..", "/", "\\", "~", "C:", " ", "é", "e\u0301", "．");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const first = normalisePath(pieces.join(""));
        if (!first.ok) return;
        expect(normalisePath(first.path)).toEqual(first);
        expect(first.path).not.toMatch(/(^|\/)\.{0,2}(\/|$)|\\/);
      }),
    );
  });
});
