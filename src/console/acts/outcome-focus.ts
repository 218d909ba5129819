import { useLayoutEffect, useRef } from "preact/hooks";
import { isUnderWay, type Presses } from "../page/page.ts";

/** What says how a press ended. */
export const OUTCOME_ID = "outcome";

/**
 * Who has pressed is led to what came of it, since the button is gone that had the focus; whoever has
 * gone on to something else meanwhile stays there.
 */
export function useOutcomeFocus(presses: Presses, subject: string): void {
  const state = presses.states.value.get(subject);
  const isAwaited = useRef(false);
  if (isUnderWay(state)) isAwaited.current = true;
  useLayoutEffect(() => {
    if (!isAwaited.current || !state || isUnderWay(state)) return;
    const { activeElement, body } = document;
    // Who came here from another place has the focus on all of it.
    const isLost =
      activeElement === null || activeElement === body || activeElement.id === "content";
    if (isLost) document.getElementById(OUTCOME_ID)?.focus();
    // The buttons go a moment later than the answer comes.
    else if (!activeElement.closest(".acts")) isAwaited.current = false;
  });
}
