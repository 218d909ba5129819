import { parseKey, WHOLE_CONFIG } from "../config/key.ts";
import type { LoadOptions } from "../config/load.ts";
import type { KeyPath } from "../config/schema-node.ts";
import { setKey } from "../config/set-key.ts";
import { readKey, renderConfigValue, renderKeys } from "../config/show-key.ts";
import { AppError } from "../core/app-error.ts";
import type { ConfigCommand } from "./config.ts";
import { EXIT } from "./context.ts";

/** `config get [KEY]`: what is in force, secrets masked; a text as it is, for scripts. */
export async function runConfigGet(
  { load, json, stdout }: ConfigCommand,
  name: string,
): Promise<number> {
  const key = name === "" ? WHOLE_CONFIG : parseKey(name);
  if (!key.ok) throw new AppError("ERR_USAGE", key.message);
  const { config } = await load();
  const value = readKey(config, key);
  const text = render(value, key.steps);
  const report = { ok: true, key: name || null, value: value ?? null };
  stdout(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
  return EXIT.done;
}

/** `config set KEY VALUE`: writes the file, unless it would be wrong then. */
export async function runConfigSet(
  { json, stdout }: ConfigCommand,
  options: LoadOptions,
  [name, text]: readonly [string, string],
): Promise<number> {
  const { path, key, config, warnings } = await setKey(options, name, text);
  const value = readKey(config, key);
  const lines = [...renderKeys(value, key.steps), ...warnings.map((each) => `warning: ${each}`)];
  const report = { ok: true, path, key: name, value: value ?? null, warnings };
  stdout(json ? `${JSON.stringify(report)}\n` : `${lines.join("\n")}\n`);
  return EXIT.done;
}

function render(value: unknown, steps: KeyPath): string {
  if (typeof value === "string") return value;
  const isTable = typeof value === "object" && !Array.isArray(value);
  return isTable ? renderKeys(value, steps).join("\n") : renderConfigValue(value);
}
