import { createHash, randomBytes } from "node:crypto";
import type { Settings } from "../../../../store/settings/settings.ts";
import { misuse, refuse } from "../../refuse.ts";
import type { BrowserSession } from "./browser-sessions.ts";
import { INIT_DATA_MS, readInitData } from "./init-data.ts";

/** Whom the Mini App lets in. */
export interface MiniApp {
  /** Undefined: there is no bot. */
  readonly botToken: () => string | undefined;
  /** Who a person is here, asked with every request; undefined: nobody who may come in. */
  readonly roleOf: (userId: number) => Role | undefined;
}

/** The owner, or somebody else who may speak to the bot. */
export type Role = "owner" | "other";

/** Pages that Telegram opened; what lets them in is in their memory, and here as a hash. */
export interface AppSessions {
  /** Answers a page that brings what Telegram gave it; that counts once. */
  enter(body: string): Response;
  /** Undefined: the bearer is none, or its person may not any more. */
  find(bearer: string): BrowserSession | undefined;
  /** Undefined: the id is none of a page that Telegram opened. */
  isLive(id: string): boolean | undefined;
  /** The newest first. */
  list(): readonly BrowserSession[];
  revoke(id: string): boolean;
}

interface Entered {
  readonly session: BrowserSession;
  readonly userId: number;
  /** Who became another is nobody any more: what their page shows is not theirs. */
  readonly role: Role;
  readonly initData: string;
  /** Of the bot whose token signed it. */
  readonly bot: string;
}

const SESSION_MS = 12 * 3_600_000;
/** Of one person: their oldest goes for one more. */
const MOST_SESSIONS = 10;

/** No page is in yet; what was used to come in is known over restarts. */
export function createAppSessions(
  app: MiniApp,
  settings: Settings,
  now: () => number,
  onSignIn: (session: BrowserSession) => void,
): AppSessions {
  const used = settings.of("console.init_data.");
  const entered = new Map<string, Entered>();

  function end(found: Entered | undefined): boolean {
    if (!found) return false;
    for (const [key, each] of entered) if (each === found) entered.delete(key);
    return true;
  }

  /** Who had the token of before could sign for anybody: with it goes what it let in. */
  function isIn({ session, userId, role, bot }: Entered): boolean {
    const token = app.botToken();
    const isOfBot = token !== undefined && hash(token) === bot;
    return isOfBot && session.expiresAt > now() && app.roleOf(userId) === role;
  }

  function live(found: Entered | undefined): Entered | undefined {
    if (!found || isIn(found)) return found;
    end(found);
    return undefined;
  }

  const byId = (id: string) => [...entered.values()].find(({ session }) => session.id === id);

  return {
    enter(body) {
      const token = app.botToken();
      if (token === undefined) return refuse(403, (say) => say.noBot);
      const text = readBody(body);
      if (text === undefined) return misuse(400, 'send {"init_data": "…"}');
      const read = readInitData(text, token, now());
      if (!read.ok) return refuse(401, (say) => say.notBelieved(read.code));
      const { userId } = read;
      const role = app.roleOf(userId);
      if (role === undefined) return refuse(403, (say) => say.unknownToBot);
      const initData = hash(read.hash);
      if (used.get(initData) !== undefined) {
        // Somebody else has it, too: nobody can say who of both is the person.
        for (const each of entered.values()) if (each.initData === initData) end(each);
        return refuse(401, (say) => say.usedBefore);
      }
      for (const { id, value } of used.below("")) {
        if (value < now() - 2 * INIT_DATA_MS) used.remove(id);
      }
      used.set(initData, now());
      const own = [...entered.values()].filter((each) => each.userId === userId);
      for (const each of own.slice(0, -(MOST_SESSIONS - 1))) end(each);
      const bearer = randomBytes(32).toString("base64url");
      const at = now();
      const id = `app-${randomBytes(8).toString("hex")}`;
      const times = { signedInAt: at, expiresAt: at + SESSION_MS };
      const session = { id, ...nameOf(userId, role), ...times, chat: `telegram:${userId}` };
      entered.set(hash(bearer), { session, userId, role, initData, bot: hash(token) });
      onSignIn(session);
      return Response.json({ ok: true, bearer, session_id: id }, NOT_KEPT);
    },
    // By the hash: how long it takes to find one tells nothing of a bearer.
    find: (bearer) => live(entered.get(hash(bearer)))?.session,
    isLive: (id) => (id.startsWith("app-") ? live(byId(id)) !== undefined : undefined),
    list: () =>
      [...entered.values()]
        .filter((each) => live(each))
        .map(({ session }) => session)
        .toReversed(),
    revoke: (id) => end(byId(id)),
  };
}

function nameOf(userId: number, role: Role) {
  if (role === "owner") return { browser: "Telegram" };
  return { browser: `Telegram ${userId}`, other: `telegram:${userId}` };
}

function readBody(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const { init_data: text } = {
      init_data: undefined,
      ...(typeof value === "object" ? value : {}),
    };
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };
