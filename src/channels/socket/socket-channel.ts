import { chmodSync, rmSync } from "node:fs";
import { errorMessage } from "../../core/app-error.ts";
import type { Log } from "../../core/log.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { createAnswers } from "../answers.ts";
import type { Channel, ConsoleDoor, Conversation } from "../channel.ts";
import { type Connection, createConnection } from "./connection.ts";
import { createOutput, type Output } from "./output.ts";

/** A client that reads nothing for so long, while somebody has more for it, is cut off. */
const STALL_MS = 10_000;

/** What the channel is built from; nothing listens before `start`. */
export interface SocketOptions {
  readonly path: string;
  readonly conversation: Conversation;
  readonly describeStatus: () => Readonly<Record<string, unknown>>;
  readonly texts: () => Texts;
  /** The way in to the web console, if there is one. */
  readonly door: () => Promise<ConsoleDoor | undefined>;
  readonly log: Log;
  readonly stallMs?: number;
}

/** A channel that can also keep a text for the first client. */
export interface SocketChannel extends Channel {
  /** Shown to the first person who says hello, and to nobody else. */
  keep(text: string): void;
}

/** Terminals and local programs, over a Unix socket that speaks JSON lines. */
export function createSocketChannel(options: SocketOptions): SocketChannel {
  const { path, log, stallMs = STALL_MS } = options;
  const clients = new Set<Connection>();
  const answers = createAnswers((error) => log("SOCKET_ERROR", { error }));
  let news: string | undefined;
  let server: { stop(closeActive?: boolean): void } | undefined;

  function takeNews(): string | undefined {
    const taken = news;
    news = undefined;
    return taken;
  }

  function listen(): { stop(closeActive?: boolean): void } {
    return Bun.listen<{ readonly output: Output; readonly connection: Connection }>({
      unix: path,
      socket: {
        open(socket) {
          const output = createOutput({
            send: (bytes) => socket.write(bytes),
            giveUp() {
              log("SOCKET_CLIENT_STALLED", { stall_ms: stallMs });
              socket.terminate();
            },
            stallMs,
          });
          const track = (answer: Promise<void>) => void answers.track(answer);
          const connection = createConnection({ ...options, output, track, takeNews });
          socket.data = { output, connection };
          clients.add(connection);
        },
        data(socket, chunk) {
          if (server) socket.data.connection.receive(chunk);
        },
        drain: (socket) => socket.data.output.flush(),
        close(socket) {
          clients.delete(socket.data.connection);
          socket.data.connection.close();
        },
        error: (_socket, error) => log("SOCKET_ERROR", { error: errorMessage(error) }),
      },
    });
  }

  return {
    name: "terminal",
    async start() {
      if (server) return;
      rmSync(path, { force: true }); // the daemon lock is held, so what is here is stale
      server = listen();
      chmodSync(path, 0o600);
    },
    async stop(patience) {
      const stopping = server;
      server = undefined;
      stopping?.stop();
      await answers.settled(patience);
      stopping?.stop(true);
      await answers.settled(patience); // who is cut off takes back what was asked there
      rmSync(path, { force: true });
    },
    async deliver(text) {
      const content = toPrintableText(text);
      for (const client of clients) void client.send({ type: "notice", content });
      return clients.size > 0 ? "delivered" : "nobody";
    },
    keep(text) {
      news = text;
    },
    status: () => ({ state: server ? "listening" : "stopped", clients: clients.size }),
  };
}
