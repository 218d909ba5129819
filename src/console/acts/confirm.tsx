import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Page } from "../page/page.ts";
import { GUARD_MS } from "./guard.ts";

/** A press that is asked about: the second one counts, and not before it could be read. */
export function Confirm(props: {
  readonly page: Pick<Page, "feed" | "texts">;
  readonly label: string;
  readonly about: string;
  readonly onYes: () => void;
}) {
  const { page, label, about, onYes } = props;
  const { care } = page.texts.value;
  const askedAt = useSignal<number | undefined>(undefined);
  const isLive = page.feed.link.value === "live";
  const isAsked = askedAt.value !== undefined;
  return (
    <button
      type="button"
      class={`act ${isAsked ? "no" : "other"} ${isLive ? "" : "off"}`}
      aria-disabled={!isLive}
      aria-label={isAsked ? undefined : `${label}: ${toVisibleText(about)}`}
      onBlur={() => (askedAt.value = undefined)}
      onClick={() => {
        const now = performance.now();
        if (!isLive) return;
        if (askedAt.value === undefined) askedAt.value = now;
        else if (now - askedAt.value >= GUARD_MS) onYes();
      }}
    >
      {isAsked ? care.really(label) : label}
    </button>
  );
}
