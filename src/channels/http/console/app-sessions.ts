import { createHash, randomBytes } from "node:crypto";
import type { Settings } from "../../../store/settings/settings.ts";
import { refuse } from "../refuse.ts";
import type { BrowserSession } from "./browser-sessions.ts";
import { INIT_DATA_MS, readInitData } from "./init-data.ts";

/** Whom the Mini App lets in. */
export interface MiniApp {
  /** Undefined: there is no bot. */
  readonly botToken: () => string | undefined;
  /** Asked with every request. */
  readonly mayEnter: (userId: number) => boolean;
}

/** Pages that Telegram opened; what lets them in is in their memory, and here as a hash. */
export interface AppSessions {
  /** Answers a page that brings what Telegram gave it; that counts once. */
  enter(body: string): Response;
  /** Undefined: the bearer is none, or its person may not any more. */
  find(bearer: string): BrowserSession | undefined;
  /** Undefined: the id is none of a page that Telegram opened. */
  isLive(id: string): boolean | undefined;
  revoke(id: string): boolean;
}

interface Entered {
  readonly session: BrowserSession;
  readonly userId: number;
  readonly initData: string;
  /** Of the bot whose token signed it. */
  readonly bot: string;
}

const SESSION_MS = 12 * 3_600_000;
/** The oldest goes for one more. */
const MOST_SESSIONS = 50;

/** No page is in yet; what was used to come in is known over restarts. */
export function createAppSessions(
  app: MiniApp,
  settings: Settings,
  now: () => number,
): AppSessions {
  const used = settings.of("console.init_data.");
  const entered = new Map<string, Entered>();

  function end(found: Entered | undefined): boolean {
    if (!found) return false;
    for (const [key, each] of entered) if (each === found) entered.delete(key);
    return true;
  }

  /** Who had the token of before could sign for anybody: with it goes what it let in. */
  function isIn({ session, userId, bot }: Entered): boolean {
    const token = app.botToken();
    const isOfBot = token !== undefined && hash(token) === bot;
    return isOfBot && session.expiresAt > now() && app.mayEnter(userId);
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
      if (token === undefined) return refuse(403, "there is no bot whose people could come in");
      const text = readBody(body);
      if (text === undefined) return refuse(400, 'send {"init_data": "…"}');
      const read = readInitData(text, token, now());
      if (!read.ok) return refuse(401, `what Telegram gave is not believed: ${read.code}`);
      const { userId } = read;
      if (!app.mayEnter(userId)) return refuse(403, "the console is the owner's");
      const initData = hash(read.hash);
      if (used.get(initData) !== undefined) {
        // Somebody else has it, too: nobody can say who of both is the person.
        for (const each of entered.values()) if (each.initData === initData) end(each);
        return refuse(401, "what Telegram gave was used before; open the page again");
      }
      for (const { id, value } of used.below("")) {
        if (value < now() - 2 * INIT_DATA_MS) used.remove(id);
      }
      used.set(initData, now());
      for (const each of [...entered.values()].slice(0, -(MOST_SESSIONS - 1))) end(each);
      const bearer = randomBytes(32).toString("base64url");
      const at = now();
      const id = `app-${randomBytes(8).toString("hex")}`;
      const session = { id, browser: "Telegram", signedInAt: at, expiresAt: at + SESSION_MS };
      entered.set(hash(bearer), { session, userId, initData, bot: hash(token) });
      return Response.json({ ok: true, bearer, session_id: id }, NOT_KEPT);
    },
    // By the hash: how long it takes to find one tells nothing of a bearer.
    find: (bearer) => live(entered.get(hash(bearer)))?.session,
    isLive: (id) => (id.startsWith("app-") ? live(byId(id)) !== undefined : undefined),
    revoke: (id) => end(byId(id)),
  };
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
