import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Language } from "../../core/language.ts";
import { type Client, createUnkept, type Unkept, type Unsent } from "../client/client.ts";
import { isOfApp } from "../route.ts";
import { type Texts, textsIn } from "../texts/texts.ts";
import { createFeed, type Feed } from "./feed.ts";
import { createNavigation, type Navigation, type NavigationWorld } from "./navigation.ts";
import { createPresses, type Presses, type PressesWorld } from "./presses.ts";
import { createSession, type Session } from "./session.ts";
import { createView, type View } from "./view.ts";

export { messageOf } from "../client/client.ts";
export type { Feed } from "./feed.ts";
export { createLazy, type Lazy } from "./lazy.ts";
export type { Navigation } from "./navigation.ts";
export type { PlanAt } from "./plan-words.ts";
export { isUnderWay } from "./press.ts";
export type { Presses } from "./presses.ts";
export type { Session } from "./session.ts";
export { renderTitle } from "./title.ts";
export { useNewest } from "./use-newest.ts";
export { useTitle } from "./use-title.ts";
export type { FailedPart, View } from "./view.ts";

/** What the places of the page share: whoever needs one of the parts takes that one. */
export interface Page {
  readonly client: Client;
  readonly texts: Signal<Texts>;
  readonly session: Session;
  readonly nav: Navigation;
  readonly feed: Feed;
  readonly presses: Presses;
  readonly view: View;
  readonly unkept: Unkept;
}

/** What draws a change set; it is loaded when the first one is shown. */
export type OfChangeSet = ComponentType<{ readonly page: Page; readonly id: string }>;

/** Files that could not be read: no yes counts until they were. */
export interface Unread {
  readonly count: number;
  /** They are read again now: how many are left is known when that is over. */
  readonly isRetrying: boolean;
  readonly retry: () => void;
}

/** A change set that is there to be read: what of it is not, what to know, and what is drafted. */
export interface ReadSet {
  readonly unread: Unread;
  readonly notes: readonly string[];
  readonly unsent: Unsent;
}

/** What draws one in the list, and says when it is there to be read. */
export type UnfoldedChangeSet = ComponentType<{
  readonly page: Page;
  readonly id: string;
  readonly onRead: (read: ReadSet) => void;
}>;

/** What is loaded for it. */
export interface Unfolding {
  readonly Unfolded: UnfoldedChangeSet;
}

/** The browser as far as the state of the page needs it. */
export interface PageWorld extends NavigationWorld, PressesWorld {
  readonly now: () => number;
  /** Until it is known which one the person has chosen. */
  readonly language: Language;
}

/** The state of the page, before anything was asked. */
export function createPage(client: Client, world: PageWorld, access: Session["access"]): Page {
  const texts = signal(textsIn(world.language));
  const session = createSession(access, isOfApp(world.location.pathname));
  const nav = createNavigation(world);
  const feed = createFeed(client);
  const view = createView(world.now());
  const unkept = createUnkept(client, feed.link);
  const presses = createPresses({ client, texts, nav, feed, view, unkept }, world);
  unkept.watch(() => view.unsaved.peek() !== undefined);
  return { client, texts, session, nav, feed, presses, view, unkept };
}
