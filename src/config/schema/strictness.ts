/**
 * Which of two values of a key is the stricter one. It is on the key's node in the schema, and
 * says all that a configuration which was only found may do with that key: make it stricter.
 */
export type Strictness =
  /** No value is stricter than another: the key is not taken. */
  | { readonly order: "none" }
  /** The smaller number; where 0 has a meaning of its own it is the largest, or compares with none. */
  | { readonly order: "smaller"; readonly zero?: "no limit" | "of its own" }
  /** The value further left. */
  | { readonly order: "listed"; readonly values: readonly (string | boolean)[] }
  /** An array that allows: what both have, and where that one is above the others its first. */
  | { readonly order: "fewer"; readonly keeps?: "first" }
  /** An array that forbids: what either has. */
  | { readonly order: "more" }
  /** Folders that may be worked in; `tighten-folders.ts` decides. */
  | { readonly order: "folders" };

/** The same as it is read from the schema's file, where a word may be any word. */
export interface StrictnessNode {
  readonly order: string;
  readonly zero?: string;
  readonly values?: readonly unknown[];
  readonly keeps?: string;
}

/**
 * What holds of a key when the owner and a found file each say something: never looser than the
 * owner's value. An order that is missing or unknown leaves the owner's.
 */
export function stricterOf(
  strictness: StrictnessNode | undefined,
  owner: unknown,
  found: unknown,
): unknown {
  switch (strictness?.order) {
    case "smaller":
      return isSmaller(owner, found, strictness.zero) ? found : owner;
    case "listed":
      return isFurtherLeft(owner, found, strictness.values ?? []) ? found : owner;
    case "fewer":
      return isList(owner) && isList(found) ? inBoth(owner, found, strictness.keeps) : owner;
    case "more":
      return isList(owner) && isList(found) ? [...new Set([...owner, ...found])] : owner;
    default:
      return owner;
  }
}

function isSmaller(owner: unknown, found: unknown, zero: string | undefined): boolean {
  if (typeof owner !== "number" || typeof found !== "number") return false;
  if (zero === undefined) return found < owner;
  if (found === 0) return false;
  return found < owner || (owner === 0 && zero === "no limit");
}

function isFurtherLeft(owner: unknown, found: unknown, values: readonly unknown[]): boolean {
  const [theirs, own] = [values.indexOf(found), values.indexOf(owner)];
  return theirs >= 0 && theirs < own;
}

function inBoth(
  owner: readonly unknown[],
  found: readonly unknown[],
  keeps: string | undefined,
): readonly unknown[] {
  return owner.filter((each, index) => found.includes(each) || (keeps === "first" && index === 0));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
