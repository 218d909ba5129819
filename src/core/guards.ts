/** Says whether a value of unknown origin is of a type. */
export type Guard<T> = (value: unknown) => value is T;

/** What a guard lets through. */
export type Guarded<G> = G extends Guard<infer T> ? T : never;

type Guards = Readonly<Record<string, Guard<unknown>>>;
type Fields<G extends Guards> = { readonly [K in keyof G]: Guarded<G[K]> };

/** Any text. */
export const isText: Guard<string> = (value) => typeof value === "string";

/** A number that counts something. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** True or false. */
export const isFlag: Guard<boolean> = (value) => typeof value === "boolean";

/** An object that is no list, whatever it holds. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One of some words. */
export function isOneOf<const W extends string>(...words: readonly W[]): Guard<W> {
  return (value): value is W => words.some((word) => word === value);
}

/** What one of some guards lets through. */
export function isAny<const G extends readonly Guard<unknown>[]>(
  ...guards: G
): Guard<Guarded<G[number]>> {
  return (value): value is Guarded<G[number]> => guards.some((guard) => guard(value));
}

/** A list of which every entry passes. */
export function isListOf<T>(each: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(each);
}

/** An object of which every value passes. */
export function isMapOf<T>(each: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isFields(value) && Object.values(value).every(each);
}

/** An object with these fields; what an optional one holds must be right, too. Others may be there. */
export function isObject<N extends Guards>(needed: N): Guard<Fields<N>>;
export function isObject<N extends Guards, O extends Guards>(
  needed: N,
  optional: O,
): Guard<Fields<N> & Partial<Fields<O>>>;
export function isObject(needed: Guards, optional: Guards = {}): Guard<object> {
  const must = Object.entries(needed);
  const may = Object.entries(optional);
  return (value): value is object =>
    isFields(value) &&
    must.every(([name, guard]) => guard(value[name])) &&
    may.every(([name, guard]) => value[name] === undefined || guard(value[name]));
}

/** The value of a JSON text, if it is what the guard says; undefined otherwise. Never throws. */
export function parseJsonAs<T>(text: string, guard: Guard<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return guard(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Deeper is nothing that anybody reads; to write what is nested a thousand times deeper takes minutes. */
const MAX_JSON_DEPTH = 200;

/** Whether a value that others made is nested deeper than anybody reads; without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}

/** A text of others as JSON; undefined for what is none, or nested deeper than anybody reads. */
export function parseForeignJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A value of others as JSON, by `JSON.stringify`; undefined where it is nested deeper than anybody reads. */
export function toForeignJson(
  value: unknown,
  replace?: (key: string, value: unknown) => unknown,
): string | undefined {
  return isTooDeep(value) ? undefined : JSON.stringify(value, replace);
}

/** A value as JSON that is the same in whatever order the keys of its objects stand. */
export function toOrderedJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * How much a person may say of one change set: so many comments, of so many characters (UTF-16 units)
 * each and in all. All of it is told to a model within the bound of a goal, so no more is kept than
 * can be sent.
 */
export const SAID_BOUNDS = { comments: 50, chars: 10_000, charsOfAll: 20_000 } as const;
