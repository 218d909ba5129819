import type { KeyPath } from "./schema/schema.ts";

/** What is at a path of plain data, or undefined. */
export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root;
  for (const step of path) {
    if (!isTable(value)) return undefined;
    value = value[step];
  }
  return value;
}

/** Whether a value has keys: a table or an array. */
export function isTable(value: unknown): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null;
}
