import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Act } from "../client/client.ts";
import type { Page } from "../page/page.ts";
import type { Texts } from "../texts/texts.ts";
import { GUARD_MS } from "./guard.ts";
import { canPress, isUnread, namesOf, type Subject, type TryPress } from "./guarded-press.ts";
import { Link } from "./link.tsx";
import { OUTCOME_ID } from "./outcome-focus.ts";
import { Printed } from "./printed.tsx";

export { useAnswerable } from "./answerable.ts";
export { besideDraft } from "./beside-draft.ts";
export { CodeForm } from "./code-form.tsx";
export { Confirm } from "./confirm.tsx";
export { FailedPart } from "./failed-part.tsx";
export { countsPress, GUARD_MS } from "./guard.ts";
export {
  leadToAct,
  type Subject,
  type TryPress,
  useGuardedPress,
  whyNoYes,
} from "./guarded-press.ts";
export { Link } from "./link.tsx";
export { Loaded, Reload } from "./loaded.tsx";
export { OUTCOME_ID, useOutcomeFocus } from "./outcome-focus.ts";
export { usePlanWords } from "./plan-words.tsx";
export { Printed } from "./printed.tsx";

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
  const offered = `${subject.ref} ${subject.digest} ${namesOf(subject.actions)}`;
  const focusedAt = page.view.focusedAt.value;
  const movedAt = page.view.movedAt.value;
  useEffect(() => {
    isReady.value = false;
    const timer = setTimeout(() => (isReady.value = true), GUARD_MS);
    return () => clearTimeout(timer);
  }, [offered, focusedAt, movedAt]);
  const isOn = isReady.value && canPress(page, subject.ref);
  const isOffline = page.feed.link.value !== "live";
  const hasAll = useSignal(false);
  // On a phone the answer stays in view, and what else there is comes when it is asked for.
  const isLong =
    subject.actions.length > 3 && subject.actions.some((act) => toneOf(act, subject) !== "other");
  return (
    <div
      class={`acts ${isLong ? "long" : ""} ${hasAll.value ? "all" : ""}`}
      role="group"
      aria-label={texts.actions}
    >
      <PressLine page={page} subject={subject} />
      <UnreadLine texts={texts} subject={subject} />
      {subject.notes?.map((note) => (
        <span key={note} class="note">
          {note}
        </span>
      ))}
      {subject.actions.map((act) => {
        const takesPress = isOn && !isUnread(subject, act);
        return (
          <button
            key={act.act}
            type="button"
            data-act={act.act}
            class={`act ${toneOf(act, subject)} ${takesPress ? "" : "off"}`}
            disabled={isOffline}
            aria-disabled={!takesPress}
            onClick={() => tryPress(act)}
          >
            {toVisibleText(act.label)}
          </button>
        );
      })}
      {isLong && (
        <button
          type="button"
          class="act more-acts"
          aria-expanded={hasAll.value}
          onClick={() => (hasAll.value = !hasAll.value)}
        >
          {texts.more.acts}
        </button>
      )}
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
function PressLine({
  page,
  subject,
}: {
  readonly page: Pick<Page, "nav" | "presses" | "texts" | "view">;
  readonly subject: Subject;
}) {
  const texts = page.texts.value;
  const state = page.presses.states.value.get(subject.ref);
  const said = page.view.said.value;
  if (!state || (subject.hasFailed && state.phase === "ended")) return <span class="press" />;
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
        <Link nav={page.nav} to={{ page: "review", id: asked }}>
          {texts.press.newQuestion}
        </Link>
      )}
    </span>
  );
}

/** What papa-yu said to the last press, as it came. */
export function PressText({
  page,
  subject,
}: {
  readonly page: Pick<Page, "presses" | "texts">;
  readonly subject: string;
}) {
  const texts = page.texts.value;
  const state = page.presses.states.value.get(subject);
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
    // No landmark: a page may show several, which would have one name.
    <div
      class="panel answer"
      id={OUTCOME_ID}
      role="group"
      tabIndex={-1}
      aria-label={texts.press.whatIsSaid}
    >
      <h2>{texts.press.whatIsSaid}</h2>
      <pre class="wrap">{toVisibleText(state.text.trim())}</pre>
    </div>
  );
}

function toneOf(
  { act, isAnyway, passesOver }: Act,
  { isRejected }: Pick<Subject, "isRejected">,
): string {
  if (passesOver !== undefined) return "aside";
  if (isRejected && act === "apply") return "other";
  if (act === "approve" || act === "apply") return isAnyway ? "anyway" : "yes";
  return act === "reject" || act === "drop" ? "no" : "other";
}
