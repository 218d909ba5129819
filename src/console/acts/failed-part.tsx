import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FailedPart as Failed, Page } from "../page/page.ts";

/**
 * Stands where a part of the page could not be loaded. Of several the first alone is an alert, with
 * their number and one button for all of them: who hears the page would hear each of them otherwise.
 */
export function FailedPart(props: {
  readonly page: Pick<Page, "texts" | "view">;
  /** Why it is not there, where that is known. */
  readonly reason?: string;
  readonly retry: () => void;
  /** What else can be done. */
  readonly more?: ComponentChildren;
}) {
  const { page, reason, retry, more } = props;
  const { failed, movedAt } = page.view;
  const texts = page.texts.value;
  const own = useRef<Failed>({ retry }).current;
  own.retry = retry;
  // Before anything is said: what fails with this one is to be counted.
  useLayoutEffect(() => {
    failed.value = [...failed.peek(), own];
    return () => (failed.value = failed.peek().filter((each) => each !== own));
  }, []);
  const all = failed.value;
  const isFirst = all[0] === own;
  useLayoutEffect(() => {
    // What lies below is elsewhere now.
    movedAt.value = performance.now();
  }, [isFirst, all.length > 1]);
  const words = reason ?? texts.part.failed;
  if (!isFirst) {
    return (
      <div class="waiting">
        <p>{words}</p>
      </div>
    );
  }
  const isAlone = all.length === 1;
  return (
    <div class="waiting" role="alert">
      {!isAlone && <p>{texts.part.severalFailed(all.length)}</p>}
      {(isAlone || reason !== undefined) && <p>{words}</p>}
      <button type="button" class="act other" onClick={() => all.forEach((each) => each.retry())}>
        {texts.again}
      </button>
      {more}
    </div>
  );
}
