import type { Config } from "../schema/schema.ts";
import { renderTomlKey, renderTomlValue } from "../toml/toml.ts";
import { isTable, valueAt } from "../value-at.ts";
import { type ConfigKey, locateKey } from "./key.ts";
import { maskConfig } from "./mask-config.ts";

/** The value in force, secrets masked; undefined when the key has none. */
export function readKey(config: Config, key: ConfigKey): unknown {
  const path = locateKey(config, key);
  return path && maskConfig(valueAt(config, path), key);
}

/** A masked value as lines `key = value`, with entries of arrays by their name. */
export function renderKeys(value: unknown, steps: ConfigKey["steps"] = []): readonly string[] {
  return listKeys(value, steps).map(
    ({ key, value: each }) => `${key} = ${renderConfigValue(each)}`,
  );
}

/** A key with its value, masked or not. */
interface ListedKey {
  readonly key: string;
  readonly steps: ConfigKey["steps"];
  readonly value: unknown;
}

/** Every key below a value, with entries of arrays by their name. */
export function listKeys(value: unknown, steps: ConfigKey["steps"] = []): readonly ListedKey[] {
  if (Array.isArray(value) && value.some(isRecord)) {
    return value.flatMap((entry, index) => listKeys(entry, [...steps, nameOf(entry) ?? index]));
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, each]) => listKeys(each, [...steps, name]));
  }
  return [{ key: renderTomlKey(steps.map(String)), steps, value }];
}

/** A value of the configuration in one line. */
export function renderConfigValue(value: unknown): string {
  return value === undefined ? "(not set)" : renderTomlValue(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isTable(value) && !Array.isArray(value);
}

function nameOf(entry: unknown): string | undefined {
  const name = valueAt(entry, ["name"]);
  return typeof name === "string" ? name : undefined;
}
