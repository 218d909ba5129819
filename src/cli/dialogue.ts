import { clearScreenDown, cursorTo, type Interface } from "node:readline";
import type { DaemonLine } from "../channels/socket/wire.ts";
import { isYes } from "./ask-yes-no.ts";
import type { DaemonClient } from "./daemon-client.ts";

const PROMPT = "› ";
const APPLY = "Apply? [y/N] ";
const RUN = "Run it? [y/N] ";

/** One conversation with the daemon, as a terminal or a pipe sees it. */
export interface Dialogue {
  /** Sends a line, as an answer where one is asked for, and waits for the end of the reply. */
  say(line: string): Promise<void>;
  /** Shows that it is the person's turn. */
  invite(): void;
  cancel(): void;
  state(): "busy" | "asked" | "idle";
  readonly hungUp: Promise<"hung up">;
}

/**
 * Prints whatever the daemon says, asked for or not, and knows when a reply is complete. Without
 * a `prompt` there is no terminal.
 */
export function createDialogue(
  client: DaemonClient,
  sessionId: string,
  prompt: Interface | undefined,
  stdout: NodeJS.WriteStream,
): Dialogue {
  let asked: { readonly id: string; readonly question: string } | undefined;
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
        asked = { id: line.request_id, question: line.tool === "apply_change_set" ? APPLY : RUN };
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
      const text = asked?.question ?? PROMPT;
      prompt?.setPrompt(text);
      prompt?.prompt();
      if (!prompt && asked !== undefined) write(text);
      if (prompt) atLineStart = true; // Enter will end the line
    },
    async say(line) {
      const requestId = asked?.id;
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
