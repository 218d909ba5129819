import { createInterface, type Interface } from "node:readline";
import { AppError, errorMessage } from "../../core/app-error.ts";
import { isYes } from "../../protocol/intent.ts";
import type { Texts } from "../../texts/texts.ts";
import type { CliContext } from "../context.ts";
import { createQueue, type Queue } from "../queue.ts";
import { discardTyped, endWithInput, surviveHangUp, surviveStop } from "../screen/keyboard.ts";
import type { Output } from "../screen/open-output.ts";
import { createDialogue, type Dialogue } from "./dialogue.ts";
import { isKeepable, type LineHistory } from "./line-history.ts";
import type { Link } from "./link.ts";
import { filterPaste, fromShown, MARK_PASTE, UNMARK_PASTE } from "./paste.ts";
import { createViewer } from "./viewer.ts";

/** Two Ctrl-C within this time leave the chat. */
const LEAVE_MS = 1500;

/** What a chat is held with. */
export interface TerminalOptions {
  readonly link: Link;
  readonly sessionId: string;
  readonly texts: Texts["terminal"];
  /** Opened on a terminal only. */
  readonly openHistory: () => LineHistory;
  /** The configured folders, as they are by then. */
  readonly workspaces: () => Promise<readonly string[]>;
}

/** Why a chat ended: the person left, or there is no daemon. */
export interface TerminalEnd {
  readonly why: "left" | "hung up";
  /** An answer ended with an error. */
  readonly hasFailed: boolean;
  /** Something was said, so there is something to go on with. */
  readonly hasSaid: boolean;
}

/**
 * A chat on a terminal or a pipe: one line, one message; y or n where the daemon asks.
 * Without a terminal the lines come from the pipe in order, each after the answer before it.
 */
export async function runTerminal(
  { link, sessionId, texts, openHistory, workspaces }: TerminalOptions,
  context: CliContext,
): Promise<TerminalEnd> {
  const { stdin, stdout, signal, caller } = context;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const isCapable = isTerminal && caller.env["TERM"] !== "dumb";
  const history = isTerminal ? openHistory() : undefined;
  using cleanup = new DisposableStack();
  const prompt = openPrompt(context, { history, isCapable, cleanup });
  const left = Promise.withResolvers<"left">();
  const leave = () => left.resolve("left");
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();

  const screen = isTerminal ? context.screen(stdout) : undefined;
  const color = screen?.color === true;
  const hello = { type: "hello", version: 1, color, person: isTerminal } as const;
  const greet = () => link.send({ ...hello, ...(screen && { formats: true, counts: true }) });
  const dialogue = createDialogue({
    link,
    sessionId,
    prompt: isTerminal ? prompt : undefined,
    stdout,
    texts,
    screen,
    again: () => showAgain(prompt, isCapable, stdout),
    isQuiet: context.command.quiet,
    viewer: screen && createViewer({ prompt, isMarking: isCapable, workspaces }, context),
    typed: createTyped(isTerminal ? prompt : undefined),
    greet,
  });
  const lines = readLines(prompt, dialogue);
  if (history) {
    remember(prompt, history, dialogue);
    prompt.on("close", leave);
    interruptWithCtrlC(prompt, { dialogue, lines, leave, stdout, texts });
    cleanup.use(stopWithCtrlZ(prompt, { dialogue, isCapable }, context));
  }
  greet();
  let hasSaid = false;
  const end = converse(dialogue, lines, () => (hasSaid = true), context);
  // Awaited here: the prompt closes with this function.
  const ended = await Promise.race([end, dialogue.hungUp, left.promise]);
  const why = dialogue.state() === "away" ? "hung up" : ended;
  return { why, hasFailed: dialogue.hasFailed(), hasSaid };
}

/** The line editor of a terminal with a history; without one, a reader of lines. */
function openPrompt(
  { stdin, stdout }: CliContext,
  on: {
    readonly history: LineHistory | undefined;
    readonly isCapable: boolean;
    readonly cleanup: DisposableStack;
  },
): Interface {
  const { history, isCapable, cleanup } = on;
  if (!history) return cleanup.use(createReader(stdin));
  surviveHangUp(stdin);
  if (isCapable) {
    stdout.write(MARK_PASTE);
    cleanup.defer(() => void stdout.write(UNMARK_PASTE));
  }
  const editor = createInterface({
    input: isCapable ? cleanup.use(filterPaste(stdin)) : stdin,
    output: stdout,
    terminal: true,
    history: [...history.lines],
    removeHistoryDuplicates: true,
  });
  return cleanup.use(endWithInput(editor));
}

/** @throws AppError ERR_IO for what has no lines, such as a folder */
function createReader(stdin: CliContext["stdin"]): Interface {
  try {
    return endWithInput(createInterface({ input: stdin }));
  } catch (error) {
    const message = `Cannot chat: stdin cannot be read (${errorMessage(error)}); give a terminal, a file or a pipe`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

async function converse(
  dialogue: Dialogue,
  lines: Queue<string>,
  note: () => void,
  { stdin, stdout }: CliContext,
): Promise<"left"> {
  dialogue.invite();
  for await (const line of lines) {
    if (line.trim() !== "" || dialogue.state() === "asked") {
      note();
      await dialogue.say(line);
    }
    // Nobody can have intended a "y" that was typed before the change set was on the screen.
    if (stdin.isTTY && dialogue.state() === "asked") {
      await stdout.shared?.written;
      discardTyped(stdin);
      lines.clear();
    }
    dialogue.invite();
  }
  return "left";
}

/** Lines wait for their turn; only /cancel overtakes. */
function readLines(prompt: Interface, dialogue: Dialogue): Queue<string> {
  const lines = createQueue<string>();
  prompt.on("line", (shown) => {
    const line = fromShown(shown);
    if (line.trim() === "/cancel" && dialogue.state() === "busy") dialogue.cancel();
    else lines.push(line);
  });
  prompt.on("close", () => lines.end());
  return lines;
}

/** What is in the editor of lines of a terminal, and what waits in front of it; a "y" is forgotten. */
function createTyped(prompt: Interface | undefined) {
  let aside = "";
  return {
    setAside() {
      if (!prompt || prompt.line === "") return;
      if (!isYes(prompt.line)) aside = prompt.line;
      clearLine(prompt);
    },
    bringBack() {
      if (aside !== "") prompt?.write(aside);
      aside = "";
    },
  };
}

/** The line that is being edited; an editor of lines shows a dumb terminal its prompt alone. */
function showAgain(prompt: Interface, isCapable: boolean, stdout: Output): void {
  prompt.prompt(true);
  if (!isCapable) stdout.write(prompt.line);
}

function clearLine(prompt: Interface): void {
  prompt.write(null, { ctrl: true, name: "e" });
  prompt.write(null, { ctrl: true, name: "u" });
  if (prompt.line !== "") Object.assign(prompt, { line: "", cursor: 0 }); // of TERM=dumb: knows no keys
}

/** A yes is no line to come back to, and a key is none to keep. */
function remember(prompt: Interface, history: LineHistory, dialogue: Dialogue): void {
  prompt.on("history", (all: string[]) => {
    const [newest = ""] = all;
    if (dialogue.state() !== "asked" && isKeepable(newest)) history.add(newest);
    else all.shift();
  });
}

/** Ctrl-C cancels what runs, says no, drops what was typed, or leaves an empty line; twice it leaves. */
function interruptWithCtrlC(
  prompt: Interface,
  on: {
    readonly dialogue: Dialogue;
    readonly lines: Queue<string>;
    readonly leave: () => void;
    readonly stdout: Output;
    readonly texts: Texts["terminal"];
  },
): void {
  const { dialogue, lines, leave, stdout, texts } = on;
  let lastAt = -Infinity;
  prompt.on("SIGINT", () => {
    if (Date.now() - lastAt < LEAVE_MS) return leave();
    lastAt = Date.now();
    switch (dialogue.state()) {
      case "busy":
        return dialogue.cancel();
      case "asked":
        stdout.write("\n");
        return lines.push("n");
      default:
        if (prompt.line === "") return leave();
        clearLine(prompt);
        stdout.write(`\n${texts.leaves}\n`);
        return dialogue.invite();
    }
  });
}

/** Ctrl-Z gives the terminal back, and what was typed is there when the chat goes on. */
function stopWithCtrlZ(
  prompt: Interface,
  { dialogue, isCapable }: { readonly dialogue: Dialogue; readonly isCapable: boolean },
  { stdin, stdout }: CliContext,
): Disposable {
  return surviveStop(prompt, {
    stdin,
    giveBack() {
      if (isCapable) stdout.write(UNMARK_PASTE);
      return stdout.shared?.written;
    },
    goOn() {
      if (isCapable) stdout.write(MARK_PASTE);
      if (dialogue.state() !== "busy") showAgain(prompt, isCapable, stdout);
    },
  });
}
