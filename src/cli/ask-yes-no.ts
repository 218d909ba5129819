import { createInterface } from "node:readline/promises";
import { AppError } from "../core/app-error.ts";
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

/**
 * Shows what a command is about to do and asks on the terminal; `isAgreed` is a `--yes`.
 *
 * @throws AppError CONFIRM_REQUIRED where nobody can be asked
 */
export async function confirm(
  what: { readonly action: string; readonly question: string; readonly text: string },
  isAgreed: boolean,
  context: CliContext,
): Promise<boolean> {
  if (isAgreed) return true;
  const { stdin, stderr, json } = context;
  if (json || !stdin.isTTY || !stderr.isTTY) {
    const message = `Cannot ${what.action}: nobody can be asked here; look at it, then pass --yes`;
    throw new AppError("CONFIRM_REQUIRED", `${message}\n${what.text}`);
  }
  stderr.write(`${what.text}\n`);
  const isYesSaid = await askYesNo(what.question, context);
  if (!isYesSaid) stderr.write("papayu: nothing was changed\n");
  return isYesSaid;
}
