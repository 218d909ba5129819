import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { countWaiting, type Item } from "../../client/client.ts";
import { useCommands } from "../../commands/commands.ts";
import type { Notices } from "../../notices.ts";
import type { Lazy, Page, Unfolding } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { InboxItem, type ItemHandle } from "./inbox-item.tsx";

/** Everything that waits for the person. */
export function InboxPage({
  page,
  notices,
  unfolding,
}: {
  readonly page: Page;
  readonly notices: Notices;
  readonly unfolding: Lazy<Unfolding>;
}) {
  const texts = page.texts.value;
  const selected = useSignal<string | undefined>(undefined);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const handles = useRef(new Map<string, ItemHandle>()).current;
  const inbox = page.feed.inbox.value;
  const items = inbox?.items ?? [];
  const at = items.findIndex(({ id }) => id === selected.value);

  const toggle = (item: Item) => {
    const next = new Set(opened.value);
    if (!next.delete(item.id)) next.add(item.id);
    opened.value = next;
    selected.value = item.id;
  };
  const step = (by: 1 | -1) => {
    const next = items[Math.min(Math.max(0, at + by), items.length - 1)];
    if (!next) return;
    selected.value = next.id;
    handles.get(next.id)?.focus();
  };
  const pressNamed = (...names: readonly string[]) => {
    const item = items[at];
    if (!item) return;
    // What nobody has looked at is not answered by a key.
    if (item.kind === "change_set" && !opened.value.has(item.id)) {
      page.view.said.value = texts.press.unfoldFirst;
      toggle(item);
      return;
    }
    const isPressed = handles.get(item.id)?.press(...names) === true;
    if (!isPressed && item.locked) page.view.said.value = texts.locked;
  };
  useCommands(
    "inbox",
    {
      next: () => step(1),
      previous: () => step(-1),
      open: () => {
        const item = items[at];
        if (item?.kind === "change_set") page.nav.go({ page: "review", id: item.ref });
      },
      unfold: () => {
        const item = items[at];
        if (item) toggle(item);
      },
      approve: () => pressNamed("approve", "apply"),
      reject: () => pressNamed("reject", "drop"),
      help: () => (page.view.isHelpOpen.value = true),
      close: () => (opened.value = new Set()),
    },
    () => (page.view.said.value = texts.press.tooSoon),
  );
  const layout = `${items.map(({ id, digest }) => `${id} ${digest}`).join()} ${[...opened.value].join()}`;
  useLayoutEffect(() => {
    page.view.movedAt.value = performance.now();
  }, [layout]);

  if (!inbox) {
    const failure = page.feed.failure.value;
    return (
      <div class="inbox">
        <p class="waiting">{failure === undefined ? texts.loading : toVisibleText(failure)}</p>
      </div>
    );
  }
  return (
    <div class="inbox">
      <div class="inbox-head">
        <h1>
          {texts.inbox} <span class="quiet">{countWaiting(items)}</span>
        </h1>
        <NoticesButton texts={texts} notices={notices} />
      </div>
      {items.length === 0 && (
        <div class="empty">
          <span class="empty-sign" />
          <h2>{texts.empty.title}</h2>
          <p>{texts.empty.text}</p>
        </div>
      )}
      <ul class="items">
        {items.map((item) => (
          <InboxItem
            key={item.id}
            page={page}
            item={item}
            isSelected={item.id === selected.value}
            isOpen={opened.value.has(item.id)}
            unfolding={unfolding}
            onToggle={() => toggle(item)}
            onSelect={() => (selected.value = item.id)}
            hold={(handle) => {
              if (handle) handles.set(item.id, handle);
              else handles.delete(item.id);
            }}
          />
        ))}
      </ul>
    </div>
  );
}

/** The browser asks for leave when this is pressed, and never before. */
function NoticesButton({
  texts: { notices: texts },
  notices,
}: {
  readonly texts: Texts;
  readonly notices: Notices;
}) {
  const state = notices.state.value;
  if (state === "none") return null;
  return (
    <span class="notices">
      <button
        type="button"
        class="tool word"
        aria-pressed={state === "on"}
        title={texts.long}
        onClick={() => void notices.toggle()}
      >
        {texts.word}
      </button>
      {state === "refused" && <span role="status">{texts.refused}</span>}
    </span>
  );
}
