import type { Config } from "../schema/schema.ts";
import { placeAt, type ReadFacts } from "../schema/schema.ts";
import { WHOLE_CONFIG } from "./key.ts";
import { maskConfig } from "./mask-config.ts";
import { listKeys, renderConfigValue } from "./show-key.ts";

/** A key that differs between two configurations. */
export interface ChangedKey {
  readonly key: string;
  /** `key = value` as it is now, secrets masked. */
  readonly line: string;
  /** The value before, in the same form. */
  readonly before: string;
  readonly facts: ReadFacts;
}

/**
 * The keys in which two configurations differ.
 *
 * @param isForeign the later one is no owner's: what it runs is shown as it stands there
 */
export function changedKeys(
  before: Config,
  after: Config,
  isForeign = false,
): readonly ChangedKey[] {
  const [old, now] = [toMap(before), toMap(after)];
  const was = toMap(maskConfig(before, WHOLE_CONFIG));
  const shown = toMap(maskConfig(after, WHOLE_CONFIG, isForeign));
  return [...new Map([...old, ...now])]
    .filter(([key]) => !Bun.deepEquals(old.get(key)?.value, now.get(key)?.value))
    .map(([key, { steps }]) => ({
      key,
      line: `${key} = ${renderConfigValue(shown.get(key)?.value)}`,
      before: renderConfigValue(was.get(key)?.value),
      facts: placeAt(steps).facts,
    }));
}

function toMap(config: unknown) {
  return new Map(listKeys(config).map((listed) => [listed.key, listed] as const));
}
