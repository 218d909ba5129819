import type { ErrorObject } from "ajv";
import { validate } from "../../../schemas/config.validator.js";
import { shorten } from "../../core/cut-text.ts";
import { nearestKey } from "../nearest-key.ts";
import {
  type ConfigFile,
  type ConfigProblem,
  type Fault,
  toConfigError,
  toProblems,
} from "../places/places.ts";
import type { Config, KeyPath } from "../schema/schema.ts";
import { findNode, placeAt, type SchemaNode } from "../schema/schema.ts";
import { findLines, renderTomlValue } from "../toml/toml.ts";
import { isTable, valueAt } from "../value-at.ts";
import { renderAllowed } from "./render-allowed.ts";

/** A configuration with its defaults, or everything that is wrong with it. */
export type Validation =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Checks parsed TOML against the schema and fills in the defaults, in place. */
export function validateConfig(value: unknown): Validation {
  if (validate(value)) return { ok: true, config: value };
  const faults = new Map<string, Fault>();
  for (const error of validate.errors ?? []) {
    const fault = toFault(error, value);
    // One message a key: a value that fits no alternative fails once for each of them.
    if (fault) faults.getOrInsert(fault.path.join("\n"), fault);
  }
  return { ok: false, faults: [...faults.values()] };
}

/**
 * A file with every default filled in; without a file the defaults.
 *
 * @throws AppError ERR_CONFIG_INVALID with every problem found
 */
export async function readWhole(file: ConfigFile | undefined): Promise<Config> {
  // A copy: the defaults are filled in in place.
  const validation = validateConfig(structuredClone(file?.toml.value ?? {}));
  if (validation.ok) return validation.config;
  const problems = await problemsOf(file, validation.faults);
  throw toConfigError("ERR_CONFIG_INVALID", file?.path, problems);
}

/** Faults of a file, each with its line. */
export async function problemsOf(
  file: ConfigFile | undefined,
  faults: readonly Fault[],
): Promise<readonly ConfigProblem[]> {
  if (faults.length === 0) return [];
  return toProblems(faults, labelOf(file), file ? await findLines(file.toml.text) : () => 0);
}

/** What a message calls the file. */
export function labelOf(file: ConfigFile | undefined): string {
  return file?.shown ?? "built-in defaults";
}

function toFault(error: ErrorObject, root: unknown): Fault | undefined {
  // The rule of a table's name is reported once, by its keyword "propertyNames".
  if (error.propertyName !== undefined && error.keyword !== "propertyNames") return undefined;
  const { node, path } = findNode(toSteps(error.instancePath));
  const name = String(error.params["missingProperty"] ?? error.params["additionalProperty"]);
  switch (error.keyword) {
    case "required": {
      const missing = findNode([...path, name]);
      return { path: missing.path, message: `missing, allowed: ${renderAllowed(missing.node)}` };
    }
    case "additionalProperties":
      return { path: [...path, name], message: unknownKey(name, node) };
    case "propertyNames": {
      const found = String(error.params["propertyName"]);
      const { propertyNames: names = {} } = node;
      const allowed = names.description ? `names ${names.description}` : renderAllowed(names);
      return { path: [...path, found], message: `found the name "${found}", allowed: ${allowed}` };
    }
    default: {
      const found = renderFound(valueAt(root, path), path);
      return { path, message: `found ${found}, allowed: ${renderAllowed(node)}` };
    }
  }
}

function toSteps(pointer: string): string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function unknownKey(name: string, node: SchemaNode): string {
  const known = Object.keys(node.properties ?? {});
  const near = nearestKey(name, known);
  return near ? `unknown key; did you mean "${near}"` : `unknown key; known: ${known.join(", ")}`;
}

const MAX_FOUND = 60;

function renderFound(value: unknown, path: KeyPath): string {
  if (placeAt(path).facts.isSecret) return "a value that is not shown";
  if (Array.isArray(value) && isPlainTable(value[0])) return "an array of tables";
  if (isPlainTable(value)) return "a table";
  // As it is written in a file: JSON has no nan.
  return shorten(renderTomlValue(value), MAX_FOUND);
}

function isPlainTable(value: unknown): boolean {
  return isTable(value) && !Array.isArray(value);
}
