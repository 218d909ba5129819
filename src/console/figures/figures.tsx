import type { Page } from "../page/page.ts";
import type { Texts } from "../texts/texts.ts";
import { toAgo, toldAs } from "./numbers.ts";

export { toSize } from "./numbers.ts";
export { PathName } from "./path-name.tsx";

/**
 * How long ago or ahead a moment is, in words: `3 min ago`. It is told anew while time passes, and only
 * then: words of another length, drawn because somebody has come to them with a finger, would move the
 * button away from under it.
 */
export function agoOf({ feed, texts }: Pick<Page, "feed" | "texts">, at: number): string {
  return toAgo(at, toldAs(at, feed.ticks.value, Date.now()), texts.value.language);
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
