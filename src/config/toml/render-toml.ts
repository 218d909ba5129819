import { isTable } from "../value-at.ts";

/** What a configuration may hold: TOML without dates. */
export type TomlValue =
  | string
  | number
  | boolean
  | readonly TomlValue[]
  | { readonly [name: string]: TomlValue };

/** A value in one line of TOML; valid only for a {@link TomlValue}. */
export function renderTomlValue(value: unknown): string {
  if (typeof value === "string") return renderText(value);
  if (Array.isArray(value)) return `[${value.map(renderTomlValue).join(", ")}]`;
  // What is NaN and Infinity here.
  if (!isTable(value)) return String(value).replace("NaN", "nan").replace("Infinity", "inf");
  const pairs = Object.entries(value).map(([name, each]) => renderTomlPair([name], each));
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/** `name = value`, or `a.b = value`. */
export function renderTomlPair(names: readonly string[], value: unknown): string {
  return `${renderTomlKey(names)} = ${renderTomlValue(value)}`;
}

/** A dotted key, quoted where it has to be. */
export function renderTomlKey(names: readonly string[]): string {
  return names.map((name) => (/^[\w-]+$/.test(name) ? name : renderText(name))).join(".");
}

/** Whether a value is an array; `Array.isArray` forgets the readonly ones. */
export function isList(value: unknown): value is readonly TomlValue[] {
  return Array.isArray(value);
}

/** JSON escapes as TOML does, but for DEL and, in older parsers, for nothing else. */
function renderText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
}
