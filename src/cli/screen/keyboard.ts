import { closeSync, constants, openSync, readSync } from "node:fs";
import type { Interface } from "node:readline";
import { loadC } from "../../system/processes/processes.ts";

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
 * An editor of lines that hears that its input failed says so once more, and that ends the process
 * where nobody listens; here it is the end of the input.
 */
export function endWithInput<Editor extends Interface>(prompt: Editor): Editor {
  prompt.on("error", () => prompt.close());
  return prompt;
}

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
  readonly stdin: NodeJS.ReadStream;
  /** Gives back what else it set on the terminal; what stops the job waits for it. */
  readonly giveBack?: () => Promise<void> | undefined;
  /** Sets that again, and shows the line that is being edited. */
  readonly goOn: () => void;
}
