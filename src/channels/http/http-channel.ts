import type { Language } from "../../core/language.ts";
import type { Log } from "../../core/log.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Channel, ConsoleDoor, Conversation } from "../channel.ts";
import type { Trigger } from "./answer-trigger.ts";
import { authorizeRequest, type HttpAccess } from "./authorize-request.ts";
import type { BrowserSession, Console, ConsoleParts } from "./console/console.ts";
import { createListener } from "./listen.ts";
import type { MessageHandler } from "./message-handler.ts";
import type { MessageRequest, ParsedPress } from "./parse-request.ts";
import { misuse, nothingAt, orFailure, refuse, refuseForDefect, toSpoken } from "./refuse.ts";
import type { MeasuredStatus } from "./render-metrics.ts";
import { toHead } from "./request-head.ts";
import { isRoute, type SessionProof, type Verdict } from "./routes.ts";

export type {
  Action,
  Answering,
  ChatEntry,
  ChatFacts,
  ConsoleFacts,
  ConsoleParts,
  DoctorFacts,
  InboxItem,
  LogFacts,
  LogFilter,
  PastFacts,
  PastPage,
  PeopleFacts,
  PersonFacts,
  Review,
  ReviewFile,
  ReviewImage,
  RoutineFacts,
  RunningEntry,
  SentFile,
  SettingsFacts,
  SettingsRefusal,
  Sign,
  TakeBackKind,
  TraceFacts,
  TracePage,
} from "./console/console.ts";

const MOST_BODY_BYTES = 1024 * 1024;
/** A code is shorter. */
const MOST_LOGIN_BYTES = 4096;
/** One comment. */
const MOST_DRAFT_BYTES = 64 * 1024;
/** A configuration of the longest that is edited, however it is spelled in JSON. */
const MOST_SETTINGS_BYTES = 512 * 1024;
/** Of a connection on which nobody says anything. */
const IDLE_S = 60;
/** A body that is as long as allowed comes in a moment: everybody is on this machine. */
const BODY_MS = 30_000;
/** An answer may be silent for long; the stream itself keeps the connection alive. */
const NO_IDLE_LIMIT = 0;

/** What the channel is built from; nothing listens before `start`. */
export interface HttpOptions {
  /** Where to listen and who is let in; port 0: one that is free. */
  readonly access: Omit<HttpAccess, "label">;
  readonly conversation: Conversation;
  readonly describeStatus: () => MeasuredStatus;
  readonly texts: () => Texts;
  /** In which a refusal is said. */
  readonly language: () => Language;
  /** How long a body may take; 30 seconds. */
  readonly bodyMs?: number;
  /** Runs a routine for who knows its secret; the body is untrusted, and read after that. */
  readonly trigger?: Trigger;
  /** The console; nothing of it is made before somebody asks. */
  readonly web?: {
    /** Its host label, if it has been opened once. */
    readonly label: () => string | undefined;
    readonly open: () => Promise<ConsoleParts>;
  };
  readonly log: Log;
  /** A path whose callers authenticate in another way, before anything else is checked. */
  readonly webhook?: {
    readonly path: string;
    readonly answer: (request: Request) => Promise<Response>;
  };
}

/** The channel, and the way in to its console. */
export interface HttpChannel extends Channel {
  /** Undefined: it has no console. */
  readonly door: () => Promise<ConsoleDoor | undefined>;
}

/** Local programs and the web console, over HTTP; see docs/http.md. */
export function createHttpChannel(options: HttpOptions): HttpChannel {
  const { access, describeStatus, log, webhook, web } = options;
  const bounds = { maxBytes: MOST_BODY_BYTES, withinMs: options.bodyMs ?? BODY_MS };
  const listener = createListener(access.host, access.port, {
    idleTimeout: IDLE_S,
    // Bodies are read up to their own bound; what is refused here has no words.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: async (request, on) => toSpoken(await answer(request, on), options),
    error: (error) => toSpoken(refuseForDefect(error, log), options),
  });
  let handling: Promise<MessageHandler> | undefined;
  let opening: Promise<Console | undefined> | undefined;

  const site = { place: listener.place, texts: options.texts };
  const openConsole = () => (opening ??= makeConsole());
  const openHandler = () => (handling ??= makeHandler());

  /** The body, or why it is not taken. */
  async function readBody(request: Request, own = bounds): Promise<string | Response> {
    const { readText } = await import("./read-text.ts");
    return readText(request, own);
  }

  /** A body may come long after its head: whoever sent that may be out by then. */
  async function readBodyOf(session: BrowserSession | undefined, request: Request, own = bounds) {
    const body = await readBody(request, own);
    const isOut = session && !(await openConsole())?.isLive(session);
    return isOut ? refuse(401, (say) => say.noSession) : body;
  }

  async function makeConsole(): Promise<Console | undefined> {
    if (!web) return undefined;
    const [{ createConsole }, parts] = await Promise.all([
      import("./console/console.ts"),
      web.open(),
    ]);
    return createConsole(parts, site);
  }

  async function makeHandler(): Promise<MessageHandler> {
    const { createMessageHandler } = await import("./message-handler.ts");
    const { conversation, texts } = options;
    const failed = (error: string) => log("HTTP_ERROR", { error });
    const changed = async () => (await opening)?.changed();
    return createMessageHandler({ conversation, texts, failed, changed: () => void changed() });
  }

  async function answer(request: Request, on: Bun.Server<undefined>): Promise<Response> {
    // Without a Host, or with one that is none, there is no address to speak of.
    const url = URL.parse(request.url);
    if (!url) return misuse(400, 'send a "Host" header, as HTTP/1.1 has it');
    if (webhook && url.pathname === webhook.path && request.method === "POST") {
      return webhook.answer(request);
    }
    const head = toHead(request, url.pathname);
    // Few ask by a name of the console, and none before it was opened once.
    const label = /\.localhost:/iu.test(head.host ?? "") ? web?.label() : undefined;
    const verdict = authorizeRequest(head, { ...access, port: on.port ?? 0, label });
    const response = await obey(verdict, request, url, on);
    response.headers.set("x-content-type-options", "nosniff");
    response.headers.set("cross-origin-resource-policy", "same-origin");
    return response;
  }

  async function obey(verdict: Verdict, request: Request, url: URL, on: Bun.Server<undefined>) {
    const { pathname: path } = url;
    switch (verdict.kind) {
      case "refused":
        return misuse(verdict.status, verdict.message);
      case "anybody":
        return answerAnybody(path, request);
      case "page":
        return (
          (await openConsole())?.page(path + url.search, verdict.isPlain) ?? nothingAt("GET", path)
        );
      case "code":
        return login(request, verdict);
      case "app page":
        return (await openConsole())?.appPage() ?? nothingAt("GET", path);
      case "entry":
        return login(request);
      case "owner":
        return orFailure(serve(request, url, on), undefined, log);
      case "app": {
        const session = (await openConsole())?.findApp(verdict.bearer);
        if (!session) return refuse(401, (say) => say.noSession);
        const isOwners = session.other === undefined;
        if (!isOwners && verdict.also !== "other people")
          return refuse(403, (say) => say.ownersOnly);
        return orFailure(serve(request, url, on, session), session.other, log);
      }
      case "session": {
        const session = (await openConsole())?.find(verdict);
        if (!session) return refuse(401, (say) => say.noSession);
        return orFailure(serve(request, url, on, session), session.other, log);
      }
      default:
        return verdict satisfies never;
    }
  }

  async function answerAnybody(path: string, request: Request): Promise<Response> {
    if (path === "/healthz") return Response.json({ ok: true });
    if (!path.startsWith("/assets/")) {
      const { answerTrigger } = await import("./answer-trigger.ts");
      return answerTrigger(options.trigger, path, request, () => readBody(request));
    }
    const accepted = request.headers.get("accept-encoding");
    return (await (await openConsole())?.file(path, accepted)) ?? nothingAt("GET", path);
  }

  /** By a code, or by what Telegram gave. */
  async function login(request: Request, shown?: SessionProof): Promise<Response> {
    const text = await readBody(request, { ...bounds, maxBytes: MOST_LOGIN_BYTES });
    if (typeof text !== "string") return text;
    const opened = await openConsole();
    const by = request.headers.get("user-agent");
    return (shown ? opened?.login(text, by, shown) : opened?.enter(text)) ?? nothingAt("POST", "");
  }

  async function serve(
    request: Request,
    url: URL,
    on: Bun.Server<undefined>,
    session?: BrowserSession,
  ): Promise<Response> {
    const { pathname: path, searchParams: query } = url;
    const method = request.method === "HEAD" ? "GET" : request.method; // its body is not sent
    const isMessage = method === "POST" && /^\/api\/(?:chat|press)$/u.test(path);
    if (isMessage || LONG.test(path)) on.timeout(request, NO_IDLE_LIMIT);
    if (isMessage) return handleMessage(path, request, session);
    if (method === "POST" && path === "/api/files") {
      return (await openConsole())?.takeFile(request, query, session) ?? nothingAt(method, path);
    }
    if (method === "GET" && path.startsWith("/api/work/")) {
      return (await openHandler()).report(path, session?.other) ?? nothingAt(method, path);
    }
    if (method === "GET" && path === "/api/status") return Response.json(describeStatus());
    if (method === "GET" && path === "/metrics") {
      const { renderMetrics } = await import("./render-metrics.ts");
      return new Response(renderMetrics(describeStatus()), METRICS);
    }
    if (!isRoute(method, path)) return nothingAt(method, path);
    // What names each of many hunks is as long as a configuration.
    const isLong = /^\/api\/(?:settings\/|app\/file$|change-sets\/\w+\/unticked$)/u.test(path);
    const maxBytes = isLong ? MOST_SETTINGS_BYTES : MOST_DRAFT_BYTES;
    const body = () => readBodyOf(session, request, { ...bounds, maxBytes });
    const asked = { method, path, query, session, body, request };
    return (await (await openConsole())?.read(asked)) ?? nothingAt(method, path);
  }

  async function handleMessage(path: string, request: Request, session?: BrowserSession) {
    const text = await readBodyOf(session, request);
    if (typeof text !== "string") return text;
    const key = request.headers.get("idempotency-key");
    const place = async (read: ParsedPress) => {
      const { sessionId, digest } = read.request;
      const isNamed = read.isNamed && /^http:[^:]+$/u.test(sessionId);
      if (isNamed && digest === undefined && !session) return read; // of this API, as it says
      const opened = await openConsole();
      if (!opened && !sessionId.startsWith("http:")) return nothingAt("POST", path);
      return opened?.place(read, session) ?? read;
    };
    const opened = session && (await openConsole());
    const checkFor = async (isNeeded: boolean) => {
      const page = session || isNeeded ? await openConsole() : undefined;
      return page && ((saying: MessageRequest) => page.authorize(saying, session));
    };
    const watch = session && opened ? () => opened.watch(session) : undefined;
    const onFile = opened?.giverOf(session);
    const how = { other: session?.other, key, place, checkFor, watch, onFile };
    return (await openHandler()).answer(path, text, how);
  }

  return {
    name: "http",
    door: async () => (await openConsole())?.door,
    async start() {
      const { pageOff } = listener.start();
      if (pageOff !== undefined) log("CONSOLE_OFF", { reason: pageOff });
    },
    async stop(patience) {
      (await opening)?.close();
      const stopped = listener.stop();
      const all = Promise.all([(await handling)?.settled(patience), stopped]);
      await Promise.race([all, untilAborted(patience)]);
      await listener.end();
    },
    deliver: async () => "nobody",
    status() {
      const { port, pageOff } = listener.place();
      if (port === undefined) return { state: "stopped", port: null };
      return { state: "listening", port, ...(pageOff !== undefined && { page_off: pageOff }) };
    },
  };
}

/** What goes on for longer than silence is borne. */
const LONG = /^\/api\/(?:events|doctor|log\/follow)$/u;

const METRICS = { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } };
