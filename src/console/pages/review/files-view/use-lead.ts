import { useRef } from "preact/hooks";
import { type Cursor, type Review } from "../model/model.ts";
import { elementAt } from "../pane.ts";
import { offsetOf, rowsOffset } from "./sections.ts";

/** What takes letters that are typed. */
const WRITING = "input, textarea, select";

/** A place that somebody is led to. */
interface Waiting {
  readonly how: "focus" | "quiet";
  left: number;
  /** What had the focus before. */
  readonly from: Element | null;
}

/** The pane as far as somebody is led in it. */
interface Led {
  readonly review: Review;
  readonly scroller: { readonly current: HTMLElement | null };
  readonly list: { readonly current: HTMLElement | null };
  /** Draws what is in sight now. */
  readonly look: () => void;
}

/** Leads to places: heights on the way there may be guesses, so it goes there again when they are measured. */
export function useLead({ review, scroller, list, look }: Led) {
  const waiting = useRef<Waiting | undefined>(undefined);

  function lead(): void {
    const [box, target] = [scroller.current, waiting.current];
    if (!box || !target || !list.current) return;
    const cursor = review.position.cursor();
    const file = cursor && review.files()[cursor.file];
    if (!file) return;
    const place =
      cursor.row < 0
        ? offsetOf(review.files(), cursor.file)
        : rowsOffset(review.files(), cursor.file) + file.laid.heights.offsetOf(cursor.row);
    const lower = cursor.row < 0 ? 0 : Math.min(160, box.clientHeight / 3);
    const above = box.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    box.scrollTop += place - lower - above;
    look();
    requestAnimationFrame(() => {
      if (waiting.current !== target) return;
      const at = review.position.cursor();
      const element = at ? elementAt(list.current, at) : null;
      target.left -= 1;
      if (target.left > 0) lead();
      else waiting.current = undefined;
      if (!element || target.how !== "focus") return;
      const { activeElement } = document;
      // Who has begun to write meanwhile is not taken out of their box.
      const isElsewhere = activeElement !== target.from && activeElement?.matches(WRITING);
      if (isElsewhere) waiting.current = undefined;
      else element.focus({ preventScroll: true });
    });
  }

  function show(cursor: Cursor, how: "focus" | "quiet" = "focus"): void {
    review.position.goTo(cursor);
    waiting.current = { how, left: 4, from: document.activeElement };
    lead();
  }

  function reveal(cursor: Cursor, how: "focus" | "quiet" = "quiet"): void {
    const element = elementAt(list.current, cursor);
    if (!element && how === "focus") return show(cursor);
    element?.scrollIntoView({ block: "nearest" });
    if (how === "focus") element?.focus({ preventScroll: true });
  }

  return { show, reveal };
}
