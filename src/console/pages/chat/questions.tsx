import { useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Acts, Link, PressText, useGuardedPress } from "../../acts/acts.tsx";
import type { Item } from "../../client/client.ts";
import type { Page } from "../../page.ts";

/** What waits in a conversation, and what answers from here came to. */
export function Questions({ page, id }: { readonly page: Page; readonly id: string }) {
  const waiting = (page.inbox.value?.items ?? []).filter(({ session_id }) => session_id === id);
  const seen = useRef(new Set<string>());
  for (const { ref } of waiting) seen.current.add(ref);
  const shown = new Set(waiting.map(({ ref }) => ref));
  return (
    <>
      {[...seen.current]
        .filter((ref) => !shown.has(ref))
        .map((ref) => (
          <PressText key={ref} page={page} subject={ref} />
        ))}
      {waiting.map((item) => (
        <Question key={item.id} page={page} item={item} />
      ))}
    </>
  );
}

function Question({ page, item }: { readonly page: Page; readonly item: Item }) {
  const texts = page.texts.value;
  const subject = { ref: item.ref, digest: item.digest, actions: item.actions };
  const tryPress = useGuardedPress(page, subject);
  const isChangeSet = item.kind === "change_set";
  return (
    <section class="panel question" aria-label={toVisibleText(item.title)}>
      <h2>{toVisibleText(item.title)}</h2>
      {item.shown !== undefined && <pre class="wrap">{toVisibleText(item.shown)}</pre>}
      {isChangeSet ? (
        <Link page={page} to={{ page: "review", id: item.ref }} class="act yes">
          {texts.review}
        </Link>
      ) : (
        <Acts page={page} subject={subject} tryPress={tryPress} />
      )}
      <PressText page={page} subject={item.ref} />
    </section>
  );
}
