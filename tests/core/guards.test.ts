import { describe, expect, test } from "bun:test";
import { isTooDeep, parseForeignJson, toForeignJson } from "../../src/core/guards.ts";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("values of others", () => {
  test.each([lists, objects])("are read and written to a depth, and not below it", (nested) => {
    for (const depth of [1, 100, 200]) {
      const value = parseForeignJson(nested(depth));
      expect(toForeignJson(value)).toBe(nested(depth));
    }
    for (const depth of [202, 10_000, 100_000]) {
      expect(parseForeignJson(nested(depth))).toBeUndefined();
      const value: unknown = JSON.parse(nested(depth));
      expect(isTooDeep(value)).toBe(true);
      expect(toForeignJson(value, (_key, each) => each)).toBeUndefined();
    }
  });

  test.each(["", "{", "nothing", "[1,]"])("that are no JSON are none: %j", (text) => {
    expect(parseForeignJson(text)).toBeUndefined();
  });
});
