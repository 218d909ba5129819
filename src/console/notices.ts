import { effect, type Signal, signal } from "@preact/signals";
import { toVisibleText } from "../core/visible-text.ts";
import type { Item } from "./client/client.ts";
import type { Navigation, Page } from "./page/page.ts";
import { subjectOf, type Texts, wordFor } from "./texts/texts.ts";
import { openKeeper } from "./theme.ts";

/** What of the page is told of, in which words, and where a press on it leads. */
type TellingPage = Pick<Page, "feed" | "texts" | "nav">;

/** Whether a browser tells of what newly waits, while nobody looks at the page. */
export interface Notices {
  /** `none`: this browser cannot; `refused`: the person, or their browser, said no. */
  readonly state: Signal<"none" | "off" | "on" | "refused">;
  /** By a press alone: nobody is asked for leave unasked. */
  toggle(): Promise<void>;
  /** Tells from now on. */
  begin(page: TellingPage): void;
}

const KEY = "papayu.notices";
/** More at once are one. */
const MOST = 3;

/** Notices of one page; without a service worker, so that they end with the page. */
export function createNotices(): Notices {
  const keeper = openKeeper("localStorage");
  const state = signal<"none" | "off" | "on" | "refused">(stateNow());

  function stateNow() {
    // A frame of another site is allowed none.
    if (typeof Notification === "undefined" || window.top !== window) return "none";
    if (keeper.getItem(KEY) !== "true") return "off";
    return Notification.permission === "granted" ? "on" : "off";
  }

  function begin({ feed, texts: spoken, nav }: TellingPage): void {
    let known: ReadonlySet<string> | undefined;
    const shown = new Map<string, Notification>();
    effect(() => {
      const items = feed.inbox.value?.items;
      if (!items) return;
      const fresh = known ? items.filter(({ id }) => known?.has(id) === false) : [];
      known = new Set(items.map(({ id }) => id));
      for (const [id, notice] of shown) {
        if (known.has(id)) continue;
        notice.close();
        shown.delete(id);
      }
      if (state.peek() !== "on" || fresh.length === 0) return;
      if (document.visibilityState === "visible" && document.hasFocus()) return;
      const texts = spoken.peek();
      const [first] = fresh;
      if (first && fresh.length > MOST) {
        show("papa-yu", texts.notices.many(fresh.length), "papayu.many", () =>
          nav.go({ page: "inbox" }),
        );
        return;
      }
      for (const item of fresh) {
        const notice = show(titleOf(item, texts), lineOf(item, texts), item.id, () =>
          lead(nav, item),
        );
        if (notice) shown.set(item.id, notice);
      }
    });
  }

  function show(title: string, body: string, tag: string, onPress: () => void) {
    try {
      // The same thing is told once, however many windows are open.
      const notice = new Notification(title, { body, tag });
      notice.addEventListener("click", () => {
        window.focus();
        notice.close();
        onPress();
      });
      return notice;
    } catch {
      state.value = "none"; // some allow them to a service worker alone
      return undefined;
    }
  }

  return {
    state,
    async toggle() {
      if (state.value === "on") {
        keeper.setItem(KEY, "false");
        state.value = "off";
        return;
      }
      const leave = await Notification.requestPermission();
      if (leave === "granted") keeper.setItem(KEY, "true");
      state.value = leave === "granted" ? "on" : leave === "denied" ? "refused" : "off";
    },
    begin,
  };
}

/** As the line of the list begins. */
function titleOf({ kind, workspace }: Item, { kinds }: Texts): string {
  const word = wordFor(kinds, kind, kinds.other);
  return workspace === undefined ? word : `${word} · ${toVisibleText(workspace)}`;
}

function lineOf({ kind, title }: Item, texts: Texts): string {
  return kind === "finding" ? subjectOf(title, texts) : toVisibleText(title);
}

function lead(nav: Navigation, { kind, ref }: Item): void {
  nav.go(kind === "change_set" ? { page: "review", id: ref } : { page: "inbox" });
}
