import { createInterface, type Interface } from "node:readline";
import type { CliContext } from "./context.ts";
import type { DaemonClient } from "./daemon-client.ts";
import { createDialogue, type Dialogue } from "./dialogue.ts";
import { wantsColor } from "./print.ts";
import { createQueue, type Queue } from "./queue.ts";

/** Two Ctrl-C within this time leave the chat. */
const LEAVE_MS = 1500;

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
  const end = converse(dialogue, lines, isTerminal);
  return await Promise.race([end, dialogue.hungUp, left.promise]);
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

async function converse(
  dialogue: Dialogue,
  lines: Queue<string>,
  isTerminal: boolean,
): Promise<"left"> {
  dialogue.invite();
  for await (const line of lines) {
    if (line.trim() !== "" || dialogue.state() === "asked") await dialogue.say(line);
    // Nobody can have meant a "y" that was typed before the change set was shown.
    if (isTerminal && dialogue.state() === "asked") lines.clear();
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
