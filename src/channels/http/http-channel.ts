import { errorMessage } from "../../core/app-error.ts";
import { boundBody } from "../../core/bound-body.ts";
import type { Log } from "../../core/log.ts";
import { unlessAborted, untilAborted } from "../../core/until-aborted.ts";
import type { Texts } from "../../texts/texts.ts";
import { createAnswers } from "../answers.ts";
import {
  type AgentEvent,
  type Asked,
  type Channel,
  type Conversation,
  type Emit,
  UNEXPECTED,
} from "../channel.ts";
import { authorizeRequest, type HttpAccess, toTriggered } from "./authorize-request.ts";
import type { Console, ConsoleFacts } from "./console/console.ts";
import {
  type ChatRequest,
  type ParsedPress,
  type ParsedRequest,
  parseRequest,
} from "./parse-request.ts";
import { createQueues } from "./queues.ts";
import { type MeasuredStatus, renderMetrics } from "./render-metrics.ts";
import { streamEvents } from "./stream-events.ts";
import { toData } from "./to-data.ts";
import {
  inFirstSession,
  inHttp,
  toAsked,
  toAskedWork,
  toMisuse,
  toWorkId,
  toWorkReport,
} from "./work-id.ts";

export type {
  Answering,
  ConsoleFacts,
  InboxItem,
  Review,
  ReviewFile,
} from "./console/console.ts";

/** Who has the token is the owner. */
const OWNER = "owner";
const MOST_BODY_BYTES = 1024 * 1024;
/** Of a connection on which nobody says anything. */
const IDLE_S = 60;
/** A body that is as long as allowed comes in a moment: everybody is on this machine. */
const BODY_MS = 30_000;
/** An answer may be silent for long; the stream itself keeps the connection alive. */
const NO_IDLE_LIMIT = 0;

/** What the channel is built from; nothing listens before `start`. */
export interface HttpOptions {
  /** Where to listen and who is let in; port 0: one that is free. */
  readonly access: HttpAccess;
  readonly conversation: Conversation;
  readonly describeStatus: () => MeasuredStatus;
  readonly texts: () => Texts;
  /** How long a body may take; 30 seconds. */
  readonly bodyMs?: number;
  /** Runs a routine for who knows its secret; the body is untrusted, and read after that. */
  readonly trigger?: (
    name: string,
    secret: string,
    readBody: () => Promise<string>,
  ) => Promise<{ readonly status: number; readonly message: string }>;
  /** What pages read; asked for with the first of them. */
  readonly openFacts?: () => Promise<ConsoleFacts>;
  readonly log: Log;
  /** A path whose callers authenticate in another way, before anything else is checked. */
  readonly webhook?: {
    readonly path: string;
    readonly answer: (request: Request) => Promise<Response>;
  };
}

/** Local programs and dashboards, over HTTP with a bearer token; see docs/http.md. */
export function createHttpChannel(options: HttpOptions): Channel {
  const { access, conversation, describeStatus, texts, log, webhook } = options;
  const answers = createAnswers((error) => log("HTTP_ERROR", { error }));
  const render = (event: AgentEvent) => toData(event, texts());
  const queues = createQueues(conversation.cancel);
  let server: ReturnType<typeof Bun.serve> | undefined;
  let opening: Promise<Console | undefined> | undefined;

  /** Nothing of it is loaded before somebody asks. */
  const openConsole = () => (opening ??= open(options.openFacts));

  async function answer(request: Request, on: Bun.Server<undefined>): Promise<Response> {
    // Without a Host, or with one that is none, there is no address to speak of.
    const path = URL.parse(request.url)?.pathname;
    if (path === undefined) return refuse(400, 'send a "Host" header, as HTTP/1.1 has it');
    if (webhook && path === webhook.path && request.method === "POST") {
      return webhook.answer(request);
    }
    const refusal = authorizeRequest(
      {
        path,
        host: request.headers.get("host"),
        origin: request.headers.get("origin"),
        authorization: request.headers.get("authorization"),
      },
      { ...access, port: server?.port ?? 0 },
    );
    if (refusal) return refuse(refusal.status, refusal.message);
    const routine = toTriggered(path);
    if (routine !== undefined && request.method === "POST") return trigger(routine, request);
    const asked = toAskedWork(path);
    if (asked !== undefined && request.method === "GET") {
      return Response.json(toWorkReport(asked, conversation.workState(inHttp(asked))));
    }
    switch (`${request.method} ${path}`) {
      case "GET /healthz":
        return Response.json({ ok: true });
      case "GET /api/status":
        return Response.json(describeStatus());
      case "GET /metrics":
        return new Response(renderMetrics(describeStatus()), METRICS);
      case "POST /api/chat":
      case "POST /api/press":
        on.timeout(request, NO_IDLE_LIMIT);
        return serve(path, request);
      default:
        return (await readPage(path, request, on)) ?? refuse(404, nothingAt(request.method, path));
    }
  }

  /** What pages read; undefined: it is none of that. */
  async function readPage(path: string, request: Request, on: Bun.Server<undefined>) {
    if (request.method !== "GET" || !PAGES.test(path)) return undefined;
    if (path === "/api/events") on.timeout(request, NO_IDLE_LIMIT);
    return (await openConsole())?.read(path, new URL(request.url).searchParams);
  }

  async function trigger(name: string, request: Request): Promise<Response> {
    const secret = request.headers.get("x-trigger-secret") ?? "";
    let unread: Response | undefined;
    const readBody = async () => {
      const body = await readText(request);
      if (typeof body === "string") return body;
      unread = body;
      throw UNREAD;
    };
    const done = await options.trigger?.(name, secret, readBody).catch((error: unknown) => {
      if (error !== UNREAD) throw error;
    });
    if (unread) return unread;
    if (!done) return refuse(404, "routines are not run here");
    const { status, message } = done;
    return status < 300
      ? Response.json({ ok: true, message }, { status })
      : refuse(status, message);
  }

  async function serve(path: string, request: Request): Promise<Response> {
    const text = await readText(request);
    if (typeof text !== "string") return text;
    const read = await toPlaced(parseRequest(path, text));
    if (read instanceof Response) return read;
    const given = toWorkId(request.headers.get("idempotency-key"));
    if (!given.ok) return refuse(400, given.message);
    const asked = toAsked(given.id, read.request);
    const events = { headers: { ...EVENTS.headers, "x-work-id": given.id } };
    const before = conversation.workState(asked.workId);
    const chatRequest = inFirstSession(read, before);
    const misuse = toMisuse(read, asked, before);
    if (misuse) return refuse(misuse.status, `"${given.id}" ${misuse.reason}`);
    if (before.state === "running") return refuse(409, `"${given.id}" runs; ${ASK_LATER}`);
    if (before.state === "ended") {
      // Sent again because its answer did not arrive: nothing is done twice.
      const tell = async (emit: Emit) => {
        for (const outcome of before.outcomes) await emit({ kind: "outcome", outcome });
      };
      return new Response(
        streamEvents(tell, render, () => {}),
        events,
      );
    }
    if (chatRequest.kind === "press") {
      // Approved work goes on, even when nobody listens.
      return new Response(
        streamEvents(
          (emit) => answers.track(carryOut(chatRequest, asked, emit)),
          render,
          () => {},
        ),
        events,
      );
    }
    const place = queues.join(chatRequest.sessionId);
    const work = (emit: Emit) =>
      answers.track(carryOut(chatRequest, asked, emit).finally(place.end));
    const body = streamEvents(work, render, place.leave);
    return new Response(body, events);
  }

  /** A press may be about what was asked in a conversation of another channel. */
  async function toPlaced(read: ParsedRequest) {
    if (!read.ok) return refuse(400, read.message);
    if (!isPress(read)) return read;
    const { sessionId, digest } = read.request;
    const isHere = read.isNamed && digest === undefined && !sessionId.includes(":", "http:".length);
    return isHere ? read : ((await openConsole())?.place(read) ?? read);
  }

  async function carryOut(chatRequest: ChatRequest, asked: Asked, emit: Emit): Promise<void> {
    const { sessionId } = chatRequest;
    const userId = (chatRequest.kind === "press" && chatRequest.userId) || OWNER;
    const speaker = { sessionId, userId };
    try {
      if (chatRequest.kind === "message")
        await conversation.message(speaker, chatRequest.text, emit, asked);
      else await conversation.press(speaker, chatRequest.press, emit, asked);
    } catch (error) {
      await emit(UNEXPECTED);
      throw error;
    } finally {
      (await opening)?.changed();
    }
  }

  /** The body, or why it is not taken. */
  async function readText(request: Request): Promise<string | Response> {
    const late = AbortSignal.timeout(options.bodyMs ?? BODY_MS);
    const bound = { maxBytes: MOST_BODY_BYTES, tooLong: () => TOO_LONG };
    const body = boundBody(new Response(request.body), bound);
    return unlessAborted(late, body.text()).catch((error: unknown) => {
      if (late.aborted) return refuse(408, "the body did not come in time");
      if (error === TOO_LONG) return refuse(413, TOO_LONG.message);
      throw error;
    });
  }

  return {
    name: "http",
    async start() {
      server ??= Bun.serve({
        hostname: access.host,
        port: access.port,
        idleTimeout: IDLE_S,
        // Bodies are read up to their own bound; what is refused here has no words.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        fetch: answer,
        error: (error) => refuse(500, errorMessage(error)),
      });
    },
    async stop(patience) {
      const stopping = server;
      (await opening)?.close();
      const stopped = stopping?.stop();
      const all = Promise.all([answers.settled(patience), stopped]);
      await Promise.race([all, untilAborted(patience)]);
      await stopping?.stop(true);
      server = undefined;
    },
    deliver: async () => "nobody",
    status: () => ({ state: server ? "listening" : "stopped", port: server?.port ?? null }),
  };
}

/** What the console's part of the API is asked for. */
const PAGES = /^\/api\/(?:inbox$|events$|change-sets\/)/u;

async function open(openFacts: HttpOptions["openFacts"]): Promise<Console | undefined> {
  if (!openFacts) return undefined;
  const { createConsole } = await import("./console/console.ts");
  return createConsole(await openFacts(), Date.now);
}

function isPress(read: Extract<ParsedRequest, { readonly ok: true }>): read is ParsedPress {
  return read.request.kind === "press";
}

function nothingAt(method: string, path: string): string {
  return `there is no "${method} ${path}"; there are GET /healthz, /api/status, /api/inbox, /api/events, /api/change-sets/ID, /api/work/ID, /metrics, POST /api/chat, /api/press`;
}

const ASK_LATER = "GET /api/work/ID says what became of it";

const EVENTS = {
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  },
};

const METRICS = { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } };

const TOO_LONG = new Error(`the body is longer than ${MOST_BODY_BYTES} bytes`);
/** Nobody sees it. */
const UNREAD = new Error("the body was not taken");

function refuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}
