import { createInterface, type Interface } from "node:readline";
import type { DaemonLine } from "../channels/socket/wire.ts";
import { isYes } from "./ask-yes-no.ts";
import type { CliContext } from "./context.ts";
import type { DaemonClient } from "./daemon-client.ts";

/** Two Ctrl-C within this time leave the chat. */
const LEAVE_MS = 1500;
const PROMPT = "› ";

/**
 * A chat on a terminal or a pipe: one line, one message; y or n where the daemon asks.
 * Without a terminal the lines come from the pipe in order, each after the answer before it.
 * Ends with the input, the connection, the signal or a second Ctrl-C.
 */
export async function runTerminal(
  client: DaemonClient,
  options: {
    readonly sessionId: string;
    readonly firstLine?: string;
    readonly context: CliContext;
  },
): Promise<void> {
  const { sessionId, firstLine, context } = options;
  const { stdin, stdout, signal } = context;
  const isTerminal = stdin.isTTY && stdout.isTTY;
  using prompt = createInterface({
    input: stdin,
    ...(isTerminal && { output: stdout, historySize: 200, prompt: PROMPT }),
  });
  const close = () => prompt.close();
  signal.addEventListener("abort", close, { once: true });
  cancelOnInterrupt(prompt, client, sessionId);
  client.send({ type: "hello", version: 1, color: stdout.isTTY ?? false });
  const dialogue = createDialogue(client, stdout, close);
  if (firstLine !== undefined) await dialogue.say(sessionId, firstLine);
  if (isTerminal) prompt.prompt();
  for await (const line of prompt) {
    if (line.trim() !== "" || dialogue.isAsked()) await dialogue.say(sessionId, line);
    if (isTerminal && !dialogue.isAsked()) prompt.prompt();
  }
}

interface Dialogue {
  /** Sends a line, as an answer where one is asked for, and waits for the end of the reply. */
  say(sessionId: string, line: string): Promise<void>;
  isAsked(): boolean;
}

/** Prints whatever the daemon says, asked for or not, and knows when a reply is complete. */
function createDialogue(
  client: DaemonClient,
  stdout: NodeJS.WriteStream,
  onClosed: () => void,
): Dialogue {
  let asked: string | undefined;
  let replied = Promise.withResolvers<void>();
  let atLineStart = true;
  const write = (text: string) => {
    if (text === "") return;
    stdout.write(text);
    atLineStart = text.endsWith("\n");
  };
  const show = (line: DaemonLine) => {
    switch (line.type) {
      case "token":
        return write(line.content);
      case "notice":
        return write(`${atLineStart ? "" : "\n"}${line.content}\n`);
      case "confirm":
        asked = line.request_id;
        return undefined;
      case "error":
      case "done":
        if (line.type === "error") write(`${atLineStart ? "" : "\n"}error: ${line.message}`);
        if (!atLineStart) write("\n");
        if (asked !== undefined) write("Apply? [y/N] ");
        return replied.resolve();
      case "status":
        return undefined;
      default:
        return line satisfies never;
    }
  };
  const pump = async () => {
    for await (const line of client.lines) show(line);
    replied.resolve();
    onClosed();
  };
  void pump();
  return {
    isAsked: () => asked !== undefined,
    async say(sessionId, line) {
      const requestId = asked;
      asked = undefined;
      replied = Promise.withResolvers();
      if (requestId === undefined) {
        client.send({ type: "message", session_id: sessionId, content: line });
      } else {
        client.send({ type: "confirm_response", request_id: requestId, approved: isYes(line) });
      }
      await replied.promise;
    },
  };
}

/** The first Ctrl-C ends what runs, a second one soon after ends the chat. */
function cancelOnInterrupt(prompt: Interface, client: DaemonClient, sessionId: string): void {
  let lastAt = 0;
  prompt.on("SIGINT", () => {
    if (Date.now() - lastAt < LEAVE_MS) return prompt.close();
    lastAt = Date.now();
    client.send({ type: "cancel", session_id: sessionId });
  });
}
