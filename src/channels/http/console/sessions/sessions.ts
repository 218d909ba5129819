import type { Settings } from "../../../../store/settings/settings.ts";
import type { ConsoleDoor } from "../../../channel.ts";
import { type Access, type AccessOptions, createAccess, endCookie, type Revoke } from "./access.ts";
import { type AppSessions, createAppSessions, type MiniApp } from "./app-sessions.ts";
import {
  type BrowserSession,
  type BrowserSessions,
  createBrowserSessions,
} from "./browser-sessions.ts";
import { createSessionEnds, type SessionEnds, type Watched } from "./session-ends.ts";

export { labelOf, type Origin, toDocument } from "./access.ts";
export type { MiniApp } from "./app-sessions.ts";
export type { BrowserSession } from "./browser-sessions.ts";
export type { Watched } from "./session-ends.ts";

/** Everybody who is in: browsers of this machine, and pages that Telegram opened. */
export interface Sessions {
  readonly door: ConsoleDoor;
  readonly login: Access["login"];
  readonly isPlainWanted: Access["isPlainWanted"];
  /** Answers a page that brings what Telegram gave it. */
  readonly enter: AppSessions["enter"];
  readonly find: BrowserSessions["find"];
  readonly findApp: AppSessions["find"];
  /** Whether it is one still. */
  isLive(session: BrowserSession): boolean;
  /** Listens for the end of one. */
  watch(session: BrowserSession): Watched;
  /** Whether it came in from this machine a moment ago; a program, which has none, always did. */
  readonly isFresh: (session: BrowserSession | undefined) => boolean;
  readonly list: () => readonly BrowserSession[];
  readonly revoke: Revoke;
  /** Ends the session that asks for it. */
  logout(session: BrowserSession): Response;
}

/** What they are kept in, and who hears of them. */
export interface SessionsOptions extends Omit<AccessOptions, "browsers" | "list" | "revoke"> {
  readonly settings: Settings;
  readonly app: MiniApp;
}

/** What opens a gate wants somebody who came in from this machine a moment ago. */
const FRESH_MS = 10 * 60_000;

/** All of them, over what is stored. */
export function createSessions(options: SessionsOptions): Sessions {
  const { settings, now, app, onSignIn } = options;
  const browsers = createBrowserSessions(settings.of("console.browser."), now);
  const apps = createAppSessions(app, settings, now, onSignIn);
  const isLive = (id: string) => apps.isLive(id) ?? browsers.isLive(id);
  const ends: SessionEnds = createSessionEnds(isLive);
  const list = () =>
    [...browsers.list(), ...apps.list()].toSorted((a, b) => b.signedInAt - a.signedInAt);
  const revoke: Revoke = (id, by) => {
    const isTheirs = by === undefined || apps.list().some((each) => isOf(each, id, by));
    return isTheirs && (apps.revoke(id) || browsers.revoke(id));
  };
  return {
    ...createAccess({ ...options, browsers, list, revoke }),
    enter: (body) => apps.enter(body),
    find: (proof) => browsers.find(proof),
    findApp: (bearer) => apps.find(bearer),
    isLive: ({ id }) => isLive(id),
    watch: ({ id }) => ends.watch(id),
    // Who came from Telegram never came in from this machine.
    isFresh: (session) =>
      !session || (apps.isLive(session.id) === undefined && session.signedInAt + FRESH_MS > now()),
    list,
    revoke,
    logout({ id }) {
      if (apps.revoke(id)) return Response.json({ ok: true }, NOT_KEPT);
      browsers.revoke(id);
      return endCookie();
    },
  };
}

function isOf({ id, other }: BrowserSession, wanted: string, by: string): boolean {
  return id === wanted && other === by;
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };
