import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Kept, ValueOf } from "../../../../store/settings/settings.ts";
import type { SessionProof } from "../../routes.ts";

/** A browser that was let in. */
export interface BrowserSession {
  readonly id: string;
  readonly browser: string;
  readonly signedInAt: number;
  readonly expiresAt: number;
  /** Who it is, as conversations know them, where it is not the owner. */
  readonly other?: string;
  /** The private chat of who opened the page in Telegram, which takes files for them. */
  readonly chat?: string;
}

/** Browsers that were let in, in `state.db`: of their secrets only hashes. */
export interface BrowserSessions {
  /** Its secrets are known from here alone. */
  open(browser: string, isPlain: boolean): Opened;
  /** The session that a request shows, whole; undefined: none, or one that ended. */
  find(proof: SessionProof): BrowserSession | undefined;
  isLive(id: string): boolean;
  /** The newest first. */
  list(): readonly BrowserSession[];
  /** Ends one; false when there is none of this id. */
  revoke(id: string): boolean;
  /** Whether any page works without cookies. */
  readonly isPlainUsed: () => boolean;
}

/** What a browser gets. */
export interface Opened {
  readonly session: BrowserSession;
  /** For the page. */
  readonly secret: string;
  /** For the cookie; of a page without cookies none. */
  readonly cookie: string | undefined;
}

/** How long a browser stays let in. */
export const SESSION_MS = 30 * 24 * 3_600_000;
const SECRET_BYTES = 32;
/** The oldest goes for one more. */
const MOST_SESSIONS = 50;

type Stored = ValueOf<"console.browser.">;

/** Sessions over the settings that are kept of them. */
export function createBrowserSessions(kept: Kept<Stored>, now: () => number): BrowserSessions {
  function load(id: string): Stored | undefined {
    const stored = /^[0-9a-f]{16}$/u.test(id) ? kept.get(id) : undefined;
    return stored && stored.signedInAt + SESSION_MS > now() ? stored : undefined;
  }

  function all(): readonly { readonly id: string; readonly stored: Stored }[] {
    return kept
      .below("")
      .flatMap(({ id }) => {
        const stored = load(id);
        return stored ? [{ id, stored }] : [];
      })
      .toSorted((a, b) => b.stored.signedInAt - a.stored.signedInAt);
  }

  return {
    open(browser, isPlain) {
      for (const { id } of all().slice(MOST_SESSIONS - 1)) kept.remove(id);
      const id = randomBytes(8).toString("hex");
      const [secret, cookie] = [newSecret(id), newSecret(id)];
      const stored = {
        browser,
        signedInAt: now(),
        secretSha256: hash(secret),
        ...(!isPlain && { cookieSha256: hash(cookie) }),
      };
      kept.set(id, stored);
      return { session: toSession(id, stored), secret, cookie: isPlain ? undefined : cookie };
    },
    find({ secret, cookies, isPlain }) {
      const [id = ""] = secret.split(".", 1);
      const stored = load(id);
      if (!stored || isPlain !== (stored.cookieSha256 === undefined)) return undefined;
      const { cookieSha256: wanted } = stored;
      const hasCookie = wanted === undefined || cookies.some((cookie) => isHash(cookie, wanted));
      return isHash(secret, stored.secretSha256) && hasCookie ? toSession(id, stored) : undefined;
    },
    isLive: (id) => load(id) !== undefined,
    list: () => all().map(({ id, stored }) => toSession(id, stored)),
    revoke(id) {
      if (!load(id)) return false;
      kept.remove(id);
      return true;
    },
    isPlainUsed: () => all().some(({ stored }) => stored.cookieSha256 === undefined),
  };
}

function toSession(id: string, { browser, signedInAt }: Stored): BrowserSession {
  return { id, browser, signedInAt, expiresAt: signedInAt + SESSION_MS };
}

/** The id in front says where to look; the rest is 256 bits. */
function newSecret(id: string): string {
  return `${id}.${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

function hash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function isHash(secret: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(hash(secret)), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
