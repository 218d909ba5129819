import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Lazy, Page } from "../page/page.ts";

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
        <div class="waiting" role="alert">
          <p>{texts.part.failed}</p>
          <button type="button" class="act other" onClick={() => void part.load()}>
            {texts.again}
          </button>
          {/* Some browsers remember that a file did not come, until the page is loaded anew. */}
          <Reload texts={texts.part.reload} />
        </div>
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
