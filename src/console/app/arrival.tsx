import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Page } from "../page/page.ts";
import { placeNamed } from "../route.ts";

/** A place is told by its title after so long: what is read out at once is read over by the focus. */
const SAY_AFTER_MS = 100;

/**
 * Who goes to another place, or back to one, is there with the focus as well, and hears what it is
 * called; who only opens the page is left alone.
 */
export function Arrival({ page }: { readonly page: Pick<Page, "nav" | "texts" | "view"> }) {
  const route = page.nav.route.value;
  const place = placeNamed(route);
  const title = route.page === "inbox" ? page.texts.value.inbox : page.view.title.value;
  const first = useRef<string | undefined>(place);
  const heard = useSignal("");
  useEffect(() => {
    if (first.current === place) return;
    first.current = undefined;
    heard.value = "";
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [place]);
  useEffect(() => {
    if (first.current !== undefined) return undefined;
    const timer = setTimeout(() => (heard.value = title), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [place, title]);
  return (
    <p class="only-heard" role="status">
      {heard.value}
    </p>
  );
}
