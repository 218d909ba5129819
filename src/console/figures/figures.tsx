import type { Texts } from "../texts/texts.ts";

export { toAgo, toSize } from "./numbers.ts";

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
