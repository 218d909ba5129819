import schemaV2 from "../../schemas/llm_response_schema_v2.json" with { type: "json" };
import { sha256 } from "../core/sha256.ts";

const SCHEMAS = { 2: schemaV2 } as const;

/** Versions of the protocol that can be spoken. */
export type ProtocolVersion = keyof typeof SCHEMAS;

/** sha256 of the bytes of a version's schema file, which stands in every trace. */
export function schemaHash(version: ProtocolVersion): string {
  // The files are written in exactly this form, which a test holds.
  return sha256(`${JSON.stringify(SCHEMAS[version], null, 2)}\n`);
}
