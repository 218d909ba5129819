import { cutText } from "../core/cut-text.ts";
import { toLine } from "./to-line.ts";

const MAX_QUERY_CHARS = 400;

/**
 * A query that may leave the machine: secrets masked, one line, 400 characters.
 *
 * Masked twice: a secret of several lines is only one before they are joined, one with invisible
 * characters in it only after they are gone.
 */
export function cleanQuery(query: string, redact: (text: string) => string): string {
  return cutText(redact(toLine(redact(query), Infinity)), MAX_QUERY_CHARS).trim();
}
