import type { Config } from "./schema.ts";
import { findNode, type KeyPath, renderKey } from "./schema-node.ts";
import { valueAt } from "./value-at.ts";

/** Keys that are read and checked, but that nothing in this version obeys. */
const NOT_IN_FORCE: readonly KeyPath[] = [
  ["security", "allowed_commands"],
  ["security", "workspace_only"],
];

/** A warning for each of them that was changed: nobody shall rely on a cap that does not hold. */
export function notInForceWarnings(config: Config): string[] {
  return NOT_IN_FORCE.filter((path) => {
    const initial = findNode(path).node.default;
    return JSON.stringify(valueAt(config, path)) !== JSON.stringify(initial);
  }).map((path) => `${renderKey(path)}: no effect in this version`);
}
