import { renderAllowed } from "./load/load.ts";
import {
  CONFIG_SCHEMA,
  type KeyPath,
  type ReadFacts,
  type SchemaNode,
  toPlace,
} from "./schema/schema.ts";
import type { TomlValue } from "./toml/toml.ts";
import { isTable, valueAt } from "./value-at.ts";

/** A key that may be set, with what the schema says of it. */
export interface KnownKey {
  /** As people write it: `workspaces[].path`, `providers.NAME.model`. */
  readonly key: string;
  readonly node: SchemaNode;
  readonly allowed: string;
  /** Each as it is written in the file, where there are few. */
  readonly values: readonly string[];
  readonly facts: ReadFacts;
}

/** Every key of the schema. */
export function knownKeys(): readonly KnownKey[] {
  return below(CONFIG_SCHEMA, "");
}

function below(node: SchemaNode, key: string): readonly KnownKey[] {
  const { properties, items, additionalProperties } = node;
  if (properties) {
    return Object.entries(properties).flatMap(([name, each]) =>
      below(each, key === "" ? name : `${key}.${name}`),
    );
  }
  if (items?.properties) return below(items, `${key}[]`);
  if (typeof additionalProperties === "object" && additionalProperties.properties) {
    return below(additionalProperties, `${key}.${ANY}`);
  }
  const facts = toPlace(node).facts;
  return [{ key, node, allowed: renderAllowed(node), values: valuesOf(node), facts }];
}

function valuesOf(node: SchemaNode): readonly string[] {
  if (node.enum) return node.enum.map((value) => JSON.stringify(value));
  if (node.anyOf) return node.anyOf.flatMap(valuesOf);
  if ("const" in node) return [JSON.stringify(node.const)];
  return node.type === "boolean" ? ["true", "false"] : [];
}

/** In the place of a name that people choose. */
const ANY = "NAME";

/** Where a known key goes in a configuration, and what it has there at first. */
export interface Insertion {
  readonly path: KeyPath;
  readonly value: TomlValue;
}

/**
 * Where a key is put: into the last entry of its kind, or with all that a first one needs into a new
 * one. Undefined: there is no such key.
 */
export function placeKey(root: unknown, name: string): Insertion | undefined {
  const known = knownKeys().find(({ key }) => key === name);
  if (!known) return undefined;
  let node = CONFIG_SCHEMA;
  const path: (string | number)[] = [];
  const steps = name.split(/(?=\[\])|\./u);
  for (const [at, step] of steps.entries()) {
    const isEntry = step === "[]" || (step === ANY && !node.properties);
    const around = valueAt(root, path);
    const next = isEntry ? entryOf(node) : node.properties?.[step];
    if (!next) return undefined;
    path.push(isEntry ? lastOf(around, step) : step);
    node = next;
    if (isEntry && valueAt(root, path) === undefined) {
      const rest = steps.slice(at + 1);
      const value = { ...initialsOf(node), [rest.join(".")]: initialOf(known.node) };
      return { path, value: toToml(value) };
    }
  }
  return { path, value: toToml(valueAt(root, path) ?? initialOf(node)) };
}

/** What a schema or a configuration has for a value is TOML. */
function toToml(value: unknown): TomlValue {
  return JSON.parse(JSON.stringify(value));
}

function entryOf({ items, additionalProperties }: SchemaNode): SchemaNode | undefined {
  return items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

/** The last entry that is there, or the first that would be. */
function lastOf(around: unknown, step: string): string | number {
  if (step === "[]") return Array.isArray(around) ? Math.max(0, around.length - 1) : 0;
  return isTable(around) ? (Object.keys(around).at(-1) ?? "name") : "name";
}

/** What an entry has to have. */
function initialsOf({ required = [], properties = {} }: SchemaNode): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, initialOf(properties[name] ?? {})]));
}

function initialOf(node: SchemaNode): unknown {
  const [example] = node.examples ?? [];
  return node.default ?? example ?? "";
}
