import { chmodSync, rmSync } from "node:fs";
import type { Socket } from "bun";
import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { AgentEvent, Channel, Conversation, Emit, Speaker } from "../channel.ts";
import { renderOutcome, renderPreview } from "./render-text.ts";
import { type ClientLine, createLineSplitter, type DaemonLine, parseClientLine } from "./wire.ts";

/** Everybody on the local socket is the owner: the folder above it is 0700. */
const OWNER = "owner";

interface Client {
  readonly send: (line: DaemonLine) => void;
  readonly receive: (chunk: Uint8Array) => void;
  readonly flush: () => void;
  /** Approvals asked on this connection that still wait, with their session. */
  readonly asked: Map<string, string>;
  color: boolean;
}

/** Terminals and local programs, over a Unix socket that speaks JSON lines. */
export function createSocketChannel(options: {
  readonly path: string;
  readonly conversation: Conversation;
  readonly describeStatus: () => Readonly<Record<string, unknown>>;
  readonly log: Log;
}): Channel {
  const { path, conversation, log } = options;
  const clients = new Set<Client>();
  let server: { stop(closeActive?: boolean): void } | undefined;

  return {
    name: "terminal",
    async start() {
      rmSync(path, { force: true }); // the daemon lock is held, so what lies here is stale
      server = Bun.listen<Client>({
        unix: path,
        socket: {
          open(socket) {
            socket.data = createClient(socket, options);
            clients.add(socket.data);
          },
          data: (socket, chunk) => socket.data.receive(chunk),
          drain: (socket) => socket.data.flush(),
          close(socket) {
            clients.delete(socket.data);
            rejectAsked(socket.data, conversation);
          },
          error: (_socket, error) => log("SOCKET_ERROR", { error: errorMessage(error) }),
        },
      });
      chmodSync(path, 0o600);
    },
    async stop() {
      server?.stop(true);
      rmSync(path, { force: true });
    },
    async deliver(text) {
      for (const client of clients) client.send({ type: "notice", content: text });
      return clients.size > 0 ? "delivered" : "nobody";
    },
    status: () => ({ state: server ? "listening" : "stopped", clients: clients.size }),
  };
}

function createClient(
  socket: Socket<Client>,
  options: Parameters<typeof createSocketChannel>[0],
): Client {
  const output = createOutput(socket);
  const receive = createLineSplitter((line) => {
    if (line === undefined) {
      return client.send({
        type: "error",
        message: "ERR_SOCKET_PROTOCOL: Cannot read a line over 1 MiB; it was skipped",
      });
    }
    const parsed = parseClientLine(line);
    if (!parsed.ok) return client.send({ type: "error", message: parsed.message });
    void answerLine(client, parsed.line, options);
  });
  const client: Client = {
    send: (line) => output.write(`${JSON.stringify(line)}\n`),
    receive,
    flush: output.flush,
    asked: new Map(),
    color: false,
  };
  return client;
}

async function answerLine(
  client: Client,
  line: ClientLine,
  options: Parameters<typeof createSocketChannel>[0],
): Promise<void> {
  const { conversation, describeStatus } = options;
  switch (line.type) {
    case "hello":
      client.color = line.color === true;
      return;
    case "status":
      return client.send({ type: "status", status: describeStatus() });
    case "cancel":
      conversation.cancel(toSpeaker(line.session_id).sessionId);
      return;
    case "message": {
      const speaker = toSpeaker(line.session_id);
      return conversation.message(speaker, line.content, createEmit(client, speaker));
    }
    case "confirm_response": {
      const sessionId = client.asked.get(line.request_id);
      client.asked.delete(line.request_id);
      const speaker = { sessionId: sessionId ?? "terminal:unknown", userId: OWNER };
      const press = { act: line.approved ? "approve" : "reject", ref: line.request_id } as const;
      return conversation.press(speaker, press, createEmit(client, speaker));
    }
    default:
      line satisfies never;
  }
}

function toSpeaker(sessionId: string): Speaker {
  return { sessionId: `terminal:${sessionId}`, userId: OWNER };
}

/** A message ends with `done` or with `error`, never with both. */
function createEmit(client: Client, speaker: Speaker): Emit {
  let failed = false;
  return (event) => {
    if (event.kind === "error") failed = true;
    if (event.kind === "approval") client.asked.set(event.approvalId, speaker.sessionId);
    if (event.kind === "done" && failed) return;
    for (const line of toLines(event, client.color)) client.send(line);
  };
}

function toLines(event: AgentEvent, color: boolean): readonly DaemonLine[] {
  switch (event.kind) {
    case "content":
      return [{ type: "token", content: toPrintableText(event.text) }];
    case "progress":
      return [{ type: "token", content: `${toPrintableText(event.text)}\n` }];
    case "tool_call":
      return [{ type: "token", content: `\n[${event.name}]\n` }];
    case "tool_result":
      return [];
    case "plan":
      return [
        {
          type: "token",
          content: `${toPrintableText(event.summary)}\n\nType ok to see the change set.\n`,
        },
      ];
    case "approval": {
      const { planId, changeSetId, workspace, changes } = event.preview;
      const paths = changes.map((change) => change.path);
      return [
        { type: "token", content: `${renderPreview(event.preview, color)}\n` },
        {
          type: "confirm",
          request_id: event.approvalId,
          tool: "apply_change_set",
          args: { plan_id: planId, change_set_id: changeSetId, workspace, paths },
        },
      ];
    }
    case "outcome":
      return [{ type: "token", content: `${renderOutcome(event.outcome)}\n` }];
    case "error":
      return [{ type: "error", message: toPrintableText(`${event.code}: ${event.message}`) }];
    case "done":
      return [{ type: "done" }];
    default:
      return event satisfies never;
  }
}

/** A terminal that went away cannot answer any more; nothing else of it is cancelled. */
function rejectAsked(client: Client, conversation: Conversation): void {
  for (const [ref, sessionId] of client.asked) {
    void conversation.press({ sessionId, userId: OWNER }, { act: "reject", ref }, () => {});
  }
}

/** Writes in order, keeping what the kernel does not take until it drains. */
function createOutput(socket: Socket<Client>): {
  readonly write: (text: string) => void;
  readonly flush: () => void;
} {
  let waiting: Uint8Array = new Uint8Array();
  const flush = () => {
    if (waiting.length === 0) return;
    const written = Math.max(0, socket.write(waiting));
    waiting = waiting.subarray(written);
  };
  return {
    write(text) {
      waiting = Buffer.concat([waiting, Buffer.from(text)]);
      flush();
    },
    flush,
  };
}
