import { maskConfig } from "./mask-config.ts";
import type { Config } from "./schema.ts";
import { CONFIG_SCHEMA } from "./schema-node.ts";
import { listKeys, renderConfigValue } from "./show-key.ts";

/** A key that differs between two configurations. */
export interface ChangedKey {
  readonly key: string;
  /** `key = value` as it is now, secrets masked. */
  readonly line: string;
}

/** The keys in which two configurations differ. */
export function changedKeys(before: Config, after: Config): readonly ChangedKey[] {
  const [old, now, shown] = [before, after, maskConfig(after, CONFIG_SCHEMA)].map(toMap);
  if (!old || !now || !shown) return [];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => !Bun.deepEquals(old.get(key), now.get(key)))
    .map((key) => ({ key, line: `${key} = ${renderConfigValue(shown.get(key))}` }));
}

function toMap(config: unknown): ReadonlyMap<string, unknown> {
  return new Map(listKeys(config).map(({ key, value }) => [key, value]));
}
