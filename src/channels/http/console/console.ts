import { randomUUID } from "node:crypto";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ConsoleFiles } from "../../../system/own/console-files.ts";
import type { ConsoleDoor } from "../../channel.ts";
import type { ParsedPress } from "../parse-request.ts";
import { refuse } from "../refuse.ts";
import type { SessionProof } from "../routes.ts";
import { createAccess, labelOf, toDocument } from "./access.ts";
import { createAppSessions, type MiniApp } from "./app-sessions.ts";
import type { BrowserSession } from "./browser-sessions.ts";
import { answerCare } from "./care.ts";
import { answerChangeSets } from "./change-sets.ts";
import { readChats, setsSomething } from "./chats.ts";
import type { ConsoleFacts } from "./facts.ts";
import { createFeed } from "./feed.ts";
import { type Followed, followStream } from "./follow-stream.ts";
import { serveFile, servePage } from "./page.ts";
import { readPast } from "./past.ts";
import { place } from "./place.ts";
import { readRoutines } from "./routines.ts";
import { createSessionEnds, type Watched } from "./session-ends.ts";
import { answerSettings, SIGN_IN_AGAIN } from "./settings.ts";
import { readTraces } from "./traces.ts";

export type { BrowserSession } from "./browser-sessions.ts";
export type {
  Action,
  Answering,
  ChatEntry,
  ChatFacts,
  ConsoleFacts,
  DoctorFacts,
  InboxItem,
  LogFacts,
  LogFilter,
  PastFacts,
  PastPage,
  PeopleFacts,
  Review,
  ReviewFile,
  ReviewImage,
  RoutineFacts,
  SettingsFacts,
  SettingsRefusal,
  Sign,
  TakeBackKind,
  TraceFacts,
  TracePage,
} from "./facts.ts";
export type { Watched } from "./session-ends.ts";

/** What the console is made with; asked for with its first request. */
export interface ConsoleParts {
  readonly facts: ConsoleFacts;
  readonly settings: Settings;
  /** The page as it was built. */
  readonly files: () => Promise<ConsoleFiles>;
  readonly version: string;
  readonly language: () => string;
  /** A browser was let in: the owner is to hear of it. */
  readonly onSignIn: (session: BrowserSession) => void;
  readonly now: () => number;
  /** Whom Telegram may bring. */
  readonly app: MiniApp;
}

/** The pages and what they read; made with the first request for any of it. */
export interface Console {
  readonly door: ConsoleDoor;
  /** The page itself, or where it is. */
  page(path: string, isPlain: boolean): Promise<Response>;
  file(path: string, acceptEncoding: string | null): Promise<Response | undefined>;
  login(body: string, userAgent: string | null, shown: SessionProof): Response;
  /** The page as Telegram shows it. */
  appPage(): Promise<Response>;
  /** Answers a page that Telegram opened. */
  enter(body: string): Response;
  /** Undefined: its bearer is none, or its person may not any more. */
  findApp(bearer: string): BrowserSession | undefined;
  /** Whether it is one still. */
  isLive(session: BrowserSession): boolean;
  /** Listens for the end of one. */
  watch(session: BrowserSession): Watched;
  /** Undefined: it shows none that counts. */
  find(proof: SessionProof): BrowserSession | undefined;
  /** Undefined: there is no such thing to be read. */
  read(asked: Asked): Promise<Response | undefined>;
  /** A press in the conversation in which it was asked, whichever channel that is of. */
  place(read: ParsedPress, session: BrowserSession | undefined): ParsedPress | Response;
  /** Why a browser may not say this, if so; a program's token may say anything. */
  mayNotSay(asked: Saying, session: BrowserSession): Response | undefined;
  /** Something was answered here: who follows hears of it at once. */
  changed(): void;
  /** Ends what follows. */
  close(): void;
}

/** What is asked for, and by which browser; a program has no session. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly session: BrowserSession | undefined;
  readonly body: () => Promise<string | Response>;
}

/** A message, and the conversation that it is for. */
export interface Saying {
  readonly sessionId: string;
  readonly text: string;
}

/** Where the channel listens. */
export interface Site {
  readonly port: () => number;
  readonly pageOff: () => string | undefined;
}

/** Streams at once: each is a page, and a person has a few. */
const MOST_STREAMS = 64;
/** What opens a gate wants somebody who came in from this machine a moment ago. */
const FRESH_MS = 10 * 60_000;

/** The console over its parts. */
export function createConsole(parts: ConsoleParts, site: Site): Console {
  const { facts, settings, now, onSignIn } = parts;
  const bootId = randomUUID();
  const feed = createFeed(facts, { now });
  const closed = new AbortController();
  const origin = (isPlain: boolean) =>
    `http://${isPlain ? "127.0.0.1" : `${labelOf(settings)}.localhost`}:${site.port()}`;
  const access = createAccess({ settings, now, origin, pageOff: site.pageOff, onSignIn });
  const { sessions } = access;
  const apps = createAppSessions(parts.app, settings, now);
  const isLive = (id: string) => apps.isLive(id) ?? sessions.isLive(id);
  const ends = createSessionEnds(isLive);
  let files: Promise<ConsoleFiles> | undefined;
  let streams = 0;

  /** One that could not be had is tried again. */
  function openFiles(): Promise<ConsoleFiles> {
    files ??= parts.files().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  }

  function stream(
    followed: Followed,
    session: BrowserSession | undefined,
    after?: number,
  ): Response {
    if (streams >= MOST_STREAMS) {
      return refuse(503, `${MOST_STREAMS} pages listen already; close some`);
    }
    streams += 1;
    const watched = session && ends.watch(session.id);
    const body = followStream(followed, after, {
      end: watched ? AbortSignal.any([closed.signal, watched.end]) : closed.signal,
      onEnd() {
        watched?.[Symbol.dispose]();
        streams -= 1;
      },
    });
    return new Response(body, EVENTS);
  }

  /** Who came from Telegram never came in from this machine. */
  const isFresh = (session: BrowserSession | undefined) =>
    !session || (apps.isLive(session.id) === undefined && session.signedInAt + FRESH_MS > now());

  async function readInbox(): Promise<Response> {
    const { seq, items } = await feed.snapshot();
    return Response.json({ ok: true, boot_id: bootId, seq, items }, NOT_KEPT);
  }

  function describe(session: BrowserSession): Response {
    const document = {
      ok: true,
      version: parts.version,
      boot_id: bootId,
      language: parts.language(),
      session: toDocument(session),
      person: { role: "owner" },
    };
    return Response.json(document, NOT_KEPT);
  }

  return {
    door: access.door,
    async page(path, isPlain) {
      const off = site.pageOff();
      if (off !== undefined) return refuse(503, `the page is not served: ${off}`);
      if (isPlain && !access.isPlainWanted()) return moved(origin(false) + path);
      return servePage(await openFiles());
    },
    file: async (path, acceptEncoding) => serveFile(await openFiles(), path, acceptEncoding),
    login: (...asked) => access.login(...asked),
    find: (proof) => sessions.find(proof),
    appPage: async () => servePage(await openFiles(), "https://web.telegram.org"),
    enter: (body) => apps.enter(body),
    findApp: (bearer) => apps.find(bearer),
    isLive: ({ id }) => isLive(id),
    watch: ({ id }) => ends.watch(id),
    async read({ method, path, query, session, body }) {
      if (session && path === "/api/console/session") return describe(session);
      if (session && path === "/api/console/logout") {
        return apps.revoke(session.id)
          ? Response.json({ ok: true }, NOT_KEPT)
          : access.logout(session);
      }
      const asked = { method, path, body, isFresh: isFresh(session) };
      const setting = await answerSettings(facts.settings, asked);
      if (setting) return setting;
      const care = await answerCare(facts.care, {
        method,
        path,
        query,
        body,
        session,
        browsers: sessions,
        isFresh: isFresh(session),
        end: closed.signal,
        stream: (followed) => stream(followed, session),
      });
      if (care) return care;
      const changeSet = await answerChangeSets(facts, { ...asked, query });
      if (changeSet || method !== "GET") return changeSet;
      if (path === "/api/events") {
        return stream(feed, session, toSeq(query.get("after")));
      }
      if (path === "/api/inbox") {
        if (session) facts.care.doctor.glance(closed.signal);
        return readInbox();
      }
      const past = await readPast(facts.past, path, query);
      if (past) return past;
      const routines = readRoutines(facts.routines, path, query);
      if (routines) return routines;
      const traces = await readTraces(facts.traces, path, query);
      if (traces) return traces;
      return readChats(facts.chats, path, query);
    },
    place: (read, session) =>
      place(facts, read, { isFresh: isFresh(session), isPage: session !== undefined }),
    mayNotSay({ sessionId, text }, session) {
      if (isFresh(session) || !setsSomething(facts.chats, sessionId, text)) return undefined;
      return refuse(403, SIGN_IN_AGAIN);
    },
    changed: () => void feed.look().catch(() => {}),
    close: () => closed.abort(),
  };
}

function toSeq(after: string | null): number | undefined {
  return after !== null && /^\d{1,15}$/u.test(after) ? Number(after) : undefined;
}

/** To the page's own name; it may have another one tomorrow. */
function moved(location: string): Response {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new Response(null, { status: 307, headers });
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };

const EVENTS = {
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  },
};
