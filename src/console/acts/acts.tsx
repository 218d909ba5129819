import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Act } from "../client/client.ts";
import type { Page, Unread } from "../page.ts";
import { isUnderWay } from "../press.ts";
import type { Texts } from "../texts/texts.ts";
import { countsPress, GUARD_MS } from "./guard.ts";
import { OUTCOME_ID } from "./outcome-focus.ts";
import { Printed } from "./printed.tsx";

export { Confirm } from "./confirm.tsx";
export { GUARD_MS } from "./guard.ts";
export { Link } from "./link.tsx";
export { OUTCOME_ID, useOutcomeFocus } from "./outcome-focus.ts";
export { Printed } from "./printed.tsx";

/** What can be pressed, and what about. */
export interface Subject {
  /** Of the question or the transaction: presses about it are kept under it. */
  readonly ref: string;
  readonly digest: string | undefined;
  readonly actions: readonly Act[];
  /** Of what it is about so much could not be read: no yes counts until it was. */
  readonly unread?: Unread;
  /** What is to be known before a yes. */
  readonly note?: string;
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
  const offered = `${ref} ${digest} ${actions.map(({ act }) => act).join(" ")}`;
  const appeared = useRef({ offered: "", at: 0 });
  useLayoutEffect(() => {
    if (appeared.current.offered === offered) return;
    appeared.current = { offered, at: performance.now() };
  });
  return (act) => {
    if (!canPress(page, ref)) return;
    if (isUnread(subject, act)) {
      page.said.value = page.texts.value.press.unread(subject.unread?.count ?? 0);
      return;
    }
    const since = [appeared.current.at, page.focusedAt.value, page.movedAt.value];
    if (!countsPress(performance.now(), ...since)) {
      page.said.value = page.texts.value.press.tooSoon;
      return;
    }
    page.said.value = "";
    void page.press(act, act.label, ref, digest);
  };
}

/** Whether anything can be pressed about it now. */
function canPress(page: Page, ref: string): boolean {
  return page.link.value === "live" && !isUnderWay(page.presses.value.get(ref));
}

/** Nobody says yes to what could not be read. */
function isUnread({ unread }: Subject, { act }: Act): boolean {
  return act === "approve" && unread !== undefined && unread.count > 0;
}

/** The buttons for what is offered, and what became of the last press. */
export function Acts({
  page,
  subject,
  tryPress,
}: {
  readonly page: Page;
  readonly subject: Subject;
  readonly tryPress: TryPress;
}) {
  const texts = page.texts.value;
  const isReady = useSignal(false);
  const offered = `${subject.ref} ${subject.digest} ${subject.actions.map(({ act }) => act).join()}`;
  const focusedAt = page.focusedAt.value;
  const movedAt = page.movedAt.value;
  useEffect(() => {
    isReady.value = false;
    const timer = setTimeout(() => (isReady.value = true), GUARD_MS);
    return () => clearTimeout(timer);
  }, [offered, focusedAt, movedAt]);
  const isOn = isReady.value && canPress(page, subject.ref);
  const isOffline = page.link.value !== "live";
  return (
    <div class="acts" role="group" aria-label={texts.actions}>
      <PressLine page={page} subject={subject} />
      <UnreadLine texts={texts} subject={subject} />
      {subject.note !== undefined && <span class="note">{subject.note}</span>}
      {subject.actions.map((act) => {
        const takesPress = isOn && !isUnread(subject, act);
        return (
          <button
            key={act.act}
            type="button"
            class={`act ${toneOf(act.act)} ${takesPress ? "" : "off"}`}
            disabled={isOffline}
            aria-disabled={!takesPress}
            onClick={() => tryPress(act)}
          >
            {toVisibleText(act.label)}
          </button>
        );
      })}
    </div>
  );
}

/** Why a yes does not count, and what to do. */
function UnreadLine({ texts, subject }: { readonly texts: Texts; readonly subject: Subject }) {
  const { unread, actions } = subject;
  if (!unread || !actions.some((act) => isUnread(subject, act))) return null;
  return (
    <span class="unread" role="status">
      {unread.isRetrying ? texts.loading : texts.press.unread(unread.count)}{" "}
      <button
        type="button"
        class={`act other ${unread.isRetrying ? "off" : ""}`}
        aria-disabled={unread.isRetrying}
        onClick={unread.retry}
      >
        {texts.again}
      </button>
    </span>
  );
}

/** How far the last press is, in one line. */
function PressLine({ page, subject }: { readonly page: Page; readonly subject: Subject }) {
  const texts = page.texts.value;
  const state = page.presses.value.get(subject.ref);
  const said = page.said.value;
  if (!state) return <span class="press" />;
  const { phase, label, progress, asked } = state;
  return (
    <span class={`press ${phase}`}>
      <span class="mark" />
      <span class="words">
        {progress !== "" && phase === "taken"
          ? toVisibleText(progress)
          : texts.press[phase](toVisibleText(label))}
        {said !== "" && " "}
      </span>
      {asked !== undefined && (
        <a href={`/review/${encodeURIComponent(asked)}`}>{texts.press.newQuestion}</a>
      )}
    </span>
  );
}

/** What papa-yu said to the last press, as it came. */
export function PressText({ page, subject }: { readonly page: Page; readonly subject: string }) {
  const texts = page.texts.value;
  const state = page.presses.value.get(subject);
  if (state?.phase === "taken" && state.printed) {
    // No live region: it changes faster than anybody could have it read out.
    return (
      <pre class="output live" tabIndex={0} aria-label={texts.printed}>
        <Printed {...state.printed} />
      </pre>
    );
  }
  if (!state || state.text.trim() === "") return null;
  return (
    <section class="panel answer" id={OUTCOME_ID} tabIndex={-1} aria-label={texts.press.whatIsSaid}>
      <h2>{texts.press.whatIsSaid}</h2>
      <pre class="wrap">{toVisibleText(state.text.trim())}</pre>
    </section>
  );
}

function toneOf(act: string): string {
  if (act === "approve" || act === "apply") return "yes";
  return act === "reject" || act === "drop" ? "no" : "other";
}
