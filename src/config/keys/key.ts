import { nearestKey } from "../nearest-key.ts";
import {
  CONFIG_SCHEMA,
  childOf,
  type KeyPath,
  type Place,
  renderKey,
  type SchemaNode,
  stepInto,
  toPlace,
} from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";

/** A key as people name it, with what the schema says of it. */
export interface ConfigKey extends Place {
  readonly ok: true;
  /** Entries of `workspaces` and `routines.jobs` by their name, or by position. */
  readonly steps: KeyPath;
  /** Which step is an entry of an array of tables. */
  readonly entryAt?: number;
}

/** The key that all others are below. */
export const WHOLE_CONFIG: ConfigKey = { ok: true, steps: [], ...toPlace(CONFIG_SCHEMA) };

/** One step: `.name`, `."a.name"` or `[0]`. A name starts as the schema demands of all names. */
const STEP = /(?:^|\.)(?:([\p{L}\p{N}][\p{L}\p{N}_-]*)|"([\p{L}\p{N}][^"\\]*)")|\[(\d{1,4})\]/uy;

/** Reads `security.autonomy`, `workspaces.site.check`, `providers."my.own".model` and the like. */
export function parseKey(
  text: string,
): ConfigKey | { readonly ok: false; readonly message: string } {
  const steps = toSteps(text.trim());
  if (!steps) return { ok: false, message: `Cannot read the key "${text}": it is no dotted name` };
  let place = toPlace(CONFIG_SCHEMA);
  let entryAt: number | undefined;
  for (const [index, step] of steps.entries()) {
    const { node } = place;
    const isEntry = node.items?.type === "object";
    if (isEntry) entryAt = index;
    else if (!childOf(node, String(step))) {
      return { ok: false, message: unknownKey(steps.slice(0, index + 1), node) };
    }
    place = stepInto(place, step);
  }
  return { ok: true, steps, ...place, ...(entryAt !== undefined && { entryAt }) };
}

/** The steps with the entry's name as its position; undefined where there is no such entry. */
export function locateKey(root: unknown, { steps, entryAt }: ConfigKey): KeyPath | undefined {
  const name = entryAt === undefined ? undefined : steps[entryAt];
  if (entryAt === undefined || typeof name !== "string") return steps;
  const entries = valueAt(root, steps.slice(0, entryAt));
  const index = Array.isArray(entries) ? entries.findIndex(isNamed(name)) : -1;
  return index < 0 ? undefined : steps.with(entryAt, index);
}

function toSteps(text: string): KeyPath | undefined {
  const steps: (string | number)[] = [];
  let end = 0;
  while (end < text.length) {
    STEP.lastIndex = end;
    const match = STEP.exec(text);
    if (!match) return undefined;
    const [all, bare, quoted, position] = match;
    steps.push(bare ?? quoted ?? Number(position));
    end += all.length;
  }
  return steps.length > 0 ? steps : undefined;
}

function unknownKey(steps: KeyPath, { properties = {} }: SchemaNode): string {
  const name = String(steps.at(-1));
  const known = Object.keys(properties);
  const near = nearestKey(name, known);
  const advice = near ? `did you mean "${near}"` : `known: ${known.join(", ") || "none"}`;
  return `Cannot find the key "${renderKey(steps)}": it is unknown; ${advice}`;
}

function isNamed(name: string): (entry: unknown) => boolean {
  return (entry) => isTable(entry) && entry["name"] === name;
}

/**
 * Whether a change of a key, or of a table that has one, lets others in or locks the owner out;
 * without a value it is unset.
 */
export function isGateKey(name: string, value?: string): boolean {
  const key = parseKey(name);
  if (!key.ok) return false;
  const { node, facts } = key;
  if (typeof facts.gate === "boolean") return facts.gate;
  if (facts.gate.length === 0 || value === undefined) return false;
  // A whole table may have any of the values in it.
  return node.properties !== undefined || facts.gate.includes(value);
}

/** Whether only a person may set this; a name that cannot be read is not taken to be harmless. */
export function isPersonsKey(name: string): boolean {
  const key = parseKey(name);
  return !key.ok || key.facts.isPersons;
}

/** Whether no chat may set this, whoever says yes there. What is no key is refused anyway. */
export function isFileKey(name: string): boolean {
  const key = parseKey(name);
  return key.ok && key.facts.isInFile;
}
