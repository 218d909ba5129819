import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

/**
 * The code that a line for people begins with, `CODE: message`, as the socket's `error` lines do;
 * "" where it begins with none. A code of a newer version is one too: capitals with a "_".
 */
export function extractErrorCodePrefix(text: string): string {
  const [, prefix = ""] = /^\s*(\w+):/u.exec(text) ?? [];
  return isErrorCode(prefix) || /^[A-Z]+(?:_[A-Z0-9]+)+$/u.test(prefix) ? prefix : "";
}

/** Whether a value is a code of this version. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}
