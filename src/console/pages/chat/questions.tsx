import { useEffect } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Acts, Link, Loaded, PressText, useAnswerable, usePlanWords } from "../../acts/acts.tsx";
import type { Act, Item } from "../../client/client.ts";
import type { Lazy, Page, Unfolding } from "../../page/page.ts";
import type { Shown } from "./talk.ts";

/** What a stream is drawn with. */
export interface Stream {
  readonly page: Page;
  /** The conversation. */
  readonly id: string;
  /** What draws a change set. */
  readonly unfolding: Lazy<Unfolding>;
  /** What can be answered as it stands here, and since when. */
  readonly onScreen: Map<string, { readonly shown: Shown; readonly since: number }>;
}

/** A question where it was asked: open, with its buttons, as the inbox has it; nothing once it is over. */
export function Question({ stream, about }: { readonly stream: Stream; readonly about: string }) {
  const { page } = stream;
  const item = page.feed.inbox.value?.items.find((each) => each.ref === about);
  const hasFailed = page.presses.states.value.get(about)?.phase === "failed";
  if (item) return <Open key={item.id} stream={stream} item={item} />;
  return hasFailed ? <PressText page={page} subject={about} /> : null;
}

function Open({ stream, item }: { readonly stream: Stream; readonly item: Item }) {
  const { page, unfolding, onScreen } = stream;
  const texts = page.texts.value;
  const { ref, digest, shown } = item;
  const isSet = item.kind === "change_set";
  const { subject, isReadable, onRead, ...answerable } = useAnswerable(page, item, true);
  const { tryPress, box } = usePlanWords(page, item, answerable.tryPress);
  // What could not be read as a whole takes no typed yes either, nor that of which something is left out.
  const isYes = subject.actions.some(({ act }) => act === "approve" || act === "apply");
  const isThere = isReadable && (subject.unread?.count ?? 0) === 0 && isYes;
  useEffect(() => {
    if (!isThere) return undefined;
    const what = digest === undefined ? { ref } : { ref, digest };
    onScreen.set(ref, { shown: what, since: performance.now() });
    return () => void onScreen.delete(ref);
  }, [isThere, ref, digest]);
  return (
    <section class="panel question" data-ref={ref} aria-label={toVisibleText(item.title)}>
      <h2>{toVisibleText(item.title)}</h2>
      {shown !== undefined && <pre class="wrap">{toVisibleText(shown)}</pre>}
      {isSet && (
        <Loaded page={page} part={unfolding}>
          {({ Unfolded }) => <Unfolded page={page} id={ref} onRead={onRead} />}
        </Loaded>
      )}
      {isSet && (
        <Link nav={page.nav} to={{ page: "review", id: ref }} class="act other">
          {texts.review}
        </Link>
      )}
      {box}
      {isReadable && <Acts page={page} subject={subject} tryPress={tryPress} />}
      {page.presses.states.value.get(ref)?.phase === "failed" && (
        <PressText page={page} subject={ref} />
      )}
    </section>
  );
}

/** Buttons of what asks for no yes: each counts in the conversation where it was offered. */
export function Offered(props: {
  readonly stream: Stream;
  readonly name: string;
  readonly actions: readonly Act[];
}) {
  const { stream, name, actions } = props;
  const { page, id } = stream;
  const item = {
    id: name,
    ref: name,
    kind: "choice",
    digest: undefined,
    actions: actions.map((act) => Object.assign({}, act, { conversation: id })),
  };
  return <Choice page={page} item={item} />;
}

function Choice({ page, item }: { readonly page: Page; readonly item: ChoiceItem }) {
  const { subject, tryPress } = useAnswerable(page, item, true);
  return (
    <div class="offered question" data-ref={item.ref}>
      <Acts page={page} subject={subject} tryPress={tryPress} />
      {page.presses.states.value.get(item.ref)?.phase === "failed" && (
        <PressText page={page} subject={item.ref} />
      )}
    </div>
  );
}

type ChoiceItem = Pick<Item, "kind" | "ref" | "digest" | "actions">;
