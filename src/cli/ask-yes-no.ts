import { createInterface } from "node:readline/promises";
import { isYes } from "../protocol/intent.ts";
import type { CliContext } from "./context.ts";

/**
 * Asks on the terminal; anything but a clear yes is a no, and so are Ctrl-C and Ctrl-D.
 *
 * @throws AppError ERR_CANCELLED when a signal ends the command
 */
export async function askYesNo(question: string, context: CliContext): Promise<boolean> {
  const { stdin, stderr, signal } = context;
  using prompt = createInterface({ input: stdin, output: stderr.terminal ?? stderr });
  try {
    return isYes(await prompt.question(`${question} [y/N] `, { signal }));
  } catch {
    stderr.write("\n");
    signal.throwIfAborted();
    return false;
  }
}
