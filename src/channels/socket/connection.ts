import { shorten } from "../../core/cut-text.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import {
  type AgentEvent,
  type ConsoleAsked,
  type ConsoleDoor,
  type Conversation,
  type Emit,
  type Speaker,
  UNEXPECTED,
} from "../channel.ts";
import { toPressAct } from "../press.ts";
import type { Output } from "./output.ts";
import { toLines, type Wanted } from "./to-lines.ts";
import {
  type ClientLine,
  createLineSplitter,
  type DaemonLine,
  encodeLine,
  parseClientLine,
  toSessionId,
} from "./wire.ts";

/** Everybody on the local socket is the owner: the folder above it is 0700. */
const OWNER = "owner";

/** One client of the socket. */
export interface Connection {
  /** Sends a line; resolves when there is room for more and never rejects. */
  send(line: DaemonLine): Promise<void>;
  receive(chunk: Uint8Array): void;
  /** To be called when the connection is gone: who went away cannot answer any more. */
  close(): void;
}

/** What a connection works with. */
export interface ConnectionOptions {
  readonly conversation: Conversation;
  readonly describeStatus: () => Readonly<Record<string, unknown>>;
  readonly texts: () => Texts;
  readonly output: Output;
  /** What waits for the first person who says hello; undefined once somebody has it. */
  readonly takeNews: () => string | undefined;
  /** The way in to the web console, if there is one. */
  readonly door: () => Promise<ConsoleDoor | undefined>;
  /** Called with every answer that is begun. */
  readonly track: (answer: Promise<void>) => void;
}

/** Answers a client's lines; messages and confirmations each with `done` or `error`, never both. */
export function createConnection(options: ConnectionOptions): Connection {
  const { conversation, output, texts, track } = options;
  /** Approvals that were asked here, with their sessions. */
  const asked = new Map<string, string>();
  let wanted: Wanted = { color: false, formats: false, counts: false };
  let isOpen = true;

  async function send(line: DaemonLine): Promise<void> {
    for (const text of encodeLine(line)) {
      output.write(text);
      await output.room();
    }
  }

  function refuse(message: string): void {
    void send({ type: "error", message: toPrintableText(message) });
  }

  /** Shows what happens in `work`; the one line that ends it comes last, however it ends. */
  async function answer({ sessionId }: Speaker, work: (emit: Emit) => Promise<void>) {
    let end: DaemonLine = { type: "done" };
    const show = async (event: AgentEvent) => {
      if (event.kind === "done") return;
      const isQuestion = event.kind === "approval" || event.kind === "call_approval";
      if (isQuestion) asked.set(event.approvalId, sessionId);
      for (const line of toLines(event, texts(), wanted)) {
        if (line.type !== "error") await send(line);
        else if (end.type === "error") await send({ type: "token", content: `${line.message}\n` });
        else end = line;
      }
      if (isQuestion && !isOpen) withdrawAsked();
    };
    try {
      await work(show);
    } catch (error) {
      await show(UNEXPECTED);
      throw error;
    } finally {
      await send(end);
    }
  }

  async function askConsole(line: ConsoleAsked): Promise<void> {
    const door = await options.door();
    const answered = door?.(line) ?? { ok: false, error: "http.enabled is false, or it failed" };
    await send({ type: "console", answer: answered });
  }

  function obey(line: ClientLine): void {
    switch (line.type) {
      case "hello": {
        const [color, formats] = [line.color === true, line.formats === true];
        wanted = { color, formats, counts: line.counts === true };
        const news = line.person === true ? options.takeNews() : undefined;
        if (news !== undefined) void send({ type: "notice", content: toPrintableText(news) });
        return;
      }
      case "status":
        void send({ type: "status", status: options.describeStatus() });
        return;
      case "console":
        return track(askConsole(line));
      case "cancel":
        conversation.cancel(toSessionId(line.session_id));
        return;
      case "message": {
        const speaker = { sessionId: toSessionId(line.session_id), userId: OWNER };
        const { content } = line;
        return track(answer(speaker, (emit) => conversation.message(speaker, content, emit)));
      }
      case "confirm_response": {
        // What was never asked here belongs to no session, so it will be refused.
        const speaker = { sessionId: asked.get(line.request_id) ?? "", userId: OWNER };
        const press = { act: line.approved ? "approve" : "reject", ref: line.request_id } as const;
        return track(answer(speaker, (emit) => conversation.press(speaker, press, emit)));
      }
      case "press": {
        const { ref } = line;
        const act = toPressAct(line.act);
        if (!act) {
          return refuse(`ERR_SOCKET_PROTOCOL: Cannot press "${shorten(line.act, 80)}"`);
        }
        const speaker = { sessionId: toSessionId(line.session_id), userId: OWNER };
        return track(answer(speaker, (emit) => conversation.press(speaker, { act, ref }, emit)));
      }
      default:
        line satisfies never;
    }
  }

  function withdrawAsked(): void {
    for (const [ref, sessionId] of asked) {
      const speaker = { sessionId, userId: OWNER };
      track(conversation.press(speaker, { act: "withdraw", ref }, () => {}));
    }
    asked.clear();
  }

  return {
    send,
    receive: createLineSplitter((text) => {
      if (text === undefined) {
        return refuse("ERR_SOCKET_PROTOCOL: Cannot read a line over 1 MiB; it was skipped");
      }
      const parsed = parseClientLine(text);
      if (parsed.ok) obey(parsed.line);
      else refuse(parsed.message);
    }),
    close() {
      isOpen = false;
      output.close();
      withdrawAsked();
    },
  };
}
