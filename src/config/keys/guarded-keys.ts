import { parseKey } from "./key.ts";

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
