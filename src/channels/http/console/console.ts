import { randomUUID } from "node:crypto";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ConsoleFiles } from "../../../system/own/console-files.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { FileEvent } from "../../channel.ts";
import type { Place } from "../listen.ts";
import {
  type ChatRequest,
  type MessageRequest,
  type ParsedPress,
  toAsker,
} from "../parse-request.ts";
import { busy, refuse } from "../refuse.ts";
import { answerChangeSets } from "./change-sets.ts";
import { authorizeMessage, createDownloads, createUploads, readChats } from "./chats/chats.ts";
import type { ConsoleFacts, PersonFacts } from "./facts.ts";
import { createFeed, type Feed } from "./feed.ts";
import { type Followed, followStream } from "./follow-stream.ts";
import { type GiveText, giveFile } from "./give-file.ts";
import { createListeners } from "./listeners.ts";
import { type Asked, readOwners } from "./owners.ts";
import { serveFile, servePage } from "./page.ts";
import { place } from "./place.ts";
import {
  type BrowserSession,
  createSessions,
  labelOf,
  type MiniApp,
  type Origin,
  type Sessions,
  toDocument,
} from "./sessions/sessions.ts";

export type { ChatEntry, ChatFacts, RunningEntry, SentFile } from "./chat-facts.ts";
export type {
  Action,
  Answering,
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
  page(address: string, isPlain: boolean): Promise<Response>;
  file(path: string, acceptEncoding: string | null): Promise<Response | undefined>;
  /** The page as Telegram shows it. */
  appPage(): Promise<Response>;
  /** Undefined: there is no such thing to be read. */
  read(asked: Asked): Promise<Response | undefined>;
  /** A press in the conversation in which it was asked, whichever channel that is of. */
  place(read: ParsedPress, session: BrowserSession | undefined): ParsedPress | Response;
  /** In whose name a message counts, or the press that it is; a program's token may say anything. */
  authorize(message: MessageRequest, session: BrowserSession | undefined): ChatRequest | Response;
  /** Takes the body of a request as a file, of the owner at this machine. */
  takeFile(
    request: Request,
    query: URLSearchParams,
    session: BrowserSession | undefined,
  ): Promise<Response>;
  /** What is given to a person who is shown a page in Telegram, if one is. */
  giverOf(session: BrowserSession | undefined): ((file: FileEvent) => void) | undefined;
  /** Something was answered here: who follows hears of it at once. */
  changed(): void;
  /** Ends what follows. */
  close(): void;
}

/** Where the channel listens. */
export interface Site {
  readonly place: () => Place;
  /** In the language of the interface. */
  readonly texts: () => Texts;
}

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
  const views = () => [owner, ...others.values()];
  const uploads = createUploads(facts.chats);
  const downloads = createDownloads();
  // Each hears of what is theirs, by the name that it has for them.
  facts.listen((sessionId) => {
    for (const { facts: own, feed } of views()) {
      const name = own.chats.nameOf(sessionId);
      if (name !== undefined) feed.note({ kind: "chat", name });
    }
  });
  const closed = new AbortController();
  const locate = (isPlain: boolean): Origin => {
    const { port, pageOff } = site.place();
    if (pageOff !== undefined) return { pageOff };
    return { origin: `http://${isPlain ? "127.0.0.1" : `${labelOf(settings)}.localhost`}:${port}` };
  };
  const sessions = createSessions({ settings, app, now, locate, onSignIn });
  const { isFresh } = sessions;
  let files: Promise<ConsoleFiles> | undefined;
  const listeners = createListeners();

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
    const entered = listeners.enter(session);
    if (typeof entered === "number") return busy((say) => say.tooManyPages(entered));
    const watched = session && sessions.watch(session);
    const body = followStream(followed, after, {
      end: watched ? AbortSignal.any([closed.signal, watched.end]) : closed.signal,
      onEnd() {
        watched?.[Symbol.dispose]();
        entered[Symbol.dispose]();
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

  function placeFor(read: ParsedPress, session: BrowserSession | undefined) {
    const isPage = session !== undefined;
    const who = { isPage, isAway: isAway(session), other: session?.other };
    return place(viewOf(session).facts, read, { ...who, isFresh: isFresh(session) });
  }

  /** What everybody may ask, each about their own. */
  async function readOwn(asked: Asked): Promise<Response | undefined> {
    const { method, path, query, session, body, request } = asked;
    const view = viewOf(session);
    const changeSet = await answerChangeSets(view.facts, { method, path, query, body });
    if (changeSet || method !== "GET") return changeSet;
    // A client that comes again by itself has the address of the first time, and where it was since.
    const after = toSeq(request?.headers.get("last-event-id") ?? query.get("after"));
    if (path === "/api/events") return stream(view.feed, session, after);
    if (path === "/api/inbox") return readInbox(view);
    const how = { texts: site.texts, isAway: isAway(session), downloads };
    return readChats(view.facts.chats, path, query, how);
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
    async page(address, isPlain) {
      const { origin, pageOff } = locate(false);
      if (origin === undefined) return refuse(503, (say) => say.pageOff(pageOff));
      if (isPlain && !sessions.isPlainWanted()) return moved(origin + address);
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
      const own = await readOwn(asked);
      if (own || !isOwners) return own;
      const context = { sessions, end: closed.signal, isFresh: isFresh(session) };
      return readOwners(facts, asked, { ...context, stream: (each) => stream(each, session) });
    },
    place: placeFor,
    authorize(message, session) {
      const { chats } = viewOf(session).facts;
      const { prefix } = toAsker(session?.other);
      const who = { prefix, isAway: isAway(session), isFresh: isFresh(session) };
      const own = {
        uploads,
        place: (read: ParsedPress) => placeFor(read, session),
      };
      return authorizeMessage(message, { facts: chats, ...own, ...who });
    },
    async takeFile(request, query, session) {
      if (isAway(session)) return refuse(403, (say) => say.filesTakenThere);
      using watched = session && sessions.watch(session);
      const isOut = () => session !== undefined && !sessions.isLive(session);
      return await uploads.take(request, query, { end: watched?.end, isOut });
    },
    giverOf(session) {
      const chat = session?.chat;
      return chat === undefined ? undefined : (file) => parts.chats.giveFile(chat, file);
    },
    changed() {
      for (const { feed } of views()) void feed.look().catch(() => {});
    },
    close: () => closed.abort(),
  };
}

/** Who came by the public host, whoever it is; others than the owner never come in another way. */
function isAway(session: BrowserSession | undefined): boolean {
  return session?.chat !== undefined || session?.other !== undefined;
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
