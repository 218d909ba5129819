import { toVisibleText } from "../../../core/visible-text.ts";
import type { Page } from "../../page.ts";
import type { Review } from "./model.ts";

/** What stands where a change set is not there yet, or cannot be read. */
export function Waiting({ page, review }: { readonly page: Page; readonly review: Review }) {
  const texts = page.texts.value;
  const failure = review.failure.value;
  if (failure === undefined) return <p class="waiting">{texts.loading}</p>;
  return (
    <div class="waiting" role="alert">
      <p>{toVisibleText(failure)}</p>
      <button type="button" class="act other" onClick={() => void review.load()}>
        {texts.again}
      </button>
    </div>
  );
}
