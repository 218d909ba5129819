import { createInterface } from "node:readline/promises";
import { AppError } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { isYes } from "../protocol/intent.ts";
import type { CliContext } from "./context.ts";
import { discardTyped, endWithInput, surviveHangUp, surviveStop } from "./screen/keyboard.ts";

/** Whether somebody sees what is asked, and can answer. */
export function canAsk({ stdin, stderr }: Pick<CliContext, "stdin" | "stderr">): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** Asks on the terminal; anything but a clear yes is a no, see {@link askLine}. */
export async function askYesNo(question: string, context: CliContext): Promise<boolean> {
  return isYes(await askLine(`${question} [y/N] `, context));
}

/**
 * Asks on the terminal for a line; after Ctrl-C and Ctrl-D it is empty. What was typed before is no
 * answer: nobody can have intended a "y" for what was not shown yet, or is on its way to the screen.
 *
 * @throws AppError ERR_CANCELLED when another signal ends the command; CONFIRM_REQUIRED where nobody can be
 * asked, where not all was shown that was said, and when the terminal goes away, with or without a
 * SIGHUP: that is no answer
 */
export async function askLine(question: string, context: CliContext): Promise<string> {
  const { stdin, stderr, signal } = context;
  if (!canAsk(context)) throw new AppError("CONFIRM_REQUIRED", NOBODY);
  surviveHangUp(stdin);
  using end = listenForEnd(stdin);
  await Promise.race([stderr.shared?.written, end.reached, untilAborted(signal)]);
  discardTyped(stdin);
  if (stderr.shared?.isCut) throw new AppError("CONFIRM_REQUIRED", CUT);
  const output = stderr.terminal ?? stderr;
  using prompt = endWithInput(createInterface({ input: stdin, output }));
  using _stop = surviveStop(prompt, { stdin, goOn: () => prompt.prompt(true) });
  const asked = prompt.question(question, { signal });
  try {
    // The editor of lines never settles what it was asked on a terminal that is gone.
    const answer: unknown = await Promise.race([asked, end.reached]);
    // Nor is it an answer that its editor failed there.
    if (typeof answer === "string") return answer;
  } catch {
    stderr.write("\n");
    if (!hasHungUp(signal)) {
      signal.throwIfAborted();
      return "";
    }
  }
  throw new AppError("CONFIRM_REQUIRED", GONE);
}

/** Whether the window was closed, of what is told by other signals as well. */
function hasHungUp({ reason }: AbortSignal): boolean {
  return reason instanceof AppError && reason.cause === "SIGHUP";
}

const NOBODY =
  "Cannot ask: standard input and stderr are not both a terminal; let them be one, or pass --yes";
const CUT =
  "Cannot ask: the terminal took so little that part of what was said was not shown; run it again";
const GONE = "Cannot ask: the terminal went away before an answer; nothing was approved";

/** Resolves when nothing can be typed any more: Ctrl-D is a key that the editor of lines takes. */
function listenForEnd(stdin: NodeJS.ReadStream): Disposable & { readonly reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const names = ["end", "close", "error"] as const;
  for (const name of names) stdin.once(name, resolve);
  if (stdin.readableEnded || stdin.destroyed) resolve();
  const stop = () => {
    for (const name of names) stdin.off(name, resolve);
  };
  return { reached, [Symbol.dispose]: stop };
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
  const {
    stderr,
    command: { json },
  } = context;
  if (json || !canAsk(context)) {
    const message = `Cannot ${what.action}: nobody can be asked here; look at it, then pass --yes`;
    throw new AppError("CONFIRM_REQUIRED", `${message}\n${what.text}`);
  }
  stderr.write(`${what.text}\n`);
  const isYesSaid = await askYesNo(what.question, context);
  if (!isYesSaid) stderr.write("papayu: nothing was changed\n");
  return isYesSaid;
}
