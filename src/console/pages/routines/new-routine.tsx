import { useSignal } from "@preact/signals";
import { Acts, Link, PressText, useGuardedPress } from "../../acts/acts.tsx";
import type { Act, Item } from "../../client/client.ts";
import type { Page } from "../../page/page.ts";
import type { Routine } from "./wire.ts";

/** Presses about words that are no routine yet are kept under this. */
const SUBJECT = "propose";

/** A routine in words: first shown as it would be, then kept by a second press. */
export function NewRoutine({ page }: { readonly page: Page }) {
  const { routines: texts } = page.texts.value;
  const toAct = (words: string) => ({ act: "propose_routine", ref: words, label: texts.propose });
  return (
    <section aria-label={texts.add}>
      <h2>{texts.add}</h2>
      <Words page={page} subject={SUBJECT} label={texts.words} first="" toAct={toAct} />
    </section>
  );
}

/** The words of one that was added, to be others: in the same two steps. */
export function ChangeRoutine({
  page,
  routine,
}: {
  readonly page: Page;
  readonly routine: Routine;
}) {
  const { name, words } = routine;
  const { routines: texts } = page.texts.value;
  if (words === undefined) return null;
  const toAct = (said: string) => {
    return { act: "change_routine", ref: name, words: said, label: texts.propose };
  };
  return (
    <details>
      <summary>{texts.change}</summary>
      {words === "" && <p class="quiet">{texts.notShown}</p>}
      <Words
        page={page}
        subject={`change ${name}`}
        label={texts.changed}
        first={words}
        toAct={toAct}
      />
    </details>
  );
}

function Words({
  page,
  subject: ref,
  label,
  first,
  toAct,
}: {
  readonly page: Page;
  /** Presses are kept under it. */
  readonly subject: string;
  readonly label: string;
  readonly first: string;
  readonly toAct: (words: string) => Act;
}) {
  const { routines: texts } = page.texts.value;
  const words = useSignal(first);
  const subject = { ref, digest: undefined, actions: [toAct(words.value)] };
  const tryPress = useGuardedPress(page, subject);
  const { asked, phase } = page.presses.states.value.get(ref) ?? {};
  const items = page.feed.inbox.value?.items ?? [];
  const item = items.find(({ id }) => id === asked);
  // Where the answer was cut off nobody here knows which question came of it.
  const isElsewhere = phase === "lost" && items.some(({ kind }) => kind === "call");
  return (
    <>
      <label class="words-of">
        <span>{label}</span>
        <textarea
          rows={3}
          maxLength={4000}
          placeholder={texts.example}
          value={words.value}
          onInput={(event) => (words.value = event.currentTarget.value)}
        />
      </label>
      <Acts
        page={page}
        subject={subject}
        tryPress={(pressed) => {
          if (words.value.trim() !== "") tryPress(pressed);
        }}
      />
      <PressText page={page} subject={ref} />
      {asked !== undefined && <PressText page={page} subject={asked} />}
      {item && <Proposal page={page} item={item} />}
      {isElsewhere && (
        <p>
          <Link nav={page.nav} to={{ page: "inbox" }}>
            {texts.toInbox}
          </Link>
        </p>
      )}
    </>
  );
}

function Proposal({ page, item }: { readonly page: Page; readonly item: Item }) {
  const subject = { ref: item.ref, digest: item.digest, actions: item.actions };
  const tryPress = useGuardedPress(page, subject);
  return (
    <>
      <p>{page.texts.value.routines.proposed}</p>
      <Acts page={page} subject={subject} tryPress={tryPress} />
    </>
  );
}
