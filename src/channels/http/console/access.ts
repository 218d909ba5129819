import { randomBytes } from "node:crypto";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ConsoleDoor } from "../../channel.ts";
import { COOKIE } from "../judge-request.ts";
import { refuse } from "../refuse.ts";
import type { SessionProof } from "../routes.ts";
import {
  type BrowserSession,
  type BrowserSessions,
  createBrowserSessions,
  SESSION_MS,
} from "./browser-sessions.ts";
import { createLoginCodes } from "./login-codes.ts";

/** How browsers get in, and how long they stay. */
export interface ConsoleAccess {
  readonly door: ConsoleDoor;
  readonly sessions: BrowserSessions;
  /** Answers a page that brings a code; the session that it still had, as `shown`, ends. */
  login(body: string, userAgent: string | null, shown: SessionProof): Response;
  logout(session: BrowserSession): Response;
  /** Whether this machine's own address shows the page, and leads nowhere else. */
  readonly isPlainWanted: () => boolean;
}

/** What the way in is made of. */
export interface AccessOptions {
  readonly settings: Settings;
  readonly now: () => number;
  /** The address of the console. */
  readonly origin: (isPlain: boolean) => string;
  /** Why the page is not served, if so. */
  readonly pageOff: () => string | undefined;
  /** A browser was let in. */
  readonly onSignIn: (session: BrowserSession) => void;
}

/** The way in over what is stored of it. */
export function createAccess(options: AccessOptions): ConsoleAccess {
  const { settings, now, origin, pageOff, onSignIn } = options;
  const codes = createLoginCodes(now);
  const sessions = createBrowserSessions(settings.of("console.browser."), now);

  function open(isPlain: boolean): ReturnType<ConsoleDoor> {
    const reason = pageOff();
    if (reason !== undefined) return { ok: false, error: `the page is not served: ${reason}` };
    const { id, code } = codes.issue(isPlain);
    return { ok: true, id, url: `${origin(isPlain)}/#login=${code}` };
  }

  return {
    sessions,
    door(asked) {
      switch (asked.act) {
        case "open":
          return open(asked.plain);
        case "state":
          return { ok: true, state: codes.state(asked.id) };
        case "list":
          return { ok: true, sessions: sessions.list().map(toDocument) };
        case "revoke":
          return sessions.revoke(asked.id)
            ? { ok: true, id: asked.id }
            : { ok: false, error: "no browser is let in under this id; papayu open --list" };
        default:
          return asked satisfies never;
      }
    },
    login(body, userAgent, shown) {
      const { isPlain } = shown;
      const code = readCode(body);
      if (code === undefined) return refuse(400, 'send {"code": "…"}');
      if (!codes.redeem(code, isPlain)) {
        return refuse(401, "the code is wrong, used or too old; papayu open gives another");
      }
      const before = sessions.find(shown);
      if (before) sessions.revoke(before.id);
      const { session, secret, cookie } = sessions.open(toBrowserName(userAgent), isPlain);
      onSignIn(session);
      const headers = cookie === undefined ? {} : { "set-cookie": toCookie(cookie, SESSION_MS) };
      return Response.json({ ok: true, secret, session_id: session.id }, { headers });
    },
    logout({ id }) {
      sessions.revoke(id);
      return Response.json({ ok: true }, { headers: { "set-cookie": toCookie("", 0) } });
    },
    isPlainWanted: () => codes.isPlainAwaited() || sessions.isPlainUsed(),
  };
}

/** The console's host label, made with its first use and kept. */
export function labelOf(settings: Settings): string {
  const kept = settings.of("console.label");
  const known = kept.get("");
  if (known !== undefined && LABEL.test(known)) return known;
  const letters = Array.from(randomBytes(8), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
  const label = `papayu-${letters.join("")}`;
  kept.set("", label);
  return label;
}

const LABEL = /^papayu-[a-z]{8}$/u;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** For programs, with instants as they read them. */
export function toDocument({ id, browser, signedInAt, expiresAt }: BrowserSession) {
  return {
    id,
    browser,
    signed_in_at: new Date(signedInAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

function readCode(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const { code } = { code: undefined, ...(typeof value === "object" ? value : {}) };
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

function toCookie(value: string, lastsMs: number): string {
  return `${COOKIE}=${value}; Path=/; Max-Age=${lastsMs / 1000}; HttpOnly; SameSite=Strict`;
}

/** What browsers call themselves, the more special first: each also names those it descends from. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bFirefox\//u, "Firefox"],
  [/\bEdg\//u, "Edge"],
  [/\bOPR\//u, "Opera"],
  [/\bVivaldi\//u, "Vivaldi"],
  [/Chrom(?:e|ium)\//u, "Chrome"],
  [/\bSafari\//u, "Safari"],
];

/** A browser's name for people; from our list, since anybody can send any. */
function toBrowserName(userAgent: string | null): string {
  return NAMES.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "?";
}
