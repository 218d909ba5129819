import { listKeys } from "../keys/show-key.ts";
import type { KeyPath } from "../schema/schema.ts";
import { renderTomlKey } from "../toml/toml.ts";
import type { FoundFile } from "./found-file.ts";

/** Where a key's value is from; a key that is not named has its default. */
export type KeySource = "file" | "found" | "environment";

/** Keys as `config get` lists them. */
export type KeySources = Readonly<Record<string, KeySource>>;

/** Where values are from: the later of the three wins. */
export function toKeySources(
  owner: unknown,
  found: FoundFile | undefined,
  environment: readonly KeyPath[],
): KeySources {
  const name = (source: KeySource) => (key: string) => [key, source] as const;
  return Object.fromEntries([
    ...(owner === undefined ? [] : listKeys(owner).map(({ key }) => name("file")(key))),
    ...(found?.stricter ?? []).map(name("found")),
    ...(found?.added ?? []).map((each) => renderTomlKey(["workspaces", each])).map(name("found")),
    ...environment.map((steps) => renderTomlKey(steps.map(String))).map(name("environment")),
  ]);
}
