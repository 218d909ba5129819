import { batch, type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { toVisibleText } from "../core/visible-text.ts";
import type { Act, Client, Inbox, LinkState } from "./client/client.ts";
import { RefusedError } from "./client/client.ts";
import { type Place, type Route, readRoute, renderRoute } from "./route.ts";
import { type Texts, textsIn } from "./texts/texts.ts";

/** What draws a change set; it is loaded when the first one is shown. */
export type OfChangeSet = ComponentType<{ readonly page: Page; readonly id: string }>;

/** What draws one in the list, and says when it is there to be read. */
export type UnfoldedChangeSet = ComponentType<{
  readonly page: Page;
  readonly id: string;
  readonly onRead: () => void;
}>;

/** What became of a press, as the page shows it. */
export interface PressState {
  readonly phase: "sent" | "taken" | "ended" | "failed";
  readonly label: string;
  /** What was said until now. */
  readonly text: string;
  readonly progress: string;
  /** A question that took the place of the one that was answered. */
  readonly asked?: string;
}

/** Everything that the parts of the page share. */
export interface Page {
  readonly client: Client;
  readonly texts: Signal<Texts>;
  readonly route: Signal<Route>;
  readonly access: Signal<"asking" | "in" | "out">;
  /** A code was tried and did not work. */
  readonly hasFailedLogin: Signal<boolean>;
  readonly link: Signal<LinkState>;
  readonly inbox: Signal<Inbox | undefined>;
  readonly failure: Signal<string | undefined>;
  /** Grows with everything that happens: what is shown is asked for anew. */
  readonly changes: Signal<number>;
  /** Grows with everything that happens in a workspace. */
  readonly workspaceChanges: Signal<number>;
  /** The same of routines. */
  readonly routineChanges: Signal<number>;
  readonly presses: Signal<ReadonlyMap<string, PressState>>;
  /** For whoever cannot see it: what has just happened. */
  readonly said: Signal<string>;
  readonly isHelpOpen: Signal<boolean>;
  /** When the window got the focus. */
  readonly focusedAt: Signal<number>;
  /** When what lies under the hands last came from somewhere else. */
  readonly movedAt: Signal<number>;
  go(place: Place): void;
  /** Presses for what was on the screen; once, until it is answered. */
  press(act: Act, label: string, key: string, digest: string | undefined): Promise<void>;
  refresh(): Promise<void>;
}

/** The browser as far as the state of the page needs it. */
export interface PageWorld {
  readonly location: { readonly pathname: string; readonly hash: string };
  readonly history: { pushState(state: null, unused: string, url: string): void };
  readonly now: () => number;
  readonly newKey: () => string;
}

/** The state of the page, before anything was asked. */
export function createPage(client: Client, world: PageWorld, access: Page["access"]): Page {
  const { location, history } = world;
  const route = signal(readRoute(location.pathname, location.hash));
  const presses = signal<ReadonlyMap<string, PressState>>(new Map());
  const changes = signal(0);
  const inbox = signal<Inbox | undefined>(undefined);
  const texts = signal(textsIn("en"));
  const said = signal("");
  const failure = signal<string | undefined>(undefined);
  const setPress = (ref: string, change: Partial<PressState>) => {
    const before = presses.value.get(ref) ?? { phase: "sent", label: "", text: "", progress: "" };
    presses.value = new Map(presses.value).set(ref, { ...before, ...change });
  };
  async function refresh(): Promise<void> {
    try {
      const fresh = await client.inbox();
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
    hasFailedLogin: signal(false),
    link: signal("connecting"),
    inbox,
    failure,
    changes,
    workspaceChanges: signal(0),
    routineChanges: signal(0),
    presses,
    said,
    isHelpOpen: signal(false),
    focusedAt: signal(world.now()),
    movedAt: signal(world.now()),
    go(next) {
      history.pushState(null, "", renderRoute(next));
      route.value = next;
    },
    async press(act, label, subject, digest) {
      const isBusy = ["sent", "taken"].includes(presses.value.get(subject)?.phase ?? "");
      if (isBusy) return;
      presses.value = new Map([...presses.value].filter(([ref]) => ref !== subject));
      setPress(subject, { phase: "sent", label });
      try {
        const { act: name, ref, revision } = act;
        const more = { ...(digest && { digest }), ...(revision && { revision }) };
        const pressed = { act: name, ref, key: world.newKey(), ...more };
        let failed = false;
        let leadOn: string | undefined;
        await client.press(pressed, {
          onTaken: () => setPress(subject, { phase: "taken" }),
          onText: (text) => {
            const before = presses.value.get(subject)?.text ?? "";
            setPress(subject, { text: before + text });
          },
          onProgress: (progress) => setPress(subject, { progress }),
          onAsked(asked) {
            setPress(subject, { asked });
            leadOn = revision !== undefined && isShown(route.value, subject) ? asked : undefined;
          },
          onFailed: (text) => {
            failed = true;
            setPress(subject, { phase: "failed", text });
          },
        });
        if (!failed) setPress(subject, { phase: "ended", progress: "" });
        if (leadOn !== undefined) this.go({ page: "review", id: leadOn });
      } catch (error) {
        setPress(subject, { phase: "failed", text: messageOf(error) });
      }
      // In the list, what was answered is gone with the line that would say it.
      if (route.value.page === "inbox")
        said.value = toLastWord(presses.value.get(subject), texts.value);
      await refresh();
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
