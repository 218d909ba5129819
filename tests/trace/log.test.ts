import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { LogValue } from "../../src/core/log.ts";
import { createLog } from "../../src/trace/log.ts";
import { anyCharacter } from "../support/any-character.ts";

function lineOf(fields?: Readonly<Record<string, LogValue>>): string {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => lines.push(line),
    redact: (text) => text.replaceAll("hunter2", "[secret]"),
    now: () => Date.UTC(2026, 10, 21, 8),
  });
  log("APPLY_SUCCESS", fields);
  return lines.join("");
}

describe("createLog()", () => {
  test("writes one line with instant, event and fields", () => {
    expect(lineOf({ path: "src/a.ts", count: 3, ok: true, why: "two words", none: null })).toBe(
      '2026-11-21T08:00:00.000Z [trace] APPLY_SUCCESS path=src/a.ts count=3 ok=true why="two words" none=null\n',
    );
  });

  test("needs no fields, and leaves undefined ones out", () => {
    expect(lineOf()).toBe("2026-11-21T08:00:00.000Z [trace] APPLY_SUCCESS\n");
    expect(lineOf({ a: undefined, b: 1 })).toEndWith("APPLY_SUCCESS b=1\n");
  });

  test.each([
    ["", '""'],
    ["a=b", '"a=b"'],
    ['say "x"', String.raw`"say \"x\""`],
    ["a\\b", String.raw`"a\\b"`],
    ["a\nb\r\u001b[31m", String.raw`"a\nb\r\u001b[31m"`],
    ["a\u2028b\u0085", String.raw`"a\u{2028}b\u{85}"`],
    ["evil\u202etxt.exe", String.raw`"evil\u{202e}txt.exe"`],
    ["Привет", "Привет"],
  ])("writes %j as %s", (value, written) => {
    expect(lineOf({ key: value })).toEndWith(` key=${written}\n`);
  });

  test("masks secrets", () => {
    expect(lineOf({ error: "bad key hunter2" })).toEndWith(' error="bad key [secret]"\n');
  });

  test("cuts what is very long", () => {
    expect(lineOf({ error: "x".repeat(1_000_000) }).length).toBeLessThan(4100);
  });

  test("keeps one event on one line, whatever a value holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        expect(lineOf({ value }).match(/[\p{Cc}\p{Zl}\p{Zp}]/gu)).toEqual(["\n"]);
      }),
    );
  });
});
