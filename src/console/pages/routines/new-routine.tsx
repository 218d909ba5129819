import { useEffect, useMemo } from "preact/hooks";
import { Acts, Link, PressText, useGuardedPress } from "../../acts/acts.tsx";
import type { Act, Item } from "../../client/client.ts";
import type { Page } from "../../page/page.ts";
import type { Routine } from "./wire.ts";
import type { AllWords } from "./words.ts";

/** Presses about words that are no routine yet are kept under this. */
const SUBJECT = "propose";

interface OfWords {
  readonly page: Page;
  /** What was typed, as long as the window is open. */
  readonly words: AllWords;
}

/** A routine in words: first shown as it would be, then kept by a second press. */
export function NewRoutine({ page, words }: OfWords) {
  const { routines: texts } = page.texts.value;
  const toAct = (said: string) => ({ act: "propose_routine", ref: said, label: texts.propose });
  return (
    <section aria-label={texts.add}>
      <h2>{texts.add}</h2>
      <Words
        page={page}
        words={words}
        subject={SUBJECT}
        label={texts.words}
        first=""
        toAct={toAct}
      />
    </section>
  );
}

/** The words of one that was added, to be others: in the same two steps. */
export function ChangeRoutine({
  page,
  words: all,
  routine,
}: OfWords & { readonly routine: Routine }) {
  const { name, words } = routine;
  const { routines: texts } = page.texts.value;
  const subject = `change ${name}`;
  const isBegun = useMemo(() => all.of(subject, words ?? "").isLeft(), [all, subject]);
  if (words === undefined) return null;
  const toAct = (said: string) => {
    return { act: "change_routine", ref: name, words: said, label: texts.propose };
  };
  return (
    <details open={isBegun}>
      <summary>{texts.change}</summary>
      {words === "" && <p class="quiet">{texts.notShown}</p>}
      <Words
        page={page}
        words={all}
        subject={subject}
        label={texts.changed}
        first={words}
        toAct={toAct}
      />
    </details>
  );
}

function Words({
  page,
  words: all,
  subject: ref,
  label,
  first,
  toAct,
}: OfWords & {
  /** Presses are kept under it. */
  readonly subject: string;
  readonly label: string;
  readonly first: string;
  readonly toAct: (words: string) => Act;
}) {
  const { routines: texts } = page.texts.value;
  const words = useMemo(() => all.of(ref, first), [all, ref, first]);
  const said = words.text.value;
  const subject = { ref, digest: undefined, actions: [toAct(said)] };
  const tryPress = useGuardedPress(page, subject);
  const { asked, phase } = page.presses.states.value.get(ref) ?? {};
  useEffect(() => {
    if (asked !== undefined) words.taken();
  }, [words, asked]);
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
          value={said}
          onInput={(event) => words.write(event.currentTarget.value)}
        />
      </label>
      <Acts
        page={page}
        subject={subject}
        tryPress={(pressed) => {
          if (said.trim() === "") return;
          words.pressed();
          tryPress(pressed);
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
