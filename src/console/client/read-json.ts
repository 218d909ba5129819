type Json = Readonly<Record<string, unknown>>;

/** A value of the server as an object; empty where it is none. */
export function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** As a list; empty where it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** As a text; empty where it is none. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** As a number; 0 where it is none. */
export function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Milliseconds, whether as a number or as an ISO date. */
export function time(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : value;
  return typeof at === "number" && Number.isFinite(at) ? at : undefined;
}

/** Of a field that may be missing; the server has `null` where a value could have been. */
export function maybe<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

/** What a document holds, whatever it holds: the readers of all documents are made of these. */
export const json = { fields: object, list, text, number, time, maybe };
