import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Channel, Conversation } from "../../../src/channels/channel.ts";
import { createSocketChannel } from "../../../src/channels/socket/socket-channel.ts";
import {
  type ClientLine,
  createLineSplitter,
  type DaemonLine,
} from "../../../src/channels/socket/wire.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import type { PreviewView } from "../../../src/transaction/views.ts";
import { tempDir } from "../../support/temp.ts";
import { type Behaviour, createScript, type Script } from "../script.ts";

/** A terminal, or any program, on the other end of the socket. */
export interface Terminal {
  send(line: ClientLine): void;
  sendRaw(bytes: string | Uint8Array): void;
  say(content: string, sessionId?: string): void;
  /** The next line, of those of `type` when given. */
  next<T extends DaemonLine["type"]>(type?: T): Promise<Extract<DaemonLine, { type: T }>>;
  /** The text of one answer and the line that ended it. */
  answer(): Promise<{ readonly text: string; readonly end: DaemonLine }>;
  pause(): void;
  resume(): void;
  close(): void;
  readonly closed: Promise<void>;
}

/** Connects to a socket. */
export async function connect(path: string): Promise<Terminal> {
  const lines: DaemonLine[] = [];
  const closed = Promise.withResolvers<void>();
  let wake = () => {};
  const receive = createLineSplitter((line) => {
    if (line === undefined) throw new Error("the daemon sent a line over the limit");
    lines.push(JSON.parse(line));
    wake();
  });
  const socket = createConnection(path);
  await once(socket, "connect");
  socket.on("data", receive);
  socket.on("error", () => {}); // a socket that is cut off says so before it closes
  socket.on("close", () => {
    closed.resolve();
    wake();
  });
  const next: Terminal["next"] = async (type) => {
    for (;;) {
      const line = lines.find(isOf(type));
      if (line) {
        lines.splice(0, lines.indexOf(line) + 1);
        return line;
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const sendRaw = (bytes: string | Uint8Array) => void socket.write(bytes);
  const send = (line: ClientLine) => sendRaw(`${JSON.stringify(line)}\n`);
  return {
    send,
    sendRaw,
    say: (content, sessionId = "s") => send({ type: "message", session_id: sessionId, content }),
    next,
    async answer() {
      for (let text = ""; ; ) {
        const line: DaemonLine = await next();
        if (line.type === "token") text += line.content;
        if (line.type === "done" || line.type === "error") return { text, end: line };
      }
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
    closed: closed.promise,
  };
}

function isOf<T extends DaemonLine["type"]>(type: T | undefined) {
  return (line: DaemonLine): line is Extract<DaemonLine, { type: T }> =>
    type === undefined || line.type === type;
}

/** A channel with a conversation that does what a test tells it. */
export interface Bench extends Script, AsyncDisposable {
  readonly path: string;
  readonly channel: Channel;
  readonly logged: string[];
  connect(): Promise<Terminal>;
}

/** Starts a channel; `say` answers messages, by default with an echo. */
export async function openBench(
  options: Partial<Behaviour> & {
    readonly conversation?: Conversation;
    readonly stallMs?: number;
  } = {},
): Promise<Bench> {
  const dir = tempDir();
  const path = join(dir.path, "d.sock");
  const logged: string[] = [];
  const script = createScript({ say: echo, act, ...options });
  const { stallMs, conversation = script } = options;
  const channel = createSocketChannel({
    path,
    conversation,
    door: async () => undefined,
    describeStatus: () => ({ running: true }),
    texts: () => textsIn("en"),
    log: (event) => void logged.push(event),
    ...(stallMs !== undefined && { stallMs }),
  });
  await channel.start();
  const terminals: Terminal[] = [];
  return {
    path,
    channel,
    ...script,
    logged,
    async connect() {
      const terminal = await connect(path);
      terminals.push(terminal);
      return terminal;
    },
    async [Symbol.asyncDispose]() {
      for (const terminal of terminals) terminal.close();
      await channel.stop(AbortSignal.timeout(0));
      dir[Symbol.dispose]();
    },
  };
}

const echo: Behaviour["say"] = (text, emit) => emit({ kind: "content", text: `echo ${text}` });
const act: NonNullable<Behaviour["act"]> = (press, emit) =>
  emit({ kind: "content", text: `${press.act}ed` });

/** A change set of one created file with this diff. */
export function previewOf(diff: string, path = "a.txt"): PreviewView {
  const row = {
    kind: "create",
    before_sha256: null,
    after_sha256: "0",
    added: 1,
    removed: 0,
  } as const;
  return {
    planId: "plan_1",
    changeSetId: "c".repeat(64),
    workspace: "notes",
    summary: "s",
    changes: [{ path, ...row }],
    diff,
    notes: [],
    checks: [],
  };
}
