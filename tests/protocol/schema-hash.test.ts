import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { schemaHash } from "../../src/protocol/schema-hash.ts";

test("schemaHash() is the sha256 of the bytes of the schema file", () => {
  const file = join(import.meta.dir, "../../schemas/llm_response_schema_v2.json");
  expect(schemaHash(2)).toBe(sha256(readFileSync(file)));
});
