import { useSignal } from "@preact/signals";
import { type ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Item } from "../client/client.ts";
import type { Page } from "../page/page.ts";
import type { TryPress } from "./guarded-press.ts";

/** How a plan is pressed: what should be different about it is asked for in a box of its own. */
export function usePlanWords(
  { texts }: Pick<Page, "texts">,
  { kind }: Pick<Item, "kind">,
  tryPress: TryPress,
): { readonly tryPress: TryPress; readonly box: ComponentChildren } {
  const words = useSignal<string | undefined>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  const isOpen = words.value !== undefined;
  useLayoutEffect(() => {
    if (isOpen) area.current?.focus();
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
          onInput={({ currentTarget: { value } }) => (words.value = value)}
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
