import { toVisibleText } from "../../../core/visible-text.ts";
import { messageOf, type Page } from "../../page.ts";
import { type Review, type ReviewFile } from "./model.ts";
import { isLookedAt } from "./person/person.ts";

/** The box by which a person says that they have looked at a file. */
export function SeenBox({
  page,
  review,
  number,
  file: { entry },
}: {
  readonly page: Page;
  readonly review: Review;
  readonly number: number;
  readonly file: ReviewFile;
}) {
  const texts = page.texts.value.seen;
  if (!review.mayLook() || !isLookedAt(entry)) return null;
  const state = review.seen.of.value.get(entry.path);
  const path = toVisibleText(entry.path);
  return (
    <>
      {state === "changed" && <span class="tag changed">{texts.changed}</span>}
      <label class="take seen">
        <input
          type="checkbox"
          aria-label={texts.take(path)}
          checked={state === "same"}
          onChange={({ currentTarget: box }) => see(page, review, number, box.checked)}
        />
        <span aria-hidden="true">{texts.word}</span>
      </label>
    </>
  );
}

/** Ticks the file of a number, or takes that back: what was seen is folded. */
export function see(page: Page, review: Review, number: number, isSeen?: boolean): void {
  const file = review.files()[number];
  if (!file || !review.mayLook() || !isLookedAt(file.entry)) return;
  const { path } = file.entry;
  const next = isSeen ?? review.seen.of.value.get(path) !== "same";
  const kept = review.seen.mark(path, next);
  review.toggle(number, !next);
  void kept.then((error) => {
    if (error === undefined) return;
    page.said.value = page.texts.value.seen.failed(toVisibleText(messageOf(error)));
    review.toggle(number, next);
  });
}

/** How much of a change set was looked at; undefined where nobody is asked. */
export function countSeen(page: Page, review: Review): string | undefined {
  if (!review.mayLook()) return undefined;
  const entries = review.files().flatMap(({ entry }) => (isLookedAt(entry) ? [entry] : []));
  const { value: seen } = review.seen.of;
  const count = entries.filter(({ path }) => seen.get(path) === "same").length;
  return entries.length === 0 ? undefined : page.texts.value.seen.count(count, entries.length);
}
