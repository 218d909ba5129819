import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Page } from "../../../page/page.ts";
import type { Cursor, LineOf, Review } from "../model/model.ts";
import { createSelection, type Selection } from "./selection.ts";

type Side = LineOf["side"];

/**
 * Selects lines by pointer, and all of a file by Ctrl+A; what is copied comes from the model. The browser
 * alone would take both sides, and lose what is not drawn any more.
 */
export function useSelection(
  { texts, view }: Pick<Page, "texts" | "view">,
  review: Review,
  list: RefObject<HTMLElement | null>,
  first: () => Cursor | undefined,
): Selection {
  const selection = useMemo(() => createSelection(review), [review]);
  useEffect(() => {
    let isDragging = false;
    const pressed = (event: MouseEvent) => {
      const box = list.current;
      if (!box || event.button !== 0) return;
      const at = placeAt(box, event.target);
      if (!at) {
        // A number with Shift goes on with a comment; anywhere else something else is selected.
        if (!isNumber(event.target)) selection.clear();
        return;
      }
      const side = sideAt(box, event.target);
      if (event.shiftKey && selection.reach(at, side)) {
        // The browser may have lost where it was begun.
        event.preventDefault();
        getSelection()?.removeAllRanges();
        box.parentElement?.focus({ preventScroll: true });
        return;
      }
      // A press within what is selected would drag that away.
      if (event.detail === 1) getSelection()?.removeAllRanges();
      isDragging = true;
      box.dataset["selects"] = side ?? "";
      selection.begin(at, side);
    };
    const reached = (target: EventTarget | null) => {
      const at = isDragging && list.current ? placeAt(list.current, target) : undefined;
      if (at) selection.reach(at);
    };
    const selected = () => {
      const node = getSelection()?.focusNode ?? null;
      reached(node instanceof Text ? node.parentElement : node);
    };
    const released = (event: MouseEvent) => {
      reached(document.elementFromPoint(event.clientX, event.clientY));
      isDragging = false;
    };
    const copied = (event: ClipboardEvent) => {
      const found = isWriting(event.target) ? undefined : selection.copy();
      if (!found) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", found.text);
      view.said.value = texts.value.line.copiedLines(found.lines, found.hidden);
    };
    const typed = (event: KeyboardEvent) => {
      if (event.key === "Escape") selection.clear();
      const isAll = (event.ctrlKey || event.metaKey) && event.code === "KeyA";
      const isHere = list.current?.parentElement?.contains(document.activeElement) === true;
      if (!isAll || event.shiftKey || event.altKey || !isHere || isWriting(event.target)) return;
      const at = review.position.cursor() ?? first();
      if (!at) return;
      event.preventDefault();
      const side = review.position.stretch()?.side ?? "R";
      selection.all(at.file, review.layout.isSplit.value ? side : undefined);
    };
    const end = new AbortController();
    const { signal } = end;
    document.addEventListener("mousedown", pressed, { signal });
    document.addEventListener("selectionchange", selected, { signal });
    document.addEventListener("mouseup", released, { signal });
    document.addEventListener("copy", copied, { signal });
    document.addEventListener("keydown", typed, { signal });
    return () => end.abort();
  }, [selection]);
  return selection;
}

/** The row in which something is drawn; of its numbers and buttons there is nothing to select. */
function placeAt(list: HTMLElement, target: EventTarget | null): Cursor | undefined {
  if (!(target instanceof HTMLElement) || !list.contains(target)) return undefined;
  if (target.closest("button, .num, textarea, input")) return undefined;
  const row = target.closest<HTMLElement>(".row[data-row]");
  const body = row?.closest<HTMLElement>("[data-file]");
  if (!row || !body) return undefined;
  return { file: Number(body.dataset["file"]), row: Number(row.dataset["row"]) };
}

/** Side by side the side on which something is drawn. */
function sideAt(list: HTMLElement, target: EventTarget | null): Side | undefined {
  if (!list.classList.contains("split") || !(target instanceof HTMLElement)) return undefined;
  const text = target.closest(".pair > .text");
  return text !== null && text.nextElementSibling !== null ? "L" : "R";
}

function isNumber(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(".num");
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
