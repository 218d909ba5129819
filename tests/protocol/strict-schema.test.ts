import { describe, expect, test } from "bun:test";
import { Ajv } from "ajv";
import * as fc from "fast-check";
import { RESPONSE_SCHEMAS, toStrictSchema } from "../../src/protocol/schemas.ts";
import type { ProtocolVersion } from "../../src/protocol/version.ts";
import { fromSchema } from "../support/from-schema.ts";
import { runs } from "../support/long.ts";

const VERSIONS: readonly ProtocolVersion[] = [1, 2, 3];

/** Keywords of the published subset that a projection may use. */
const KNOWN = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
]);

/** The published bounds. */
const MOST_PROPERTIES = 5000;
const MOST_LEVELS = 10;
const MOST_ENUM_VALUES = 1000;
const MOST_NAME_CHARS = 120_000;

interface Count {
  properties: number;
  levels: number;
  enumValues: number;
  nameChars: number;
}

/** Holds a schema against the published subset, node by node. */
function checkNode(node: unknown, count: Count, level: number): void {
  if (typeof node !== "object" || node === null) throw new Error("not a schema");
  const one: Record<string, unknown> = { ...node };
  for (const key of Object.keys(one)) expect(KNOWN).toContain(key);
  count.levels = Math.max(count.levels, level);
  if (Array.isArray(one["anyOf"])) {
    expect(Object.keys(one)).toEqual(["anyOf"]);
    for (const variant of one["anyOf"]) checkNode(variant, count, level);
    return;
  }
  expect(["object", "array", "string", "integer", "number", "boolean", "null"]).toContain(
    String(one["type"]),
  );
  if (Array.isArray(one["enum"])) {
    count.enumValues += one["enum"].length;
    count.nameChars += one["enum"].join("").length;
  }
  if (one["type"] === "array") checkNode(one["items"], count, level + 1);
  if (one["type"] !== "object") return;
  const properties = Object.entries(one["properties"] ?? {});
  expect(one["additionalProperties"]).toBe(false);
  expect(one["required"]).toEqual(properties.map(([name]) => name));
  count.properties += properties.length;
  count.nameChars += properties.map(([name]) => name).join("").length;
  for (const [, property] of properties) checkNode(property, count, level + 1);
}

describe.each(VERSIONS)("toStrictSchema() of v%d", (version) => {
  const full = RESPONSE_SCHEMAS[version];
  const strict = toStrictSchema(full);

  test("keeps to the published subset in every node, and to its bounds", () => {
    const count = { properties: 0, levels: 0, enumValues: 0, nameChars: 0 };
    expect(strict["type"]).toBe("object");
    expect(strict).not.toHaveProperty("anyOf");
    checkNode(strict, count, 1);
    expect(count.properties).toBeLessThanOrEqual(MOST_PROPERTIES);
    expect(count.levels).toBeLessThanOrEqual(MOST_LEVELS);
    expect(count.enumValues).toBeLessThanOrEqual(MOST_ENUM_VALUES);
    expect(count.nameChars).toBeLessThanOrEqual(MOST_NAME_CHARS);
  });

  test("keeps every key of the full schema but the one that may hold anything", () => {
    const keys = Object.keys(full.properties);
    expect(strict["required"]).toEqual(keys.filter((key) => version > 1 || key !== "memory_patch"));
  });

  test("forbids no answer that the full schema takes, once what is left out is null", () => {
    const validate = new Ajv().compile(strict);
    const objects = fromSchema({ ...full, type: "object" });
    fc.assert(
      fc.property(objects, (answer) => {
        expect(validate(withNulls(strict, answer))).toBe(true);
      }),
      { numRuns: runs(40, 300) },
    );
  });
});

test("toStrictSchema() says of each node what the subset can say of it", () => {
  expect(toStrictSchema({ enum: ["a", "b"] })).toEqual({ type: "string", enum: ["a", "b"] });
  expect(toStrictSchema({ const: "a" })).toEqual({ type: "string", enum: ["a"] });
  expect(toStrictSchema({ type: "string", maxLength: 3 })).toEqual({ type: "string" });
  expect(toStrictSchema({ type: ["object", "array"], properties: {} })["type"]).toBe("object");
  for (const items of [undefined, null, "string"]) {
    expect(() => toStrictSchema({ type: "array", items })).toThrow("a schema node is no object");
  }
});

/** A value as strict output writes it: every property there, null for what is left out. */
function withNulls(schema: unknown, value: unknown): unknown {
  const node: Record<string, unknown> = { ...Object(schema) };
  if (Array.isArray(node["anyOf"])) {
    return withNulls(node["anyOf"].find((one) => isOf(one, value)) ?? {}, value ?? null);
  }
  if (Array.isArray(value)) return value.map((item) => withNulls(node["items"], item));
  if (node["type"] !== "object" || typeof value !== "object" || value === null) return value;
  const properties = Object.entries(Object(node["properties"]));
  return Object.fromEntries(
    properties.map(([name, one]) => [name, withNulls(one, Reflect.get(value, name))]),
  );
}

/** Whether a value is of a variant, going by its type and by its tag. */
function isOf(variant: { readonly type: string; readonly properties?: object }, value: unknown) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) return variant.type === (Array.isArray(value) ? "array" : jsonType(value));
  const tags = ["kind", "type"].map((tag) => Reflect.get(variant.properties ?? {}, tag)?.enum);
  const tag: unknown = Reflect.get(value, "kind") ?? Reflect.get(value, "type");
  return variant.type === "object" && (tag === undefined || tags.flat().includes(tag));
}

function jsonType(value: unknown): string {
  if (value === undefined) return "null";
  return typeof value === "number" ? "integer" : typeof value;
}
