import { type ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Act, Item } from "../client/client.ts";
import type { Page, PlanAt } from "../page/page.ts";
import type { Texts } from "../texts/texts.ts";
import type { TryPress } from "./guarded-press.ts";

/** How a plan is pressed: what should be different about it is asked for in a box of its own. */
export function usePlanWords(
  { texts, presses: { planWords } }: Pick<Page, "texts" | "presses">,
  item: Pick<Item, "kind"> & PlanAt,
  tryPress: TryPress,
): { readonly tryPress: TryPress; readonly box: ComponentChildren } {
  const isPlan = item.kind === "plan";
  const words = isPlan ? planWords.of(item) : undefined;
  const area = useRef<HTMLTextAreaElement>(null);
  const isOpen = words !== undefined;
  useLayoutEffect(() => {
    if (isOpen && words === "") area.current?.focus(); // what was kept takes no focus
  }, [isOpen]);
  if (!isPlan) return { tryPress, box: null };
  const label = texts.value.otherPlan;
  return {
    tryPress(act) {
      const said = words?.trim() ?? "";
      if (act.act !== "change") tryPress(act);
      else if (said !== "") tryPress({ ...act, words: said });
      else {
        if (!isOpen) planWords.set(item, "");
        area.current?.focus();
      }
    },
    box: isOpen && (
      <label class="words-of">
        <span>{label}</span>
        <textarea
          rows={3}
          ref={area}
          value={words}
          onInput={({ currentTarget: { value } }) => planWords.set(item, value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            event.currentTarget.blur();
            if (words === "") planWords.set(item, undefined);
          }}
        />
      </label>
    ),
  };
}

/** An answer to a plan that goes without what was typed about it says so. */
export function besideWords(
  actions: readonly Act[],
  words: string | undefined,
  { comment }: Texts,
): readonly Act[] {
  if ((words ?? "").trim() === "") return actions;
  return actions.map((act) =>
    UNTOLD.has(act.act) ? { ...act, label: comment.passWords(act.label), passesOver: 1 } : act,
  );
}

const UNTOLD: ReadonlySet<string> = new Set(["apply", "drop"]);
