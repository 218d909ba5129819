import type { RawHit } from "./search.ts";

/** The value at the end of a path of keys; undefined where there is none. */
export function readPath(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => {
    return typeof at === "object" && at !== null && Object.hasOwn(at, key)
      ? Reflect.get(at, key)
      : undefined;
  }, value);
}

/** A list of results whose text and date are under these keys; undefined when it is no list. */
export function toRawHits(
  results: unknown,
  keys: { readonly snippet: string; readonly date: string },
): readonly RawHit[] | undefined {
  if (!Array.isArray(results)) return undefined;
  return results.map((result: unknown) => ({
    url: readPath(result, "url"),
    title: readPath(result, "title"),
    snippet: readPath(result, keys.snippet),
    date: readPath(result, keys.date),
  }));
}
