import { describe, expect, test } from "bun:test";
import { Ajv } from "ajv";
import schema from "../../schemas/llm_response_schema_v2.json" with { type: "json" };
import { toStrictSchema } from "../../src/protocol/strict-schema.ts";
import { validateResponse } from "../../src/protocol/validate-response.ts";

const KNOWN = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
]);
const strict = toStrictSchema(schema);

interface Count {
  properties: number;
  depth: number;
}

/** Holds a schema against the published subset, node by node. */
function checkNode(node: unknown, count: Count, depth: number): void {
  if (typeof node !== "object" || node === null) throw new Error("not a schema");
  const one: Record<string, unknown> = { ...node };
  for (const key of Object.keys(one)) expect(KNOWN).toContain(key);
  count.depth = Math.max(count.depth, depth);
  if (Array.isArray(one["anyOf"])) {
    expect(Object.keys(one)).toEqual(["anyOf"]);
    for (const variant of one["anyOf"]) checkNode(variant, count, depth);
    return;
  }
  expect(["object", "array", "string", "integer", "number", "boolean", "null"]).toContain(
    String(one["type"]),
  );
  if (one["type"] === "array") checkNode(one["items"], count, depth + 1);
  if (one["type"] !== "object") return;
  const properties = Object.entries(one["properties"] ?? {});
  expect(one["additionalProperties"]).toBe(false);
  expect(one["required"]).toEqual(properties.map(([name]) => name));
  count.properties += properties.length;
  for (const [, property] of properties) checkNode(property, count, depth + 1);
}

describe("toStrictSchema()", () => {
  test("keeps to the published subset in every node, and to its bounds", () => {
    const count = { properties: 0, depth: 0 };
    expect(strict["type"]).toBe("object");
    checkNode(strict, count, 1);
    expect(count.properties).toBeLessThanOrEqual(100);
    expect(count.depth).toBeLessThanOrEqual(5);
  });

  test("keeps every key of the full schema", () => {
    expect(strict["required"]).toEqual(Object.keys(schema.properties));
  });

  test("lets through answers that the full schema takes once nulls are dropped", () => {
    const memory = Object.keys(schema.properties.memory_patch.properties).map((key) => [key, null]);
    const answer = {
      actions: [{ kind: "CREATE_DIR", path: "d" }],
      summary: null,
      context_requests: [{ type: "search", query: "q", glob: null }],
      memory_patch: Object.fromEntries(memory),
    };
    expect(new Ajv().validate(strict, answer)).toBe(true);
    expect(validateResponse(answer, { version: 2, mode: "apply" })).toMatchObject({ ok: true });
  });
});
