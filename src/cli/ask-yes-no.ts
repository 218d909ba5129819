import { closeSync, constants, openSync, readSync } from "node:fs";
import type { Interface } from "node:readline";
import { createInterface } from "node:readline/promises";
import { AppError } from "../core/app-error.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { isYes } from "../protocol/intent.ts";
import { loadC } from "../system/processes/processes.ts";
import type { CliContext } from "./context.ts";

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
 * @throws AppError ERR_CANCELLED when a signal ends the command; CONFIRM_REQUIRED where nobody can be
 * asked, and when the terminal goes away, with or without a SIGHUP: that is no answer
 */
export async function askLine(question: string, context: CliContext): Promise<string> {
  const { stdin, stderr, signal } = context;
  if (!canAsk(context)) throw new AppError("CONFIRM_REQUIRED", NOBODY);
  surviveHangUp(stdin);
  using end = listenForEnd(stdin);
  await Promise.race([stderr.shared?.written, end.reached, untilAborted(signal)]);
  discardTyped(stdin);
  using prompt = createInterface({ input: stdin, output: stderr.terminal ?? stderr });
  using _stop = surviveStop(prompt, { stdin, goOn: () => prompt.prompt(true) });
  const asked = prompt.question(question, { signal });
  try {
    // The editor of lines never settles what it was asked on a terminal that is gone.
    const answer: unknown = await Promise.race([asked, end.reached]);
    // Nor is it an answer that its editor failed there.
    if (typeof answer === "string") return answer;
  } catch {
    stderr.write("\n");
    signal.throwIfAborted();
    return "";
  }
  throw new AppError("CONFIRM_REQUIRED", GONE);
}

const NOBODY =
  "Cannot ask: standard input and stderr are not both a terminal; let them be one, or pass --yes";
const GONE = "Cannot ask: the terminal went away before an answer; nothing was approved";

/**
 * Throws away what waits in a terminal, half a line too. Linux does so when told, whoever the terminal
 * belongs to; elsewhere it is opened once more by its own name and read without waiting, which
 * gives half a line out only while nothing edits lines.
 */
export function discardTyped(stdin: NodeJS.ReadStream): void {
  if (!("fd" in stdin) || typeof stdin.fd !== "number") return;
  const c = loadC({ tcflush: { args: ["i32", "i32"], returns: "i32" } });
  if (c) return void c.symbols.tcflush(stdin.fd, TCIFLUSH);
  const wasRaw = stdin.isRaw;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const terminal = openSync("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY);
    using _close = { [Symbol.dispose]: () => closeSync(terminal) };
    stdin.setRawMode?.(true);
    const dropped = Buffer.alloc(DROPPED_BYTES);
    for (let turn = 0; turn < MOST_READS && readSync(terminal, dropped) > 0; turn++);
  } catch {
    // nothing waits any more, or the terminal is gone, and then nobody answers
  } finally {
    stdin.setRawMode?.(wasRaw);
  }
}

/** What came in and was not read, of termios.h. */
const TCIFLUSH = 0;

/** A terminal holds 4 kB; whoever types on without an end answers what is asked. */
const [DROPPED_BYTES, MOST_READS] = [4096, 256];

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
 * A terminal that went away cannot change its mode, and whoever reads from it must not fail over
 * that: the end of the input says all there is to say.
 */
export function surviveHangUp(stdin: NodeJS.ReadStream): void {
  if (stdin.listeners("error").includes(ignore)) return; // done for an earlier question
  stdin.on("error", ignore);
  const setRawMode = stdin.setRawMode?.bind(stdin);
  if (!setRawMode) return;
  stdin.setRawMode = (mode) => {
    try {
      return setRawMode(mode);
    } catch {
      return stdin;
    }
  };
}

function ignore(): void {}

/**
 * An editor of lines reads on when its job was stopped, by Ctrl-Z or from outside, and goes on. The
 * runtime's own way leaves it paused, and stops this process alone: whoever started it and waits in the
 * same job, as npm does, would be in front of a shell that has no prompt.
 */
export function surviveStop(
  prompt: Pick<Interface, "on">,
  { stdin, giveBack, goOn }: Held,
): Disposable {
  const takeAgain = () => {
    try {
      stdin.setRawMode(false); // a shell set its own mode meanwhile, and the same one is not set twice
      stdin.setRawMode(true);
      goOn();
    } catch {
      // A terminal that went away wakes its job, too; who waits for an answer hears of that.
    }
  };
  const onContinue = () => {
    if (stdin.isRaw) takeAgain(); // else a pager has the terminal
  };
  prompt.on("SIGTSTP", async () => {
    await giveBack?.();
    stdin.setRawMode(false);
    process.kill(0, "SIGTSTP");
    takeAgain(); // it went on, or there is no shell that could have stopped it
  });
  process.on("SIGCONT", onContinue);
  return { [Symbol.dispose]: () => void process.off("SIGCONT", onContinue) };
}

/** What an editor of lines has of the terminal. */
interface Held {
  readonly stdin: CliContext["stdin"];
  /** Gives back what else it set on the terminal; what stops the job waits for it. */
  readonly giveBack?: () => Promise<void> | undefined;
  /** Sets that again, and shows the line that is being edited. */
  readonly goOn: () => void;
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
