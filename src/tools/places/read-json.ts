import { shorten } from "../../core/cut-text.ts";
/** The value under a key; undefined where there is no such thing. */
export function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/** A list, under a key if one is given; anything else is an empty one. */
export function readList(value: unknown, key?: string): readonly unknown[] {
  const list = key === undefined ? value : readKey(value, key);
  return Array.isArray(list) ? list : [];
}

/** A text on one line that says something. */
export function readText(value: unknown, key: string): string | undefined {
  const text = readKey(value, key);
  return typeof text === "string" ? toLine(text) : undefined;
}

/** A number, also one that is given as a text. */
export function readNumber(value: unknown, key: string): number | undefined {
  const found = readKey(value, key);
  const number = typeof found === "string" && found !== "" ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function toLine(text: string): string | undefined {
  const line = shorten(text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim(), 300);
  return line === "" ? undefined : line.toWellFormed();
}
