import { type TObject, type TProperties, Type } from "typebox";
import type { Key } from "./schema-facts.ts";

/** What an address has to look like. */
export const URL_RULE = { pattern: "^https?://\\S+$", examples: ["https://api.openai.com/v1"] };
/** What people may call a thing. */
export const NAME_RULE = { pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}$" };

/** A table that may be left out whole: every key of it has a default or is optional. */
export function table<T extends Record<string, Key>>(description: string, keys: T) {
  return Type.Object(keys, { ...rulesOf(description, keys), default: {} });
}

/** The whole file: tables, and what stands at its top with its facts. */
export function whole<T extends Record<string, TObject | Key>>(keys: T) {
  return keys;
}

/** A table that people write themselves; keys without a default are required. */
export function entry<T extends TProperties>(description: string, keys: T) {
  return Type.Object(keys, rulesOf(description, keys));
}

function rulesOf(description: string, keys: TProperties) {
  const required = Object.entries(keys).filter(
    ([, key]) => !("default" in key) && !Type.IsOptional(key),
  );
  return { description, additionalProperties: false, required: required.map(([name]) => name) };
}

/** A text with its default. */
export function text(description: string, initial: string, example?: string) {
  const examples = example === undefined ? {} : { examples: [example] };
  return Type.String({ description, default: initial, maxLength: 4096, ...examples });
}

/** An array of texts. */
export function texts(description: string, initial: string[] = []) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
    description,
    default: initial,
    maxItems: 1000,
  });
}

/** "env:NAME", "file:PATH" or a literal; `writeOnly`: never to be shown. */
export function secret(description: string, initial: string) {
  return Type.String({ description, default: initial, maxLength: 4096, writeOnly: true });
}

/** An address with its default. */
export function url(description: string, initial: string) {
  return Type.String({ description, default: initial, ...URL_RULE });
}

/** One of a few words. */
export function choice<const T extends string>(
  description: string,
  values: T[],
  initial: NoInfer<T>,
) {
  return Type.Unsafe<T>({ description, type: "string", enum: values, default: initial });
}

/** True or false. */
export function flag(description: string, initial: boolean) {
  return Type.Boolean({ description, default: initial });
}

/** A whole number within bounds. */
export function integer(description: string, initial: number, minimum: number, maximum: number) {
  return Type.Integer({ description, default: initial, minimum, maximum });
}

/** An amount of money; 0 unless told otherwise. */
export function money(description: string) {
  return Type.Number({ description, default: 0, minimum: 0, maximum: 1_000_000 });
}

/** A price; absent where it is not known. */
export function price(description: string, example: number) {
  return Type.Optional(
    Type.Number({ description, minimum: 0, maximum: 10_000, examples: [example] }),
  );
}

/** Variables or headers; a value is a text, "env:NAME" or "file:PATH". */
export function references(description: string, namePattern: string) {
  return Type.Unsafe<Record<string, string>>({
    description,
    type: "object",
    default: {},
    propertyNames: { pattern: namePattern },
    additionalProperties: { type: "string", maxLength: 4096 },
  });
}
