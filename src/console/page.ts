import { batch, type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Language } from "../core/language.ts";
import { toVisibleText } from "../core/visible-text.ts";
import type { Act, Client, Inbox, LinkState } from "./client/client.ts";
import { RefusedError } from "./client/client.ts";
import { isUnderWay, type PressState, pressOnce } from "./press.ts";
import { APP, isOfApp, type Place, type Route, readRoute, renderRoute } from "./route.ts";
import { type Texts, textsIn } from "./texts/texts.ts";

/** What draws a change set; it is loaded when the first one is shown. */
export type OfChangeSet = ComponentType<{ readonly page: Page; readonly id: string }>;

/** Files that could not be read: no yes counts until they were. */
export interface Unread {
  readonly count: number;
  /** They are read again now: how many are left is known when that is over. */
  readonly isRetrying: boolean;
  readonly retry: () => void;
}

/** What draws one in the list, and says when it is there to be read, what of it is not, and what to know. */
export type UnfoldedChangeSet = ComponentType<{
  readonly page: Page;
  readonly id: string;
  readonly onRead: (unread: Unread, notes: readonly string[]) => void;
}>;

/** Everything that the parts of the page share. */
export interface Page {
  readonly client: Client;
  readonly texts: Signal<Texts>;
  readonly route: Signal<Route>;
  readonly access: Signal<"asking" | "in" | "out">;
  /** Telegram opened it. */
  readonly isApp: boolean;
  /** Somebody else than the owner has fewer places. */
  readonly role: Signal<"owner" | "other">;
  /** A code was tried and did not work. */
  readonly hasFailedLogin: Signal<boolean>;
  readonly link: Signal<LinkState>;
  readonly inbox: Signal<Inbox | undefined>;
  readonly failure: Signal<string | undefined>;
  /** Grows with everything that happens: what is shown is asked for anew. */
  readonly changes: Signal<number>;
  /** What happened to a change set beside what its line in the inbox says, by its id; so often. */
  readonly setChanges: Signal<ReadonlyMap<string, number>>;
  /** Grows with everything that happens in a workspace. */
  readonly workspaceChanges: Signal<number>;
  /** The same of routines. */
  readonly routineChanges: Signal<number>;
  /** The conversation in which something was last said or shown; undefined: in any. */
  readonly heard: Signal<{ readonly id: string | undefined }>;
  readonly presses: Signal<ReadonlyMap<string, PressState>>;
  /** The text of the settings as it stands in their box, where it is not saved. */
  readonly unsaved: Signal<string | undefined>;
  /** For whoever cannot see it: what has just happened. */
  readonly said: Signal<string>;
  /** Grows with each answer from the list, which has gone with what it was about. */
  readonly answers: Signal<number>;
  readonly isHelpOpen: Signal<boolean>;
  /** Changes are shown as a text to be read out. */
  readonly isReading: Signal<boolean>;
  /** Grows while time passes: how long ago something was is told anew. */
  readonly ticks: Signal<number>;
  /** When the window got the focus. */
  readonly focusedAt: Signal<number>;
  /** When what lies under the hands last came from somewhere else. */
  readonly movedAt: Signal<number>;
  go(place: Place): void;
  /** The address of a place. */
  href(place: Place): string;
  /** Presses for what was on the screen; once, until it is answered. */
  press(act: Act, label: string, key: string, digest: string | undefined): Promise<void>;
  refresh(): Promise<void>;
}

/** The browser as far as the state of the page needs it. */
export interface PageWorld {
  readonly location: {
    readonly pathname: string;
    readonly hash: string;
    readonly search?: string;
  };
  readonly history: { pushState(state: null, unused: string, url: string): void };
  readonly now: () => number;
  readonly newKey: () => string;
  readonly pause: (ms: number) => Promise<void>;
  /** Until it is known which one the person has chosen. */
  readonly language: Language;
}

/** The state of the page, before anything was asked. */
export function createPage(client: Client, world: PageWorld, access: Page["access"]): Page {
  const { location, history } = world;
  const route = signal(readRoute(location.pathname, location.hash, location.search));
  const isApp = isOfApp(location.pathname);
  const href = (place: Place) => (isApp ? APP : "") + renderRoute(place);
  const presses = signal<ReadonlyMap<string, PressState>>(new Map());
  const changes = signal(0);
  const inbox = signal<Inbox | undefined>(undefined);
  const texts = signal(textsIn(world.language));
  const said = signal("");
  const failure = signal<string | undefined>(undefined);
  const link = signal<LinkState>("connecting");
  const answers = signal(0);
  const setPress = (ref: string, change: Partial<PressState>) => {
    const before = presses.value.get(ref) ?? { phase: "sent", label: "", text: "", progress: "" };
    presses.value = new Map(presses.value).set(ref, { ...before, ...change });
  };
  let looks = 0;
  let shown = 0;
  async function refresh(): Promise<void> {
    const turn = ++looks;
    try {
      const fresh = await client.inbox();
      if (turn < shown) return; // a later look has come before
      shown = turn;
      batch(() => {
        inbox.value = fresh;
        failure.value = undefined;
        changes.value += 1;
      });
    } catch (error) {
      failure.value = messageOf(error);
    }
  }
  return {
    client,
    texts,
    route,
    access,
    isApp,
    role: signal<"owner" | "other">("owner"),
    hasFailedLogin: signal(false),
    link,
    inbox,
    failure,
    changes,
    setChanges: signal(new Map()),
    workspaceChanges: signal(0),
    routineChanges: signal(0),
    heard: signal({ id: undefined }),
    presses,
    unsaved: signal(undefined),
    said,
    answers,
    isHelpOpen: signal(false),
    isReading: signal(false),
    ticks: signal(0),
    focusedAt: signal(world.now()),
    movedAt: signal(world.now()),
    href,
    go(next) {
      history.pushState(null, "", href(next));
      route.value = next;
    },
    async press(act, label, subject, digest) {
      if (isUnderWay(presses.value.get(subject))) return;
      presses.value = new Map([...presses.value].filter(([ref]) => ref !== subject));
      setPress(subject, { phase: "sent", label });
      const { pause } = world;
      const set = (change: Partial<PressState>) => setPress(subject, change);
      const text = () => presses.value.get(subject)?.text ?? "";
      let leadOn: string | undefined;
      const onAsked = (asked: string) => {
        set({ asked });
        const isOwn = act.revision !== undefined && isShown(route.value, subject);
        leadOn = isOwn ? asked : undefined;
      };
      const around = { client, link, pause, set, text, onAsked };
      await pressOnce(around, act, digest, world.newKey());
      if (leadOn !== undefined) this.go({ page: "review", id: leadOn });
      // In the list, what was answered is gone with the line that would say it.
      const isInList = route.value.page === "inbox";
      if (isInList) said.value = toLastWord(presses.value.get(subject), texts.value);
      await refresh();
      if (isInList) answers.value += 1;
    },
    refresh,
  };
}

/** Who wanted a change set to be another one goes on to that, unless they went elsewhere meanwhile. */
function isShown(route: Route, id: string): boolean {
  return route.page === "review" && route.id === id;
}

/** How a press ended, with the first line of what was said. */
function toLastWord(state: PressState | undefined, { press }: Texts): string {
  if (!state) return "";
  const [first = ""] = state.text.trim().split("\n", 1);
  return toVisibleText(`${press[state.phase](state.label)} ${first}`.trim());
}

/** What is told of a failure: the server's own words, or the browser's. */
export function messageOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
