import schema from "../../../schemas/config.schema.json" with { type: "json" };
import type { StrictnessNode } from "./strictness.ts";

export type { Config } from "./definition.ts";
export { stricterOf } from "./strictness.ts";

/** The part of JSON Schema that the configuration uses. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly propertyNames?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly required?: readonly string[];
  /** A secret: its value is never shown. */
  readonly writeOnly?: boolean;
  /** What a configuration that was only found may do with the key. */
  readonly strictness?: StrictnessNode;
}

/** The way to a key: names, and positions in arrays. */
export type KeyPath = readonly (string | number)[];

/** The schema of the whole configuration. */
export const CONFIG_SCHEMA: SchemaNode = schema;

/**
 * The schema at the end of a path and the path itself, positions as numbers. The walk ends
 * early where the schema has nothing more to say of a single key, as below `check`.
 */
export function findNode(path: KeyPath): { readonly node: SchemaNode; readonly path: KeyPath } {
  let node = CONFIG_SCHEMA;
  const taken: (string | number)[] = [];
  for (const step of path) {
    const next = node.items ?? childOf(node, String(step));
    if (!next) break;
    taken.push(node.items ? Number(step) : step);
    node = next;
  }
  return { node, path: taken };
}

/** The schema of a table's key; undefined when it may not have it. */
export function childOf(node: SchemaNode, name: string): SchemaNode | undefined {
  if (node.properties && Object.hasOwn(node.properties, name)) return node.properties[name];
  return typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
}

/** A path as people write it: `routines.jobs[0].schedule`. */
export function renderKey(path: KeyPath): string {
  return path.reduce<string>((key, step) => {
    if (typeof step === "number") return `${key}[${step}]`;
    return key === "" ? step : `${key}.${step}`;
  }, "");
}
