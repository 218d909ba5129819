import type { Page } from "../page/page.ts";
import type { Texts } from "../texts/texts.ts";
import { toAgo } from "./numbers.ts";

export { toSize } from "./numbers.ts";

/** How long ago or ahead a moment is, in words: `3 min ago`. What shows it is drawn anew while time passes. */
export function agoOf({ feed, texts }: Pick<Page, "feed" | "texts">, at: number): string {
  void feed.ticks.value;
  return toAgo(at, Date.now(), texts.value.language);
}

/** `+12 −3`, with words for who hears it. */
export function Figures({
  texts,
  added,
  removed,
}: {
  readonly texts: Texts;
  readonly added: number;
  readonly removed: number;
}) {
  return (
    <span class="figures">
      <span class={`plus ${added === 0 ? "nil" : ""}`} role="img" aria-label={texts.added(added)}>
        +{added}
      </span>
      <span
        class={`minus ${removed === 0 ? "nil" : ""}`}
        role="img"
        aria-label={texts.removed(removed)}
      >
        −{removed}
      </span>
    </span>
  );
}
