import type { TSchema } from "typebox";
import type { Strictness } from "./strictness.ts";

/** What the house has to know of a key beside its type; each stands on the key's node. */
export interface KeyFacts {
  /** What a configuration that was only found may do with the key. */
  readonly strictness: Strictness;
}

/** A key with all its facts: one that lacks any does not compile in a {@link table}. */
export type Key = TSchema & KeyFacts;

/** Puts its facts on a key. */
export function key<T extends TSchema>(schema: T, facts: KeyFacts): T & KeyFacts {
  return Object.assign(schema, facts);
}

/** What only the owner says: an endpoint, a name, a channel, a format. */
export const OWNERS: KeyFacts = { strictness: { order: "none" } };
/** A limit. */
export const SMALLER: KeyFacts = { strictness: { order: "smaller" } };
/** A limit that 0 lifts. */
export const SMALLER_BUT_0: KeyFacts = { strictness: { order: "smaller", zero: "no limit" } };
/** A limit that 0 leaves to papa-yu, which is neither smaller nor larger. */
export const SMALLER_OR_0: KeyFacts = { strictness: { order: "smaller", zero: "of its own" } };
/** A list of what is allowed. */
export const FEWER: KeyFacts = { strictness: { order: "fewer" } };
/** People who are let in; the first one is the owner, who is told what the others do. */
export const FEWER_PEOPLE: KeyFacts = { strictness: { order: "fewer", keeps: "first" } };
/** A list of what is forbidden. */
export const MORE: KeyFacts = { strictness: { order: "more" } };
/** The folders that may be worked in. */
export const FOLDERS: KeyFacts = { strictness: { order: "folders" } };

/** A few values, the strictest one first. */
export function listed(...values: readonly (string | boolean)[]): KeyFacts {
  return { strictness: { order: "listed", values } };
}

/** A switch that opens something. */
export const OFF = listed(false, true);
/** A switch that closes something. */
export const ON = listed(true, false);
