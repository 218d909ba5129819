import { changedKeys, locateKey, parseKey } from "./keys/keys.ts";
import { combineFiles } from "./load/load.ts";
import type { ConfigFiles, LoadOptions } from "./places/places.ts";
import type { Config } from "./schema/schema.ts";
import { stricterOf } from "./schema/schema.ts";
import { valueAt } from "./value-at.ts";

/** A key that changes when a found file is trusted. */
export interface TrustChange {
  readonly key: string;
  /** `key = value` as it will be, secrets masked. */
  readonly line: string;
  /** The value until then. */
  readonly before: string;
  /** It allows more than the owner's own configuration does. */
  readonly isLooser: boolean;
}

/**
 * What changes when a found file stands in the place of the owner's own: what it says, and what it
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
  return changedKeys(now, then).map(({ key, line, before }) => {
    return { key, line, before, isLooser: isLooser(key, own, then) };
  });
}

function isLooser(name: string, own: Config, then: Config): boolean {
  const key = parseKey(name);
  if (!key.ok || key.node.strictness === undefined) return false;
  const [before, after] = [own, then].map((config) =>
    valueAt(config, locateKey(config, key) ?? []),
  );
  const { order } = key.node.strictness;
  if (order === "none" || order === "folders") return false;
  return !Bun.deepEquals(stricterOf(key.node.strictness, before, after), after);
}
