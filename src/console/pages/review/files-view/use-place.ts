import { useLayoutEffect, useRef } from "preact/hooks";
import type { Navigation } from "../../../page/page.ts";
import type { Review } from "../model/model.ts";
import { findLine } from "../walk.ts";
import { readStanding, type Standing, topFor } from "./standing.ts";

/** Heights on the way there may be guesses: so many looks later they are measured. */
const LOOKS = 6;

/** The pane as far as a place in it is kept. */
export interface Place {
  readonly review: Review;
  /** How far below the beginning of the files its upper edge is. */
  readonly top: () => number;
  readonly scrollBy: (px: number) => void;
}

/**
 * Keeps with the address which line is at the upper edge, and is there again when somebody comes back
 * or loads the page anew; whoever scrolls meanwhile stays where they are. Gives what is told of
 * each scroll.
 */
export function usePlace(nav: Navigation, place: Place): (standing: Standing | undefined) => void {
  const { review } = place;
  const current = useRef(place);
  current.current = place;
  const restoring = useRef(false);
  useLayoutEffect(() => {
    // Where more than one is shown the address names none of them.
    const { page } = nav.route.peek();
    const kept = page === "review" || page === "workspace" ? readStanding(nav.kept()) : undefined;
    if (!kept) return undefined;
    let isOver = false;
    restoring.current = true;
    let left = LOOKS;
    let expected = current.current.top();
    const look = () => {
      const { top, scrollBy } = current.current;
      const isMoved = Math.abs(top() - expected) > 2 && left < LOOKS;
      const wanted = topFor(review.files(), kept);
      left -= 1;
      if (isOver || isMoved || wanted === undefined || left === 0) {
        restoring.current = false;
        return;
      }
      scrollBy(wanted - top());
      expected = top();
      requestAnimationFrame(look);
    };
    void open(review, kept).then(look);
    return () => {
      isOver = true;
      restoring.current = false;
    };
  }, [review]);
  return (standing) => {
    const { page } = nav.route.peek();
    if (!restoring.current && (page === "review" || page === "workspace")) nav.keep(standing);
  };
}

/** Whether somebody comes back to a place of the review that the address names. */
export function isKept(nav: Pick<Navigation, "kept">): boolean {
  return readStanding(nav.kept()) !== undefined;
}

/** Opens what hides the line. */
async function open(review: Review, { path, line }: Standing): Promise<void> {
  const entry = review.files().find((file) => file.entry.path === path)?.entry;
  if (!entry || !line) return;
  const { n, old } = entry;
  await findLine(review, { file: line.side === "L" ? (old?.n ?? n) : n, ...line });
}
