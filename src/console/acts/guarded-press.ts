import { useLayoutEffect, useRef } from "preact/hooks";
import type { Act } from "../client/client.ts";
import { isUnderWay, type Page, type Unread } from "../page/page.ts";
import type { Texts } from "../texts/texts.ts";
import { countsPress } from "./guard.ts";

/** What can be pressed, and what about. */
export interface Subject {
  /** Of the question or the transaction: presses about it are kept under it. */
  readonly ref: string;
  readonly digest: string | undefined;
  readonly actions: readonly Act[];
  /** Of what it is about so much could not be read: no yes counts until it was. */
  readonly unread?: Unread;
  /** It was said no to before: no button stands out. */
  readonly isRejected?: boolean;
  /** It failed since: a press that went well before that is not the last word. */
  readonly hasFailed?: boolean;
  /** What is to be known before a yes. */
  readonly notes?: readonly string[];
}

/** Presses one of the acts, if the press counts; keys and buttons go the same way. */
export type TryPress = (act: Act) => void;

/**
 * The way to press what is offered: not while offline, not while a press is on its way, and not
 * within a moment of what is offered having appeared, of anything having moved on the page, or of the
 * window having come to the front or back to the daemon.
 */
export function useGuardedPress(page: Page, subject: Subject): TryPress {
  const { ref, digest, actions } = subject;
  const offered = `${ref} ${digest} ${namesOf(actions)}`;
  const appeared = useRef({ offered: "", at: 0 });
  useLayoutEffect(() => {
    if (appeared.current.offered === offered) return;
    appeared.current = { offered, at: performance.now() };
  });
  return (act) => {
    if (!canPress(page, ref)) return;
    if (isUnread(subject, act)) {
      page.view.said.value = page.texts.value.press.unread(subject.unread?.count ?? 0);
      return;
    }
    const since = [appeared.current.at, page.view.focusedAt.value, page.view.movedAt.value];
    if (!countsPress(performance.now(), ...since)) {
      page.view.said.value = page.texts.value.press.tooSoon;
      return;
    }
    page.view.said.value = "";
    void page.presses.press(act, act.label, ref, digest);
  };
}

/** Another text as soon as another thing is offered, also under the same name. */
export function namesOf(actions: readonly Act[]): string {
  return actions.map(({ act, passesOver = "" }) => `${act}${passesOver}`).join(" ");
}

/** Why the key for a yes does nothing where something is left out; undefined: it is not so. */
export function whyNoYes(actions: readonly Act[], { leave }: Texts): string | undefined {
  const out = actions.find(({ act }) => act === "leave_out");
  return out && leave.noYes(out.label);
}

/** Leads to the button of an act, where a key is no answer. */
export function leadToAct(place: ParentNode | null, act: string): void {
  place?.querySelector<HTMLElement>(`.acts [data-act="${CSS.escape(act)}"]`)?.focus();
}

/** Whether anything can be pressed about it now. */
export function canPress(page: Pick<Page, "feed" | "presses">, ref: string): boolean {
  return page.feed.link.value === "live" && !isUnderWay(page.presses.states.value.get(ref));
}

/** Nobody says yes to what could not be read. */
export function isUnread({ unread }: Subject, { act }: Act): boolean {
  return act === "approve" && unread !== undefined && unread.count > 0;
}
