import { useSignal } from "@preact/signals";
import { type ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Item } from "../client/client.ts";
import type { Page } from "../page/page.ts";
import { openKeeper } from "../theme.ts";
import type { TryPress } from "./guarded-press.ts";

/** Where words that are not sent yet stay in this window, also after it was loaded anew. */
const placeOf = (planId: string) => `papayu.plan.${planId}`;

/** How a plan is pressed: what should be different about it is asked for in a box of its own. */
export function usePlanWords(
  { texts }: Pick<Page, "texts">,
  { kind, ref: planId }: Pick<Item, "kind" | "ref">,
  tryPress: TryPress,
): { readonly tryPress: TryPress; readonly box: ComponentChildren } {
  const keeper = openKeeper("sessionStorage");
  const words = useSignal(keeper.getItem(placeOf(planId)) ?? undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  const isOpen = words.value !== undefined;
  useLayoutEffect(() => {
    if (isOpen && words.peek() === "") area.current?.focus(); // what was kept takes no focus
  }, [isOpen]);
  if (kind !== "plan") return { tryPress, box: null };
  const label = texts.value.otherPlan;
  return {
    tryPress(act) {
      const said = words.value?.trim() ?? "";
      if (act.act !== "change") tryPress(act);
      else if (said !== "") tryPress({ ...act, words: said });
      else {
        words.value ??= "";
        area.current?.focus();
      }
    },
    box: isOpen && (
      <label class="words-of">
        <span>{label}</span>
        <textarea
          rows={3}
          ref={area}
          value={words.value}
          onInput={({ currentTarget: { value } }) => {
            words.value = value;
            keepWords(keeper, placeOf(planId), value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            event.currentTarget.blur();
            if (words.value === "") words.value = undefined;
          }}
        />
      </label>
    ),
  };
}

function keepWords(keeper: ReturnType<typeof openKeeper>, place: string, words: string): void {
  try {
    if (words.trim() === "") keeper.removeItem(place);
    else keeper.setItem(place, words);
  } catch {
    keeper.removeItem(place); // there is no room for it: the box has it
  }
}
