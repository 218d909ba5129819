import { type Signal, signal } from "@preact/signals";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Act, Client, Unkept } from "../client/client.ts";
import type { Route } from "../route.ts";
import type { Texts } from "../texts/texts.ts";
import { openKeeper } from "../theme.ts";
import type { Feed } from "./feed.ts";
import type { Navigation } from "./navigation.ts";
import { createPlanWords, type PlanWords } from "./plan-words.ts";
import { isUnderWay, type PressState, pressOnce } from "./press.ts";
import type { View } from "./view.ts";

/** What was pressed on the page, and what became of it. */
export interface Presses {
  /** How far the last press about a thing is, by what it is about. */
  readonly states: Signal<ReadonlyMap<string, PressState>>;
  /** Grows with each answer from the list, which has gone with what it was about. */
  readonly answers: Signal<number>;
  /** What the next press about a plan is to say. */
  readonly planWords: PlanWords;
  /** Presses for what was on the screen; once, until it is answered. */
  press(act: Act, label: string, key: string, digest: string | undefined): Promise<void>;
}

/** The parts of the page that a press reads, and those that tell what came of it. */
export interface AroundPresses {
  readonly client: Pick<Client, "press" | "work">;
  readonly texts: Signal<Texts>;
  readonly nav: Pick<Navigation, "route" | "go">;
  readonly feed: Pick<Feed, "link" | "inbox" | "refresh">;
  readonly view: Pick<View, "said">;
  readonly unkept: Pick<Unkept, "flush" | "watch">;
}

/** What a press needs of the browser. */
export interface PressesWorld {
  readonly newKey: () => string;
  readonly pause: (ms: number) => Promise<void>;
}

/** So long a press waits for what was said before it: it would come too late behind the answer. */
const FIRST_MS = 10_000;

/** Nothing was pressed yet. */
export function createPresses(around: AroundPresses, { pause, newKey }: PressesWorld): Presses {
  const { client, texts, nav, feed, view, unkept } = around;
  const states = signal<ReadonlyMap<string, PressState>>(new Map());
  const answers = signal(0);
  const planWords = createPlanWords(openKeeper("sessionStorage"), { inbox: feed.inbox, states });
  unkept.watch(planWords.isLeft);
  const setPress = (ref: string, change: Partial<PressState>) => {
    const before = states.value.get(ref) ?? { phase: "sent", label: "", text: "", progress: "" };
    states.value = new Map(states.value).set(ref, { ...before, ...change });
  };
  return {
    states,
    answers,
    planWords,
    async press(act, label, subject, digest) {
      if (isUnderWay(states.value.get(subject))) return;
      states.value = new Map([...states.value].filter(([ref]) => ref !== subject));
      setPress(subject, { phase: "sent", label });
      const set = (change: Partial<PressState>) => setPress(subject, change);
      const text = () => states.value.get(subject)?.text ?? "";
      let leadOn: string | undefined;
      const onAsked = (asked: string) => {
        set({ asked });
        const isOwn = act.revision !== undefined && isShown(nav.route.value, subject);
        leadOn = isOwn ? asked : undefined;
      };
      await Promise.race([unkept.flush(), pause(FIRST_MS)]);
      await pressOnce(
        { client, link: feed.link, pause, set, text, onAsked },
        act,
        digest,
        newKey(),
      );
      if (leadOn !== undefined) nav.go({ page: "review", id: leadOn });
      // In the list, what was answered is gone with the line that would say it.
      const isInList = nav.route.value.page === "inbox";
      if (isInList) view.said.value = toLastWord(states.value.get(subject), texts.value);
      await feed.refresh();
      if (isInList) answers.value += 1;
    },
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
