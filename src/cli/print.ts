import type { ErrorCode } from "../core/error-codes.ts";
import { toVisibleText } from "../core/visible-text.ts";
import type { CliContext } from "./context.ts";
import type { Output } from "./open-output.ts";

/** Exactly one JSON document for programs, or text for people. */
export function print({ stdout, json }: CliContext, document: unknown, text: string): void {
  stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

/** The same for a failure that has a document of its own; people read it where errors are printed. */
export function printFailure(
  { stdout, stderr, json }: CliContext,
  document: unknown,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
): void {
  if (json) stdout.write(`${JSON.stringify(document)}\n`);
  stderr.write(`papayu: ${code}: ${toVisibleText(message)}\n`);
}

/**
 * Events of a one-shot command go to stderr, but not into the face of a person at a terminal,
 * for whom the command's own words are enough.
 */
export function eventWriter(context: CliContext): (line: string) => void {
  return (line) => {
    if (context.json || !context.stderr.isTTY) context.stderr.write(line);
  };
}

/** Whether a stream shows colours, and its reader wants them (https://no-color.org). */
export function wantsColor(stream: Output, { caller: { env } }: CliContext): boolean {
  return stream.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
