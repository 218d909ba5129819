import { createClient } from "../../../src/console/client/client.ts";
import {
  beginTurn,
  type Piece,
  type Turn,
  takeDocument,
} from "../../../src/console/pages/chat/turn.ts";
import { toPrintableText, toVisibleText } from "../../../src/core/visible-text.ts";
import { openBench, TOKEN } from "../http/bench.ts";
import type { Behaviour } from "../script.ts";
import { createGate, type Gate, type Harness, type Session } from "./harness.ts";

/** One window of the web console, with what its client read for it. */
interface Window {
  readonly turns: Turn[];
  /** What was shown of answers until a question or a file came to stand for it. */
  readonly replaced: string[];
  readonly failures: string[];
  readonly leaving: AbortController;
  readonly gate: Gate;
}

/** Windows of the web console: what they read comes through the page's own client. */
export async function openPages(say: Behaviour["say"]): Promise<Harness> {
  const bench = await openBench(say);
  const windows: Record<Session, Window> = { one: openWindow(), two: openWindow() };

  /** Asks through a client of the page; resolves as soon as the channel has it. */
  async function ask(
    { gate, turns, failures, leaving }: Window,
    said: string | undefined,
    read: (client: ReturnType<typeof createClient>, take: Take) => Promise<void>,
  ): Promise<void> {
    const has = Promise.withResolvers<void>();
    const client = createClient({
      async fetch(path, init) {
        const response = await fetch(bench.root + path, init);
        has.resolve();
        return paced(response, gate);
      },
      secrets: { get: () => TOKEN, set() {}, clear() {} },
      isApp: true,
      pause: async () => {},
      onSignedOut() {},
    });
    const at = turns.push(beginTurn(crypto.randomUUID(), said)) - 1;
    const take: Take = (change) => {
      const turn = turns[at];
      if (turn) turns[at] = change(turn);
    };
    const ended = read(client, take).then(
      () => take((turn) => ({ ...turn, state: turn.failure === "" ? "ended" : "failed" })),
      (error: unknown) => {
        take((turn) => ({ ...turn, state: "lost" }));
        if (!leaving.signal.aborted) failures.push(String(error));
      },
    );
    await Promise.race([has.promise, ended]);
  }

  function send(session: Session, message: string): Promise<void> {
    const window = windows[session];
    const body = { message, session_id: session, rendered: true };
    return ask(window, message, (client, take) =>
      client.say(body, crypto.randomUUID(), window.leaving.signal, (document) =>
        take((turn) => {
          const next = takeDocument(turn, document);
          const last = turn.pieces.at(-1);
          if (last?.kind === "verbatim" && !next.pieces.includes(last)) {
            window.replaced.push(drawn(last));
          }
          return next;
        }),
      ),
    );
  }

  return {
    channel: bench.channel,
    script: bench,
    speaker: (session) => ({ sessionId: `http:${session}`, userId: "owner" }),
    say: send,
    answer(session, act) {
      const window = windows[session];
      const asked = window.turns.flatMap(({ pieces }) => pieces).findLast(isAsked);
      const named = { ref: asked?.ref ?? "", key: crypto.randomUUID() };
      // The session of a program, which the page has no word for.
      const pressed = { act, session_id: session, ...named };
      const nothing = () => {};
      return ask(window, undefined, (client, take) =>
        client.press(pressed, {
          onTaken: nothing,
          onText: (content) => take((turn) => takeDocument(turn, { content })),
          onProgress: nothing,
          onPrinted: nothing,
          onAsked: nothing,
          onOffered: nothing,
          onNotDone: nothing,
          onFailed: (error) => take((turn) => takeDocument(turn, { error })),
        }),
      );
    },
    cancel: (session) => send(session, "/cancel"),
    leave: (session) => windows[session].leaving.abort(),
    pause: (session) => windows[session].gate.close(),
    resume: (session) => windows[session].gate.open(),
    shown(session) {
      const { turns, replaced } = windows[session];
      const texts = turns.flatMap(({ pieces, failure }) =>
        pieces.map(drawn).concat(toVisibleText(failure)),
      );
      return [...replaced, ...texts].join("\n").trim();
    },
    ends: (session) =>
      windows[session].turns.filter(({ state }) => state === "ended" || state === "failed").length,
    // Whatever is no document breaks the client that reads it.
    obeyed: (session) => windows[session].failures,
    restart: () => bench.channel.start(),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

/** Changes what is shown of one message. */
type Take = (change: (turn: Turn) => Turn) => void;

function openWindow(): Window {
  const leaving = new AbortController();
  return { turns: [], replaced: [], failures: [], leaving, gate: createGate() };
}

function isAsked(piece: Piece): piece is Extract<Piece, { kind: "asked" }> {
  return piece.kind === "asked";
}

/** A browser whose window does not read, or reads on. */
function paced(response: Response, gate: Gate): Response {
  const pacing = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await gate.passed();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(pacing), response);
}

/** The words of a piece as the page draws them. */
function drawn(piece: Piece): string {
  switch (piece.kind) {
    case "prose":
      return toPrintableText(piece.text);
    case "verbatim":
      return toVisibleText(piece.text.trim());
    case "call":
      return toVisibleText([piece.name, piece.args, piece.result ?? ""].join(" "));
    case "file":
      return toVisibleText(piece.path);
    case "asked":
      return piece.ref;
    case "actions":
      return piece.actions.map(({ label }) => toVisibleText(label)).join(" ");
    default:
      return piece satisfies never;
  }
}
