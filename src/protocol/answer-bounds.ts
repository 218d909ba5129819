import type { ErrorCode } from "../core/error-codes.ts";

const MOST_ACTIONS = 200;
/** A full answer of 200 actions with 50 edits each has fewer. */
const MOST_VALUES = 100_000;

/** An answer too large to be looked at closely. */
export interface Excess {
  readonly code: ErrorCode;
  readonly error: string;
}

/**
 * What is too much about an answer before its schema is asked: a validator that names every fault
 * would be busy with a million of them for minutes.
 */
export function findExcess(answer: unknown): Excess | undefined {
  const lists: readonly (readonly [string, unknown])[] = [
    ["the answer", answer],
    ["actions", read(answer, "actions")],
    ["proposed_changes.actions", read(read(answer, "proposed_changes"), "actions")],
  ];
  for (const [name, list] of lists) {
    if (Array.isArray(list) && list.length > MOST_ACTIONS) {
      const error = `${name} must have at most ${MOST_ACTIONS} items, found ${list.length}`;
      return { code: "ERR_TOO_MANY_ACTIONS", error };
    }
  }
  if (!hasMoreValues(answer)) return undefined;
  const error = `the answer must have at most ${MOST_VALUES} values; leave out what was not asked for`;
  return { code: "ERR_SCHEMA_VALIDATION", error };
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Without recursion: an answer may be nested as deep as it likes. */
function hasMoreValues(answer: unknown): boolean {
  const open: unknown[] = [answer];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > MOST_VALUES) return true;
    const value = open.pop();
    if (Array.isArray(value)) {
      if (value.length > MOST_VALUES) return true;
      for (const item of value) open.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const key in value) open.push(Reflect.get(value, key));
    }
  }
  return false;
}
