import { randomBytes } from "node:crypto";
import type { Settings } from "../../../../store/settings/settings.ts";
import type { ConsoleDoor } from "../../../channel.ts";
import { COOKIE } from "../../authorize-request.ts";
import { misuse, refuse } from "../../refuse.ts";
import type { SessionProof } from "../../routes.ts";
import { type BrowserSession, type BrowserSessions, SESSION_MS } from "./browser-sessions.ts";
import { createLoginCodes } from "./login-codes.ts";

/** How browsers get in from this machine. */
export interface Access {
  readonly door: ConsoleDoor;
  /** Answers a page that brings a code; the session that it still had, as `shown`, ends. */
  login(body: string, userAgent: string | null, shown: SessionProof): Response;
  /** Whether this machine's own address shows the page, and leads nowhere else. */
  readonly isPlainWanted: () => boolean;
}

/** The address of the console, or why its page is not served. */
export type Origin =
  | { readonly origin: string; readonly pageOff?: undefined }
  | { readonly origin?: undefined; readonly pageOff: string };

/** What the way in is made of. */
export interface AccessOptions {
  readonly browsers: BrowserSessions;
  readonly now: () => number;
  readonly locate: (isPlain: boolean) => Origin;
  /** A browser was let in. */
  readonly onSignIn: (session: BrowserSession) => void;
  /** Everybody who is in, however they came. */
  readonly list: () => readonly BrowserSession[];
  readonly revoke: Revoke;
}

/** Ends a session, of anybody or of one person; false: there is none. */
export type Revoke = (id: string, by?: string) => boolean;

/** The way in over those that are in. */
export function createAccess(options: AccessOptions): Access {
  const { browsers, now, locate, onSignIn, list, revoke } = options;
  const codes = createLoginCodes(now);

  function open(isPlain: boolean): ReturnType<ConsoleDoor> {
    const { origin, pageOff } = locate(isPlain);
    if (origin === undefined) return { ok: false, error: `the page is not served: ${pageOff}` };
    const { id, code } = codes.issue(isPlain);
    return { ok: true, id, url: `${origin}/#login=${code}` };
  }

  return {
    door(asked) {
      switch (asked.act) {
        case "open":
          return open(asked.plain);
        case "state":
          return { ok: true, state: codes.state(asked.id) };
        case "list":
          return { ok: true, sessions: list().map(toDocument) };
        case "revoke":
          return revoke(asked.id, asked.by)
            ? { ok: true, id: asked.id }
            : { ok: false, error: "no browser is let in under this id; papayu open --list" };
        default:
          return asked satisfies never;
      }
    },
    login(body, userAgent, shown) {
      const { isPlain } = shown;
      const code = readCode(body);
      if (code === undefined) return misuse(400, 'send {"code": "…"}');
      if (!codes.redeem(code, isPlain)) {
        return refuse(401, (say) => say.wrongLogin);
      }
      const before = browsers.find(shown);
      if (before) browsers.revoke(before.id);
      const { session, secret, cookie } = browsers.open(toBrowserName(userAgent), isPlain);
      onSignIn(session);
      const headers = cookie === undefined ? {} : { "set-cookie": toCookie(cookie, SESSION_MS) };
      return Response.json({ ok: true, secret, session_id: session.id }, { headers });
    },
    isPlainWanted: () => codes.isPlainAwaited() || browsers.isPlainUsed(),
  };
}

/** Takes the cookie away. */
export function endCookie(): Response {
  return Response.json({ ok: true }, { headers: { "set-cookie": toCookie("", 0) } });
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
