import { type KeyChange, setKey, unsetKey } from "../../config/edit/edit.ts";
import { isGateKey, parseKey, WHOLE_CONFIG } from "../../config/keys/keys.ts";
import { listKeys, readKey, renderConfigValue, renderKeys } from "../../config/keys/show-key.ts";
import { brokenWarning } from "../../config/load/load.ts";
import type { LoadOptions } from "../../config/places/places.ts";
import { type Config, type KeyPath, renderKey } from "../../config/schema/schema.ts";
import { AppError } from "../../core/app-error.ts";
import { confirm } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { warnOfBroken } from "../open-config.ts";
import { print } from "../print.ts";
import type { ConfigCommand } from "./config.ts";

/** `config get [KEY]`: what is in force, secrets masked; a text as it is, for scripts. */
export async function runConfigGet(
  { load, json, stdout }: ConfigCommand,
  name: string,
): Promise<number> {
  const key = name === "" ? WHOLE_CONFIG : parseKey(name);
  if (!key.ok) throw new AppError("ERR_USAGE", key.message);
  const {
    config,
    source: { keySources: sources },
  } = await load();
  const value = readKey(config, key);
  const text = render(value, key.steps);
  const below = listKeys(value, key.steps).map((each) => each.key);
  const from = Object.fromEntries(below.map((each) => [each, sources[each] ?? "default"]));
  const report = { ok: true, key: name || null, value: value ?? null, sources: from };
  stdout(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
  return EXIT.done;
}

/** What changing a key takes. */
interface KeyCommand {
  readonly options: LoadOptions;
  /** `--yes`. */
  readonly isYes: boolean;
  readonly context: CliContext;
}

/** `config set KEY VALUE`: writes the file, unless it would be wrong then. */
export async function runConfigSet(
  [name, text]: readonly [string, string],
  command: KeyCommand,
): Promise<number> {
  const isGate = isGateKey(name, text);
  const action = `set "${name}"`;
  if (isGate && !(await confirmGate(action, command))) return EXIT.failed;
  return showChange(name, await setKey(command.options, name, text), command);
}

/** `config unset KEY`: the default holds again. */
export async function runConfigUnset(name: string, command: KeyCommand): Promise<number> {
  const action = `unset "${name}"`;
  if (isGateKey(name) && !(await confirmGate(action, command))) return EXIT.failed;
  return showChange(name, await unsetKey(command.options, name), command);
}

function confirmGate(action: string, { isYes, context }: KeyCommand): Promise<boolean> {
  const text = "This key decides who may speak to papa-yu, or what it does without a question.";
  return confirm({ action, question: `Really ${action}?`, text }, isYes, context);
}

/** What to warn of in the globs of routines; what knows of it is loaded where there are any. */
export async function loadGlobFaults(config: Config) {
  if (config.routines.jobs.length === 0) return [];
  const { jobGlobFaults } = await import("../../routines/parse-job.ts");
  return jobGlobFaults(config);
}

async function showChange(
  name: string,
  change: KeyChange,
  { context }: KeyCommand,
): Promise<number> {
  const { path, key, config, broken } = change;
  const globs = key.steps[0] === "routines" ? await loadGlobFaults(config) : [];
  const ofGlobs = globs.map((each) => `${renderKey(each.path)}: ${each.message}`);
  const warnings = [...change.warnings, ...ofGlobs];
  warnOfBroken(broken, context);
  const ofBroken = broken ? brokenWarning(broken) : undefined;
  const others = warnings.filter((each) => each !== ofBroken).map((each) => `warning: ${each}`);
  const value = readKey(config, key);
  const lines = [...renderKeys(value, key.steps), ...others];
  const document = { ok: true, path, key: name, value: value ?? null, warnings };
  print(context, document, lines.join("\n"));
  return EXIT.done;
}

function render(value: unknown, steps: KeyPath): string {
  if (typeof value === "string") return value;
  const isTable = typeof value === "object" && !Array.isArray(value);
  return isTable ? renderKeys(value, steps).join("\n") : renderConfigValue(value);
}
