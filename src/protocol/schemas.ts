import v1 from "../../schemas/llm_response_schema.json" with { type: "json" };
import v2 from "../../schemas/llm_response_schema_v2.json" with { type: "json" };
import v3 from "../../schemas/llm_response_schema_v3.json" with { type: "json" };
import { sha256 } from "../core/sha256.ts";
import type { ProtocolVersion } from "./version.ts";

/** The full schema of each version's answer. */
export const RESPONSE_SCHEMAS = { 1: v1, 2: v2, 3: v3 } as const satisfies Readonly<
  Record<ProtocolVersion, object>
>;

/** sha256 of the bytes of a version's schema file, which is in every trace. */
export function schemaHash(version: ProtocolVersion): string {
  // The files are written in exactly this form, which a test holds.
  return sha256(`${JSON.stringify(RESPONSE_SCHEMAS[version], null, 2)}\n`);
}
