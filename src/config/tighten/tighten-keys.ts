import type { KeyPath, SchemaNode } from "../schema/schema.ts";
import { stricterOf } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";

/** What became of the keys that a found file sets; entries by their name. */
export interface TightenNotes {
  /** Keys in which the owner's configuration is stricter now. */
  readonly stricter: readonly KeyPath[];
  /** Keys that do not have what the file sets. */
  readonly notTaken: readonly KeyPath[];
}

/** A part of two configurations and of the schema, at the same key. */
interface Part {
  readonly node: SchemaNode;
  readonly own: unknown;
  /** What the found file says. */
  readonly said: unknown;
  /** The same with its defaults. */
  readonly found: unknown;
}

/**
 * Makes every key of the owner's table that has an order stricter by what the found file says, in
 * place.
 */
export function tightenKeys({ node, own, said, found }: Part, path: KeyPath): TightenNotes {
  const none: TightenNotes = { stricter: [], notTaken: [] };
  if (!isTable(own) || !isTable(said) || !isTable(found)) return none;
  const notes = Object.entries(node.properties ?? {}).map(([name, child]) => {
    if (!Object.hasOwn(own, name) || !Object.hasOwn(said, name)) return none;
    if (child.strictness?.order === "folders") return none;
    const key = { node: child, own: own[name], said: said[name], found: found[name] };
    const below = path.concat(name);
    if (!child.strictness && child.properties) return tightenKeys(key, below);
    const value = stricterOf(child.strictness, key.own, key.found);
    const isStricter = !Bun.deepEquals(value, key.own);
    own[name] = value;
    return { stricter: isStricter ? [below] : [], notTaken: findMissing(key, value, below) };
  });
  return {
    stricter: notes.flatMap(({ stricter }) => stricter),
    notTaken: notes.flatMap(({ notTaken }) => notTaken),
  };
}

/** The key, or its entries, where what holds is not what the file says. */
function findMissing({ node, own, found }: Part, value: unknown, path: KeyPath) {
  if (holds(found, value, node.strictness?.order)) return [];
  const names = entriesOf(found).flatMap(([name, entry]) =>
    Bun.deepEquals(entry, entryOf(own, name)) ? [] : [path.concat(name)],
  );
  return names.length > 0 ? names : [path];
}

/** Whether nothing of what was found is missing in what holds. */
function holds(found: unknown, value: unknown, order: string | undefined): boolean {
  const isList = Array.isArray(found) && Array.isArray(value);
  if (isList && (order === "fewer" || order === "more")) {
    return found.every((each) => value.includes(each));
  }
  return Bun.deepEquals(found, value);
}

/** What has a name in a table or an array of tables that people fill themselves. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!isTable(value)) return [];
  if (!Array.isArray(value)) return Object.entries(value);
  return value.flatMap((entry) => {
    const name = valueAt(entry, ["name"]);
    return typeof name === "string" ? [[name, entry] as const] : [];
  });
}

function entryOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([each]) => each === name)?.[1];
}
