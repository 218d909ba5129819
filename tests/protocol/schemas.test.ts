import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { RESPONSE_SCHEMAS, schemaHash } from "../../src/protocol/schemas.ts";

const FILES = {
  1: "llm_response_schema.json",
  2: "llm_response_schema_v2.json",
  3: "llm_response_schema_v3.json",
} as const;

test.each([1, 2, 3] as const)(
  "schemaHash(%d) is the sha256 of the bytes of its file",
  (version) => {
    const bytes = readFileSync(join(import.meta.dir, "../../schemas", FILES[version]));
    expect(schemaHash(version)).toBe(sha256(bytes));
    expect(bytes.includes("\r")).toBe(false);
    expect(RESPONSE_SCHEMAS[version].x_schema_version).toBe(version);
    expect(RESPONSE_SCHEMAS[version].$schema).toContain("draft-07");
  },
);
