import { RefusedError } from "../client/client.ts";

/** What is told of a failure: the server's own words, or the browser's. */
export function messageOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
