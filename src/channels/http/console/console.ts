import { randomUUID } from "node:crypto";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ConsoleFiles } from "../../../system/own/console-files.ts";
import type { FileEvent } from "../../channel.ts";
import { type ParsedPress, toAsker } from "../parse-request.ts";
import { refuse } from "../refuse.ts";
import { answerCare } from "./care.ts";
import { answerChangeSets } from "./change-sets.ts";
import { readChats, setsSomething } from "./chats.ts";
import type { ConsoleFacts, PersonFacts } from "./facts.ts";
import { createFeed, type Feed } from "./feed.ts";
import { type Followed, followStream } from "./follow-stream.ts";
import { type GiveText, giveFile } from "./give-file.ts";
import { serveFile, servePage } from "./page.ts";
import { readPast } from "./past.ts";
import { place } from "./place.ts";
import { readRoutines } from "./routines.ts";
import {
  type BrowserSession,
  createSessions,
  labelOf,
  type MiniApp,
  type Sessions,
  toDocument,
} from "./sessions/sessions.ts";
import { answerSettings, SIGN_IN_AGAIN } from "./settings.ts";
import { readTraces } from "./traces.ts";

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
  PersonFacts,
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
export type { BrowserSession, Watched } from "./sessions/sessions.ts";

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
  /** What is sent into the private chats of those. */
  readonly chats: {
    giveFile(chat: string, file: FileEvent): void;
    readonly giveText: GiveText;
  };
}

/** The pages and what they read; made with the first request for any of it. */
export interface Console
  extends Pick<Sessions, "door" | "login" | "enter" | "find" | "findApp" | "isLive" | "watch"> {
  /** The page itself, or where it is. */
  page(path: string, isPlain: boolean): Promise<Response>;
  file(path: string, acceptEncoding: string | null): Promise<Response | undefined>;
  /** The page as Telegram shows it. */
  appPage(): Promise<Response>;
  /** Undefined: there is no such thing to be read. */
  read(asked: Asked): Promise<Response | undefined>;
  /** A press in the conversation in which it was asked, whichever channel that is of. */
  place(read: ParsedPress, session: BrowserSession | undefined): ParsedPress | Response;
  /** Why a browser may not say this, if so; a program's token may say anything. */
  mayNotSay(asked: Saying, session: BrowserSession): Response | undefined;
  /** What is given to a person who is shown a page in Telegram, if one is. */
  giverOf(session: BrowserSession | undefined): ((file: FileEvent) => void) | undefined;
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
/** What one person is shown, and what happens of it. */
interface View {
  readonly facts: PersonFacts;
  readonly feed: Feed;
}

/** The console over its parts. */
export function createConsole(parts: ConsoleParts, site: Site): Console {
  const { facts, settings, now, onSignIn, app } = parts;
  const bootId = randomUUID();
  const owner: View = { facts, feed: createFeed(facts, { now }) };
  const others = new Map<string, View>();
  const closed = new AbortController();
  const origin = (isPlain: boolean) =>
    `http://${isPlain ? "127.0.0.1" : `${labelOf(settings)}.localhost`}:${site.port()}`;
  const { pageOff } = site;
  const sessions = createSessions({ settings, app, now, origin, pageOff, onSignIn });
  const { isFresh } = sessions;
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
    const watched = session && sessions.watch(session);
    const body = followStream(followed, after, {
      end: watched ? AbortSignal.any([closed.signal, watched.end]) : closed.signal,
      onEnd() {
        watched?.[Symbol.dispose]();
        streams -= 1;
      },
    });
    return new Response(body, EVENTS);
  }

  /** Nothing is kept for somebody else than the owner who is not in any more. */
  function viewOf(session: BrowserSession | undefined): View {
    const other = session?.other;
    const known = other === undefined ? owner : others.get(other);
    if (known || other === undefined) return known ?? owner;
    const isIn = new Set(sessions.list().map((each) => each.other));
    for (const gone of others.keys()) if (!isIn.has(gone)) others.delete(gone);
    const own = facts.of(toAsker(other));
    const view = { facts: own, feed: createFeed(own, { now }) };
    others.set(other, view);
    return view;
  }

  async function readInbox({ feed }: View): Promise<Response> {
    const { seq, items } = await feed.snapshot();
    return Response.json({ ok: true, boot_id: bootId, seq, items }, NOT_KEPT);
  }

  /** What everybody may ask, each about their own. */
  async function readOwn(asked: Asked): Promise<Response | undefined> {
    const { method, path, query, session, body } = asked;
    const view = viewOf(session);
    const changeSet = await answerChangeSets(view.facts, { method, path, query, body });
    if (changeSet || method !== "GET") return changeSet;
    if (path === "/api/events") return stream(view.feed, session, toSeq(query.get("after")));
    if (path === "/api/inbox") return readInbox(view);
    return readChats(view.facts.chats, path, query);
  }

  /** The rest is the owner's. */
  async function readOwners(asked: Asked): Promise<Response | undefined> {
    const { method, path, query, session, body } = asked;
    const how = { method, path, body, isFresh: isFresh(session) };
    const setting = await answerSettings(facts.settings, how);
    if (setting) return setting;
    const care = await answerCare(facts.care, {
      ...how,
      query,
      session,
      browsers: sessions,
      end: closed.signal,
      stream: (followed) => stream(followed, session),
    });
    if (care || method !== "GET") return care;
    const past = await readPast(facts.past, path, query);
    if (past) return past;
    const routines = readRoutines(facts.routines, path, query);
    if (routines) return routines;
    return readTraces(facts.traces, path, query);
  }

  function describe(session: BrowserSession): Response {
    const document = {
      ok: true,
      version: parts.version,
      boot_id: bootId,
      language: parts.language(),
      session: toDocument(session),
      person: { role: session.other === undefined ? "owner" : "other" },
    };
    return Response.json(document, NOT_KEPT);
  }

  return {
    ...sessions,
    async page(path, isPlain) {
      const off = pageOff();
      if (off !== undefined) return refuse(503, `the page is not served: ${off}`);
      if (isPlain && !sessions.isPlainWanted()) return moved(origin(false) + path);
      return servePage(await openFiles());
    },
    file: async (path, acceptEncoding) => serveFile(await openFiles(), path, acceptEncoding),
    appPage: async () => servePage(await openFiles(), "https://web.telegram.org"),
    async read(asked) {
      const { path, session } = asked;
      if (session && path === "/api/console/session") return describe(session);
      if (session && path === "/api/console/logout") return sessions.logout(session);
      if (session && path === "/api/app/file")
        return giveFile(session.chat, await asked.body(), parts.chats);
      const isOwners = session?.other === undefined;
      if (isOwners && session && path === "/api/inbox") facts.care.doctor.glance(closed.signal);
      return (await readOwn(asked)) ?? (isOwners ? readOwners(asked) : undefined);
    },
    place(read, session) {
      const isPage = session !== undefined;
      const presser = { isFresh: isFresh(session), isPage, other: session?.other };
      return place(viewOf(session).facts, read, presser);
    },
    mayNotSay({ sessionId, text }, session) {
      const { chats } = viewOf(session).facts;
      if (isFresh(session) || !setsSomething(chats, sessionId, text)) return undefined;
      return refuse(403, SIGN_IN_AGAIN);
    },
    giverOf(session) {
      const chat = session?.chat;
      return chat === undefined ? undefined : (file) => parts.chats.giveFile(chat, file);
    },
    changed() {
      for (const { feed } of [owner, ...others.values()]) void feed.look().catch(() => {});
    },
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
