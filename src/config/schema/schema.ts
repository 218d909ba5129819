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
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly propertyNames?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly required?: readonly string[];
  /** The page below docs/ that says more. */
  readonly seeAlso?: string;
  /** The facts of a key as `schema-facts.ts` has them; {@link ReadFacts} is what is gone by. */
  readonly strictness?: StrictnessNode;
  readonly owner?: string;
  readonly gate?: boolean | readonly unknown[];
  readonly writeOnly?: boolean;
  readonly restart?: boolean;
  readonly runs?: boolean;
  readonly goesBy?: readonly string[];
}

/** The facts of a key as they are gone by: what its node lacks or misspells is closed. */
export interface ReadFacts {
  /** Missing: nothing is taken of what was only found. */
  readonly strictness: StrictnessNode | undefined;
  /** Only a person sets it. */
  readonly isPersons: boolean;
  /** No chat sets it, whoever says yes there. */
  readonly isInFile: boolean;
  /** Whether a change lets others in or locks the owner out; a list: when it is one of these. */
  readonly gate: boolean | readonly unknown[];
  readonly isSecret: boolean;
  readonly needsRestart: boolean;
  /** Whether it names a program that papa-yu starts. */
  readonly namesProgram: boolean;
  /** The keys of its table that decide where a secret in it goes; undefined: it does not say. */
  readonly goesBy: readonly string[] | undefined;
}

/** A place in the schema and the facts that hold there. */
export interface Place {
  readonly node: SchemaNode;
  readonly facts: ReadFacts;
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

/** The place of a node that the schema names: a key with its own facts, or a table of such keys. */
export function toPlace(node: SchemaNode): Place {
  const { properties, strictness, owner, gate = true, writeOnly, restart, runs, goesBy } = node;
  if (properties && !strictness) {
    return {
      node,
      facts: factsOfTable(Object.values(properties).map((key) => toPlace(key).facts)),
    };
  }
  const isSecret = writeOnly !== false;
  const isPersons = isSecret || owner !== "model";
  return {
    node,
    facts: {
      strictness,
      isPersons,
      isInFile: owner !== "model" && owner !== "person",
      gate,
      isSecret,
      needsRestart: restart !== false,
      namesProgram: runs !== false,
      goesBy,
    },
  };
}

/** A change of a table may change each of its keys; the table itself has no value to be secret. */
function factsOfTable(keys: readonly ReadFacts[]): ReadFacts {
  return {
    strictness: undefined,
    isPersons: keys.some(({ isPersons }) => isPersons),
    isInFile: keys.some(({ isInFile }) => isInFile),
    gate:
      keys.some(({ gate }) => gate === true) ||
      keys.flatMap(({ gate }) => (typeof gate === "boolean" ? [] : gate)),
    isSecret: false,
    needsRestart: keys.some(({ needsRestart }) => needsRestart),
    namesProgram: keys.some(({ namesProgram }) => namesProgram),
    goesBy: undefined,
  };
}

/**
 * The place one step below. What the schema names has its own facts; an entry that people name
 * has those of the key that it is an entry of; a name that the schema does not know is closed.
 */
export function stepInto({ node, facts }: Place, step: string | number): Place {
  if (node.items) return { node: node.items, facts };
  if (node.properties) return toPlace(childOf(node, String(step)) ?? {});
  return { node: childOf(node, String(step)) ?? {}, facts };
}

/** The place of a path; entries of arrays by position or by name. */
export function placeAt(path: KeyPath): Place {
  return path.reduce(stepInto, toPlace(CONFIG_SCHEMA));
}
