import { parse } from "smol-toml";
import { toTomlValue } from "../places/places.ts";
import type { SchemaNode } from "../schema/schema.ts";
import type { TomlValue } from "../toml/toml.ts";

/** A value as people type it. What fits nothing stays text: the schema says what is allowed. */
export function parseValue(text: string, node: SchemaNode): TomlValue {
  if (node.type === "string") return text;
  for (const read of [JSON.parse, readTomlValue]) {
    try {
      return toTomlValue(read(text));
    } catch {}
  }
  return text;
}

function readTomlValue(text: string): unknown {
  const { value, ...rest } = parse(`value = ${text}`);
  if (Object.keys(rest).length > 0) throw new Error("more than one value");
  return value;
}
