import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Lazy, Page } from "../page/page.ts";
import { FailedPart } from "./failed-part.tsx";

/** What is drawn by code that may still be on its way; where that fails, it is said. */
export function Loaded<Parts>(props: {
  readonly page: Pick<Page, "feed" | "texts" | "view">;
  readonly part: Lazy<Parts>;
  readonly children: (parts: Parts) => ComponentChildren;
}) {
  const { page, part, children } = props;
  const texts = page.texts.value;
  const isLive = page.feed.link.value === "live";
  // Again as soon as there is somebody who answers.
  useEffect(() => void part.load(), [part, isLive]);
  const state = part.state.value;
  useLayoutEffect(() => {
    // What lies below is elsewhere now.
    page.view.movedAt.value = performance.now();
  }, [state.kind]);
  switch (state.kind) {
    case "waiting":
      return <p class="waiting">{texts.loading}</p>;
    case "failed":
      return (
        <FailedPart
          page={page}
          retry={() => void part.load()}
          // Some browsers remember that a file did not come, until the page is loaded anew.
          more={<Reload texts={texts.part.reload} />}
        />
      );
    case "ready":
      return <>{children(state.parts)}</>;
    default:
      return state satisfies never;
  }
}

/** Has the browser load the page anew. */
export function Reload({ texts }: { readonly texts: string }) {
  return (
    <button type="button" class="act other" onClick={() => location.reload()}>
      {texts}
    </button>
  );
}
