import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import type { DaemonLine } from "../channels/socket/wire.ts";
import { isYes } from "./ask-yes-no.ts";
import type { CliContext } from "./context.ts";
import type { DaemonClient } from "./daemon-client.ts";
import { wantsColor } from "./print.ts";
import { createQueue, type Queue } from "./queue.ts";

/** Two Ctrl-C within this time leave the chat. */
const LEAVE_MS = 1500;
const PROMPT = "› ";
const QUESTION = "Apply? [y/N] ";

/**
 * A chat on a terminal or a pipe: one line, one message; y or n where the daemon asks.
 * Without a terminal the lines come from the pipe in order, each after the answer before it.
 * Says why it ended: the person left, or the daemon hung up.
 */
export async function runTerminal(
  client: DaemonClient,
  sessionId: string,
  context: CliContext,
): Promise<"left" | "hung up"> {
  const { stdin, stdout, signal } = context;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  const left = Promise.withResolvers<"left">();
  if (isTerminal) surviveHangUp(stdin);
  using prompt = createInterface({ input: stdin, ...(isTerminal && { output: stdout }) });
  const leave = () => left.resolve("left");
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();

  const dialogue = createDialogue(client, sessionId, isTerminal ? prompt : undefined, stdout);
  const lines = readLines(prompt, dialogue);
  if (isTerminal) {
    prompt.on("close", leave);
    process.once("SIGHUP", leave); // its window was closed
    interruptWithCtrlC(prompt, { dialogue, lines, leave, stdout });
  }
  client.send({ type: "hello", version: 1, color: wantsColor(stdout, context) });
  // Awaited here: the prompt closes with this function.
  return await Promise.race([converse(dialogue, lines), dialogue.hungUp, left.promise]);
}

/** A terminal that went away cannot leave raw mode, and readline must not fail over that. */
function surviveHangUp(stdin: NodeJS.ReadStream): void {
  const setRawMode = stdin.setRawMode.bind(stdin);
  stdin.setRawMode = (mode) => {
    try {
      return setRawMode(mode);
    } catch {
      return stdin;
    }
  };
}

async function converse(dialogue: Dialogue, lines: Queue<string>): Promise<"left"> {
  dialogue.invite();
  for await (const line of lines) {
    if (line.trim() !== "" || dialogue.state() === "asked") await dialogue.say(line);
    dialogue.invite();
  }
  return "left";
}

/** Lines wait for their turn; only /cancel overtakes. */
function readLines(prompt: Interface, dialogue: Dialogue): Queue<string> {
  const lines = createQueue<string>();
  prompt.on("line", (line) => {
    if (line.trim() === "/cancel" && dialogue.state() === "busy") dialogue.cancel();
    else lines.push(line);
  });
  prompt.on("close", () => lines.end());
  return lines;
}

/** One Ctrl-C cancels what runs, says no, or drops what was typed; two in a row leave. */
function interruptWithCtrlC(
  prompt: Interface,
  on: { dialogue: Dialogue; lines: Queue<string>; leave: () => void; stdout: NodeJS.WriteStream },
): void {
  const { dialogue, lines, leave, stdout } = on;
  let lastAt = 0;
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
        prompt.write(null, { ctrl: true, name: "e" });
        prompt.write(null, { ctrl: true, name: "u" });
        stdout.write("\n(Ctrl-C again leaves)\n");
        return dialogue.invite();
    }
  });
}

interface Dialogue {
  /** Sends a line, as an answer where one is asked for, and waits for the end of the reply. */
  say(line: string): Promise<void>;
  /** Shows that it is the person's turn. */
  invite(): void;
  cancel(): void;
  state(): "busy" | "asked" | "idle";
  readonly hungUp: Promise<"hung up">;
}

/** Prints whatever the daemon says, asked for or not, and knows when a reply is complete. */
function createDialogue(
  client: DaemonClient,
  sessionId: string,
  prompt: Interface | undefined,
  stdout: NodeJS.WriteStream,
): Dialogue {
  let asked: string | undefined;
  let replied: PromiseWithResolvers<void> | undefined;
  let atLineStart = true;
  const write = (text: string) => {
    if (text === "") return;
    stdout.write(text);
    atLineStart = text.endsWith("\n");
  };
  const writeLine = (text: string) => write(`${atLineStart ? "" : "\n"}${text}\n`);
  const show = (line: DaemonLine) => {
    switch (line.type) {
      case "token":
        return write(line.content);
      case "notice":
        return replied ? writeLine(line.content) : interrupt(line.content);
      case "confirm":
        asked = line.request_id;
        return undefined;
      case "error":
        writeLine(`error: ${line.message}`);
        return replied?.resolve();
      case "done":
        if (!atLineStart) write("\n");
        return replied?.resolve();
      case "status":
        return undefined;
      default:
        return line satisfies never;
    }
  };
  /** Text nobody waits for goes above the line that is being typed. */
  const interrupt = (text: string) => {
    if (!prompt) return writeLine(text);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    stdout.write(`${text}\n`);
    prompt.prompt(true);
  };
  const pump = async () => {
    for await (const line of client.lines) show(line);
    return "hung up" as const;
  };
  return {
    hungUp: pump(),
    state: () => (replied ? "busy" : asked === undefined ? "idle" : "asked"),
    cancel: () => client.send({ type: "cancel", session_id: sessionId }),
    invite() {
      const text = asked === undefined ? PROMPT : QUESTION;
      prompt?.setPrompt(text);
      prompt?.prompt();
      if (!prompt && asked !== undefined) write(text);
      if (prompt) atLineStart = true; // Enter will end the line
    },
    async say(line) {
      const requestId = asked;
      asked = undefined;
      replied = Promise.withResolvers();
      if (requestId === undefined) {
        client.send({ type: "message", session_id: sessionId, content: line });
      } else {
        if (!prompt) write(`${line}\n`); // a pipe shows no typing
        client.send({ type: "confirm_response", request_id: requestId, approved: isYes(line) });
      }
      await replied.promise;
      replied = undefined;
    },
  };
}
