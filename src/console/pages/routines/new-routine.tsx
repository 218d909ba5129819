import { useSignal } from "@preact/signals";
import { Acts, PressText, useGuardedPress } from "../../acts/acts.tsx";
import type { Item } from "../../client/client.ts";
import type { Page } from "../../page.ts";

/** Presses about words that are no routine yet are kept under this. */
const SUBJECT = "propose";

/** A routine in words: first shown as it would be, then kept by a second press. */
export function NewRoutine({ page }: { readonly page: Page }) {
  const { routines: texts } = page.texts.value;
  const words = useSignal("");
  const act = { act: "propose_routine", ref: words.value, label: texts.propose };
  const subject = { ref: SUBJECT, digest: undefined, actions: [act] };
  const tryPress = useGuardedPress(page, subject);
  const asked = page.presses.value.get(SUBJECT)?.asked;
  const item = page.inbox.value?.items.find(({ id }) => id === asked);
  return (
    <section aria-label={texts.add}>
      <h2>{texts.add}</h2>
      <label class="words-of">
        <span>{texts.words}</span>
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
      <PressText page={page} subject={SUBJECT} />
      {asked !== undefined && <PressText page={page} subject={asked} />}
      {item && <Proposal page={page} item={item} />}
    </section>
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
