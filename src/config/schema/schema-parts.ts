import { type TObject, type TProperties, Type } from "typebox";
import { documented, type Key } from "./schema-facts.ts";

/** What an address has to look like. */
export const URL_RULE = { pattern: "^https?://\\S+$" };
/** The same, or nothing. */
export const OPTIONAL_URL = "^(https?://\\S+)?$";
/** A name of the net with nothing behind it, or nothing; never this machine's own. */
export const PUBLIC_URL =
  "^(https://(?![^/]*\\.localhost(?:[:/]|$))(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::[0-9]{1,5})?/?)?$";
/** What people may call a thing. */
export const NAME_RULE = { pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$" };

/** A table that may be left out whole: every key of it has a default or is optional. */
export function table<T extends Record<string, Key>>(
  description: string,
  keys: T,
  seeAlso?: string,
) {
  return Type.Object(keys, { ...rulesOf(description, keys, seeAlso), default: {} });
}

/** The whole file: tables, and keys of its top level with their facts. */
export function whole<T extends Record<string, TObject | Key>>(keys: T) {
  return keys;
}

/** A table that people write themselves; keys without a default are required. */
export function entry<T extends Record<string, Key>>(
  description: string,
  keys: T,
  seeAlso?: string,
) {
  return Type.Object(keys, rulesOf(description, keys, seeAlso));
}

function rulesOf(description: string, keys: TProperties, seeAlso?: string) {
  const required = Object.entries(keys).filter(
    ([, key]) => !("default" in key) && !Type.IsOptional(key),
  );
  return {
    description,
    ...(seeAlso !== undefined && { seeAlso }),
    additionalProperties: false,
    required: required.map(([name]) => name),
  };
}

/** A text with its default. */
export function text(description: string, initial: string, example?: string) {
  const examples = example === undefined ? {} : { examples: [example] };
  const docs = { description, default: initial, ...examples };
  return documented(Type.String({ maxLength: 4096 }), docs);
}

/** An array of texts. */
export function texts(description: string, initial: string[] = []) {
  const item = Type.String({ minLength: 1, maxLength: 4096 });
  const docs = { description, default: initial };
  return documented(Type.Array(item, { maxItems: 1000 }), docs);
}

/** An address with its default. */
export function url(description: string, initial: string) {
  const docs = { description, default: initial, examples: [initial] };
  return documented(Type.String({ ...URL_RULE }), docs);
}

/** An address that may be empty, and is unless told otherwise. */
export function urlOrNone(description: string, ...examples: string[]) {
  const docs = { description, default: "", examples };
  return documented(Type.String({ pattern: OPTIONAL_URL }), docs);
}

/** One of a few words. */
export function choice<const T extends string>(
  description: string,
  values: T[],
  initial: NoInfer<T>,
) {
  const docs = { description, default: initial };
  return documented(Type.Unsafe<T>({ type: "string", enum: values }), docs);
}

/** True or false. */
export function flag(description: string, initial: boolean) {
  return documented(Type.Boolean(), { description, default: initial });
}

/** A whole number within bounds. */
export function integer(description: string, initial: number, minimum: number, maximum: number) {
  return documented(Type.Integer({ minimum, maximum }), { description, default: initial });
}

/** An amount of money; 0 unless told otherwise. */
export function money(description: string) {
  return documented(Type.Number({ minimum: 0, maximum: 1_000_000 }), { description, default: 0 });
}

/** A price; absent where it is not known. */
export function price(description: string, example: number) {
  const amount = Type.Optional(Type.Number({ minimum: 0, maximum: 10_000 }));
  return documented(amount, { description, examples: [example] });
}

/** Variables or headers; a value is a text, "env:NAME" or "file:PATH". */
export function references(description: string, names: { pattern: string; examples: string[] }) {
  const named = Type.Unsafe<Record<string, string>>({
    type: "object",
    propertyNames: names,
    additionalProperties: { type: "string", maxLength: 4096 },
  });
  return documented(named, { description, default: {} });
}
