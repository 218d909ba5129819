import { AppError } from "../core/app-error.ts";
import { askYesNo } from "./ask-yes-no.ts";
import type { CliContext } from "./context.ts";

/**
 * Shows what a command is about to do and asks on the terminal; `isYes` is a `--yes`.
 *
 * @throws AppError CONFIRM_REQUIRED where nobody can be asked
 */
export async function confirm(
  what: { readonly action: string; readonly question: string; readonly text: string },
  isYes: boolean,
  context: CliContext,
): Promise<boolean> {
  if (isYes) return true;
  const { stdin, stderr, json } = context;
  if (json || !stdin.isTTY || !stderr.isTTY) {
    const message = `Cannot ${what.action}: nobody can be asked here; look at it, then pass --yes`;
    throw new AppError("CONFIRM_REQUIRED", `${message}\n${what.text}`);
  }
  stderr.write(`${what.text}\n`);
  const isAgreed = await askYesNo(what.question, context);
  if (!isAgreed) stderr.write("papayu: nothing was changed\n");
  return isAgreed;
}
