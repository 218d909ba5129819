import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Act } from "../client/client.ts";
import type { Page } from "../page.ts";
import { countsPress, GUARD_MS } from "./guard.ts";

export { Link } from "./link.tsx";

/** What can be pressed, and what about. */
export interface Subject {
  /** Of the question or the transaction: presses about it are kept under it. */
  readonly ref: string;
  readonly digest: string | undefined;
  readonly actions: readonly Act[];
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
  const phase = page.presses.value.get(ref)?.phase;
  return page.link.value === "live" && phase !== "sent" && phase !== "taken";
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
      {subject.actions.map((act) => (
        <button
          key={act.act}
          type="button"
          class={`act ${toneOf(act.act)} ${isOn ? "" : "off"}`}
          disabled={isOffline}
          aria-disabled={!isOn}
          onClick={() => tryPress(act)}
        >
          {toVisibleText(act.label)}
        </button>
      ))}
    </div>
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
  if (!state || state.text.trim() === "") return null;
  return (
    <section class="panel answer" aria-label={texts.press.whatIsSaid}>
      <h2>{texts.press.whatIsSaid}</h2>
      <pre class="wrap">{toVisibleText(state.text.trim())}</pre>
    </section>
  );
}

function toneOf(act: string): string {
  if (act === "approve" || act === "apply") return "yes";
  return act === "reject" || act === "drop" ? "no" : "other";
}
