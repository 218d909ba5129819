import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ChangeSet } from "../../../client/client.ts";
import type { CommandTable } from "../../../commands/commands.ts";
import { Figures } from "../../../figures/figures.tsx";
import type { Navigation, Page, View } from "../../../page/page.ts";
import { renderPlace } from "../../../route.ts";
import { openKeeper } from "../../../theme.ts";
import { isKept, type PaneHolder } from "../files-view/files-view.tsx";
import type { Review, ReviewLayout } from "../model/model.ts";
import { isLookedAt } from "../person/person.ts";
import { findLine, findStop, placeOf } from "../walk.ts";
import { changeSide, stepLine } from "./lines.ts";
import { SEARCH_ID, Search } from "./search.tsx";

/** How the files are shown, and the ways through them. */
export function Toolbar({
  page,
  review,
  set,
  holder,
  isTreeOpen,
  onTree,
}: {
  readonly page: Page;
  readonly review: Review;
  readonly set: ChangeSet;
  readonly holder: PaneHolder;
  readonly isTreeOpen: boolean;
  readonly onTree: () => void;
}) {
  const texts = page.texts.value;
  const hasAll = useSignal(false);
  useFindHint(page);
  const sum = (key: "added" | "removed") =>
    review.files().reduce((all, { entry }) => all + entry[key], 0);
  return (
    <div
      class={`toolbar ${hasAll.value ? "all" : ""}`}
      role="toolbar"
      aria-label={texts.layout.label}
    >
      <button
        type="button"
        class="tool tree-toggle"
        aria-pressed={isTreeOpen}
        onClick={onTree}
        title={`${texts.treeToggle} (t)`}
        aria-label={texts.treeToggle}
      >
        <span class="icon-tree" />
      </button>
      <span class="count">
        {texts.files(review.files().filter(({ entry }) => isLookedAt(entry)).length)}
        <Figures texts={texts} added={sum("added")} removed={sum("removed")} />
      </span>
      <Search texts={texts} review={review} holder={holder} />
      <span class="tools">
        <button
          type="button"
          class="tool"
          title={`${texts.change.previous} (Shift+F7)`}
          aria-label={texts.change.previous}
          onClick={() => void leadToChange(review, holder, -1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="tool"
          title={`${texts.change.next} (F7)`}
          aria-label={texts.change.next}
          onClick={() => void leadToChange(review, holder, 1)}
        >
          ↓
        </button>
        <button
          type="button"
          class="tool more-tools"
          aria-expanded={hasAll.value}
          title={texts.more.tools}
          aria-label={texts.more.tools}
          onClick={() => (hasAll.value = !hasAll.value)}
        >
          ⋯
        </button>
        <button
          type="button"
          class="tool word"
          aria-pressed={review.layout.ignoresBlanks.value}
          title={`${texts.blanks} (w)`}
          aria-label={texts.blanks}
          onClick={() => toggleBlanks(review.layout)}
        >
          <span class="wide">{texts.blanks}</span>
          <span class="narrow" aria-hidden="true">
            ␣
          </span>
        </button>
        <button
          type="button"
          class="tool word"
          aria-pressed={page.view.isReading.value}
          title={`${texts.reading.long} (m)`}
          aria-label={texts.reading.long}
          onClick={() => toggleReading(page.view, review.layout)}
        >
          <span class="wide">{texts.reading.word}</span>
          <span class="narrow" aria-hidden="true">
            ¶
          </span>
        </button>
        {set.previous?.gone && (
          <button
            type="button"
            class="tool word"
            aria-pressed={review.layout.isSince.value}
            onClick={() => review.opening.showSince(!review.layout.isSince.value)}
          >
            {set.previous.isLooked ? texts.since.looked : texts.since.toggle}
          </button>
        )}
        {!page.view.isReading.value && (
          <span class="switch" role="group" aria-label={texts.layout.label}>
            {[false, true].map((isSplit) => (
              <button
                key={String(isSplit)}
                type="button"
                class="tool"
                aria-pressed={review.layout.isSplit.value === isSplit}
                title={`${isSplit ? texts.layout.split : texts.layout.unified} (u)`}
                onClick={() => setSplit(review.layout, isSplit)}
              >
                {isSplit ? texts.layout.split : texts.layout.unified}
              </button>
            ))}
          </span>
        )}
      </span>
    </div>
  );
}

/** The search of the browser stays the browser's: who calls it hears what it does not find. */
function useFindHint({ texts, view }: Pick<Page, "texts" | "view">): void {
  useEffect(() => {
    const pressed = ({ ctrlKey, metaKey, altKey, shiftKey, code }: KeyboardEvent) => {
      const isFind = (ctrlKey || metaKey) && !altKey && !shiftKey && code === "KeyF";
      if (isFind && !view.isReading.peek()) view.said.value = texts.value.line.findHint;
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [view]);
}

/** Where a person's choice of layout is kept. */
const SPLIT_KEY = "papayu.split";

/** What was chosen last; side by side where there is room and nothing was chosen. */
export function prefersSplit(): boolean {
  const kept = openKeeper("localStorage").getItem(SPLIT_KEY);
  return kept === null ? window.innerWidth >= 1200 : kept === "true";
}

/** Shows the files side by side, or one text below the other. */
function setSplit(layout: ReviewLayout, isSplit: boolean): void {
  openKeeper("localStorage").setItem(SPLIT_KEY, String(isSplit));
  layout.isSplit.value = isSplit;
  layout.relay();
}

/** Blanks count, or do not. */
function toggleBlanks(layout: ReviewLayout): void {
  layout.ignoresBlanks.value = !layout.ignoresBlanks.value;
  layout.relay();
}

/** Shows the changes as a text, or as they are drawn again. */
function toggleReading(view: View, layout: ReviewLayout): void {
  view.isReading.value = !view.isReading.value;
  if (!view.isReading.value && prefersSplit()) setSplit(layout, true);
}

/** Leads to the change behind or before where a person is. */
async function leadToChange(review: Review, holder: PaneHolder, step: 1 | -1): Promise<void> {
  const next = await findStop(review, step, "change");
  if (next) holder.current?.show(next);
}

/** What the keys of every page do on which changes are read. */
export function readingCommands(
  page: Pick<Page, "nav" | "texts" | "view">,
  review: Review,
  holder: PaneHolder,
  isTreeOpen: Signal<boolean>,
): CommandTable {
  const { nav, view } = page;
  const step = (by: 1 | -1) => {
    const at = review.position.cursor()?.file ?? (by === 1 ? -1 : review.files().length);
    const file = Math.min(Math.max(0, at + by), review.files().length - 1);
    holder.current?.show({ file, row: -1 });
  };
  return {
    next: () => step(1),
    previous: () => step(-1),
    unfold: () => {
      const file = review.position.cursor()?.file;
      if (file !== undefined) review.opening.toggle(file);
    },
    nextChange: () => void leadToChange(review, holder, 1),
    previousChange: () => void leadToChange(review, holder, -1),
    nextLine: () => void stepLine(review, holder, 1),
    previousLine: () => void stepLine(review, holder, -1),
    otherSide: () => changeSide(page, review, holder),
    search: () => document.getElementById(SEARCH_ID)?.focus(),
    tree: () => (isTreeOpen.value = !isTreeOpen.value),
    split: () => {
      if (!view.isReading.value) setSplit(review.layout, !review.layout.isSplit.value);
    },
    reading: () => toggleReading(view, review.layout),
    blanks: () => toggleBlanks(review.layout),
    inbox: () => nav.go({ page: "inbox" }),
    help: () => (view.isHelpOpen.value = true),
    close: () => {
      review.position.query.value = "";
      review.position.reach(undefined);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
  };
}

/** Leads to the line that the address names, as soon as there is something to be led in. */
export function useLinkedLine(nav: Navigation, review: Review, holder: PaneHolder): void {
  const route = nav.route.value;
  const place = "place" in route ? route.place : undefined;
  const isThere = review.source.set.value !== undefined;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isThere) return;
    // Whoever comes back is where they were, which may be far from the line that they came for.
    const isBack = isFirst.current && isKept(nav);
    isFirst.current = false;
    if (!place) return;
    void findLine(review, place).then((cursor) => {
      if (!cursor) return;
      if (isBack) review.position.goTo(cursor, place);
      else holder.current?.show(cursor);
    });
  }, [review, place, isThere]);
}

/** Puts the address of the line on which somebody is into the bar, and copies it. */
export async function copyLink(
  { nav, texts, view }: Pick<Page, "nav" | "texts" | "view">,
  review: Pick<Review, "files" | "position">,
): Promise<void> {
  const cursor = review.position.cursor();
  const place = cursor && placeOf(review.files(), cursor, review.position.stretch());
  if (!place) return;
  nav.name(renderPlace(place));
  await navigator.clipboard.writeText(location.href).then(
    () => (view.said.value = texts.value.line.copied),
    () => {}, // the address has it, too
  );
}
