import type { Config } from "../schema/schema.ts";
import { CONFIG_SCHEMA } from "../schema/schema.ts";
import { maskConfig } from "./mask-config.ts";
import { listKeys, renderConfigValue } from "./show-key.ts";

/** A key that differs between two configurations. */
export interface ChangedKey {
  readonly key: string;
  /** `key = value` as it is now, secrets masked. */
  readonly line: string;
  /** The value before, in the same form. */
  readonly before: string;
}

/** The keys in which two configurations differ. */
export function changedKeys(before: Config, after: Config): readonly ChangedKey[] {
  const [old, now] = [toMap(before), toMap(after)];
  const [was, shown] = [before, after].map((config) => toMap(maskConfig(config, CONFIG_SCHEMA)));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => !Bun.deepEquals(old.get(key), now.get(key)))
    .map((key) => ({
      key,
      line: `${key} = ${renderConfigValue(shown?.get(key))}`,
      before: renderConfigValue(was?.get(key)),
    }));
}

function toMap(config: unknown): ReadonlyMap<string, unknown> {
  return new Map(listKeys(config).map(({ key, value }) => [key, value]));
}
