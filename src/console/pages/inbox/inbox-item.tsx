import { useEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import {
  Acts,
  Link,
  Loaded,
  leadToAct,
  PressText,
  useAnswerable,
  usePlanWords,
  whyNoYes,
} from "../../acts/acts.tsx";
import type { Item } from "../../client/client.ts";
import { agoOf, Figures } from "../../figures/figures.tsx";
import type { Lazy, Page, Unfolding } from "../../page/page.ts";
import { subjectOf, type Texts, wordFor } from "../../texts/texts.ts";
import { PairingAnswers } from "./pairing.tsx";

/** What the keys of the list do to one item. */
export interface ItemHandle {
  focus(): void;
  /** Presses the first of these acts that is offered; one that leaves words unsent is led to. False: none is. */
  press(...names: readonly string[]): boolean;
}

/** One thing that waits; its change set is shown in it when it is opened. */
export function InboxItem(props: {
  readonly page: Page;
  readonly item: Item;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly unfolding: Lazy<Unfolding>;
  readonly onToggle: () => void;
  readonly onSelect: () => void;
  readonly hold: (handle: ItemHandle | undefined) => void;
}) {
  const { page, item, isSelected, isOpen, onToggle, onSelect, hold } = props;
  const texts = page.texts.value;
  const { kind, ref, shown, isWorking, failed } = item;
  const isSet = kind === "change_set";
  const { subject, isReadable, onRead, ...answerable } = useAnswerable(page, item, isOpen);
  const { tryPress, box } = usePlanWords(page, item, answerable.tryPress);
  const press = page.presses.states.value.get(ref);
  // What went well before it failed is not what is so.
  const isBefore = failed !== undefined && press?.phase === "ended";
  const main = useRef<HTMLLIElement>(null);
  useEffect(() => {
    hold({
      press(...names) {
        const act = subject.actions.find((each) => names.includes(each.act));
        if (act?.passesOver === undefined) {
          if (act) tryPress(act);
        } else leadToAct(main.current, act.act);
        const why = !act && names.includes("approve") && whyNoYes(subject.actions, texts);
        if (why) page.view.said.value = why;
        return act !== undefined;
      },
      focus() {
        const target = main.current?.querySelector<HTMLElement>(".item-main");
        target?.focus({ preventScroll: true });
        main.current?.scrollIntoView({ block: "nearest" });
      },
    });
    return () => hold(undefined);
  });
  const isFinding = kind === "finding";
  const title = isFinding ? subjectOf(item.title, texts) : toVisibleText(item.title);
  return (
    <li
      class={`item ${isSelected ? "selected" : ""} ${isOpen ? "open" : ""}`}
      ref={main}
      onFocusCapture={onSelect}
    >
      <div class="item-head">
        <button
          type="button"
          class="item-main"
          aria-expanded={isSet || shown !== undefined ? isOpen : undefined}
          onClick={onToggle}
        >
          <span class={`kind ${kind}`}>{kindOf(item, texts)}</span>
          <bdi class="item-title">{title}</bdi>
        </button>
        <p class="item-facts">
          {item.workspace !== undefined && <bdi>{toVisibleText(item.workspace)}</bdi>}
          {item.files !== undefined && <span>{texts.files(item.files)}</span>}
          {item.added !== undefined && (
            <Figures texts={texts} added={item.added} removed={item.removed ?? 0} />
          )}
          {item.check !== undefined && (
            <span class={`check ${item.check}`}>{checkOf(item.check, texts)}</span>
          )}
          <span>{agoOf(page, item.at)}</span>
        </p>
        {isSet && (
          <Link
            nav={page.nav}
            to={{ page: "review", id: ref }}
            class="act other"
            label={`${texts.review}: ${title}`}
          >
            {texts.review}
          </Link>
        )}
        {isFinding && (
          <Link nav={page.nav} to={{ page: "settings", part: "doctor" }} class="act other">
            {texts.care.parts.doctor}
          </Link>
        )}
        {isSet && (
          <button type="button" class="act other" onClick={onToggle} aria-expanded={isOpen}>
            {isOpen ? texts.hideChanges : texts.showChanges}
          </button>
        )}
      </div>
      {shown !== undefined && <pre class="output wrap">{toVisibleText(shown)}</pre>}
      {isSet && isOpen && (
        <Loaded page={page} part={props.unfolding}>
          {({ Unfolded }) => <Unfolded page={page} id={ref} onRead={onRead} />}
        </Loaded>
      )}
      {kind === "pairing" && <PairingAnswers page={page} item={item} />}
      {failed && <Failed page={page} failed={failed} />}
      {(isSet ? isWorking && !isOpen : !isBefore) && <PressText page={page} subject={ref} />}
      {isWorking && !press && (
        <p class="press taken" role="status">
          <span class="mark" />
          <span class="words">{texts.atWork}</span>
        </p>
      )}
      {!isWorking && box}
      {(isReadable || isWorking) && <Acts page={page} subject={subject} tryPress={tryPress} />}
    </li>
  );
}

/** How the newest attempt failed, whoever saw it then. */
function Failed({
  page,
  failed: { code, text, at },
}: {
  readonly page: Pick<Page, "feed" | "texts">;
  readonly failed: NonNullable<Item["failed"]>;
}) {
  return (
    <p class="words bad">
      {page.texts.value.failed(toVisibleText(code), agoOf(page, at))} {toVisibleText(text)}
    </p>
  );
}

function kindOf({ kind, isRejected }: Item, texts: Texts): string {
  if (isRejected) return texts.kinds.rejected;
  return wordFor(texts.kinds, kind, texts.kinds.other);
}

function checkOf(check: string, texts: Texts): string {
  return wordFor(texts.check, check, check);
}
