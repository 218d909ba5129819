import type { Interface } from "node:readline";
import { toTerminalText } from "../../core/visible-text.ts";
import type { CliContext } from "../context.ts";
import { discardTyped } from "../screen/keyboard.ts";
import { MARK_PASTE, UNMARK_PASTE } from "./paste.ts";

/** Shows a text in the person's pager, in the middle of a chat. */
export interface Viewer {
  /** Whether they want one. */
  isThere(): Promise<boolean>;
  /** False where the text was not shown. */
  show(text: string): Promise<boolean>;
}

/** What a viewer takes the terminal from, and gives it back to. */
interface Place {
  readonly prompt: Interface;
  /** Whether the terminal marks what is pasted. */
  readonly isMarking: boolean;
  /** The folders from which no pager is started, as the configuration says by then. */
  readonly workspaces: () => Promise<readonly string[]>;
}

/**
 * A viewer on the terminal of a chat, whose editor of lines reads nothing meanwhile. What is typed
 * there and not taken by the pager is thrown away: behind it a question is asked.
 */
export function createViewer(
  { prompt, isMarking, workspaces }: Place,
  context: Pick<CliContext, "stdin" | "stdout" | "caller" | "signal">,
): Viewer {
  const { stdin, stdout, caller } = context;

  function takeTerminal(): Disposable {
    prompt.pause();
    stdin.pause();
    stdin.setRawMode(false);
    if (isMarking) stdout.write(UNMARK_PASTE);
    return {
      [Symbol.dispose]() {
        if (isMarking) stdout.write(MARK_PASTE);
        discardTyped(stdin);
        stdin.setRawMode(true);
        stdin.resume();
        prompt.resume();
      },
    };
  }

  return {
    async isThere() {
      const { pagerOf } = await import("../screen/pager.ts");
      return pagerOf(caller.env, (name) => name) !== undefined;
    },
    async show(text) {
      const { page } = await import("../screen/pager.ts");
      const roots = await workspaces().catch(() => undefined); // of a configuration that is broken
      if (!roots) return false;
      using _taken = takeTerminal();
      return await page(toTerminalText(text), stdout, context, roots);
    },
  };
}
