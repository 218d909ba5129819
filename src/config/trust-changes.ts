import { changedKeys, locateKey, parseKey } from "./keys/keys.ts";
import { combineFiles } from "./load/load.ts";
import type { ConfigFiles, LoadOptions } from "./places/places.ts";
import type { Config, ReadFacts } from "./schema/schema.ts";
import { stricterOf } from "./schema/schema.ts";
import { valueAt } from "./value-at.ts";

/** A key that changes when a found file is trusted. */
export interface TrustChange {
  readonly key: string;
  /** `key = value` as it will be: what is run as it stands in the file, other secrets masked. */
  readonly line: string;
  /** The value until then. */
  readonly before: string;
  /** It allows more than the owner's own configuration does. */
  readonly isLooser: boolean;
}

/**
 * What changes when a found file replaces the owner's own: what it says, and what it
 * leaves out.
 *
 * @throws AppError ERR_CONFIG_INVALID with every problem found
 */
export async function trustChanges(
  options: LoadOptions,
  { owner, found }: ConfigFiles,
): Promise<readonly TrustChange[]> {
  if (!found) return [];
  const { config: own } = await combineFiles(options, { ...(owner && { owner }) });
  const { config: now } = await combineFiles(options, { ...(owner && { owner }), found });
  const { config: then } = await combineFiles(options, { owner: found });
  return changedKeys(now, then, true).map(({ key, line, before, facts }) => {
    return { key, line, before, isLooser: isLooser(key, facts.strictness, [own, then]) };
  });
}

/** Whether a key allows more than before; one that does not say what is stricter is taken to. */
export function isLooser(
  name: string,
  strictness: ReadFacts["strictness"],
  configs: readonly [own: Config, then: Config],
): boolean {
  if (!strictness) return true;
  if (strictness.order === "none" || strictness.order === "folders") return false;
  const key = parseKey(name);
  if (!key.ok) return false;
  const [before, after] = configs.map((config) => valueAt(config, locateKey(config, key) ?? []));
  return !Bun.deepEquals(stricterOf(strictness, before, after), after);
}
