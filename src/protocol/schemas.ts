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

/** A node of a JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * What is sent to a provider as `response_format: json_schema` with `strict: true`.
 *
 * The published subset wants an object at the root, every property required, no further ones,
 * and knows neither `oneOf` nor bounds of length: an optional property becomes one that may be
 * null, a union `anyOf`, a constant an enumeration of one; an object that may hold anything is
 * left out. Everything else is left to local validation.
 */
export function toStrictSchema(schema: Schema): Schema {
  const variants = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(variants))
    return { anyOf: variants.map((one) => toStrictSchema(asSchema(one))) };
  if ("const" in schema) return { type: typeof schema["const"], enum: [schema["const"]] };
  if ("enum" in schema) return { type: "string", enum: schema["enum"] };
  const { type } = schema;
  // Where an answer may be an object or an array, the object says more.
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) {
    return toStrictObject(schema);
  }
  if (type === "array") return { type, items: toStrictSchema(asSchema(schema["items"])) };
  return { type };
}

function toStrictObject(schema: Schema): Schema {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = Object.entries(asSchema(schema["properties"]))
    .map(([name, node]) => [name, asSchema(node)] as const)
    .filter(([, node]) => !isOpen(node))
    .map(([name, node]) => {
      const strict = toStrictSchema(node);
      return [name, required.includes(name) ? strict : toNullable(strict)] as const;
    });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

/** An object without named properties has no strict form. */
function isOpen({ type, properties = {}, oneOf }: Schema): boolean {
  return type === "object" && oneOf === undefined && Object.keys(asSchema(properties)).length === 0;
}

function toNullable(schema: Schema): Schema {
  const variants = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
  return { anyOf: [...variants, { type: "null" }] };
}

function asSchema(value: unknown): Schema {
  if (!isSchema(value)) throw new Error("a schema node is no object");
  return value;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}
