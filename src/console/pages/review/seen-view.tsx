import { toVisibleText } from "../../../core/visible-text.ts";
import { messageOf, type Page } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { type Review, type ReviewFile } from "./model/model.ts";
import { isLookedAt, namesOf, seenOf } from "./person/person.ts";

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
  if (!review.person.mayLook() || !isLookedAt(entry)) return null;
  const state = seenOf(review.person.seen, entry);
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
export function see(
  { texts, view }: Pick<Page, "texts" | "view">,
  { files, person, opening }: Review,
  number: number,
  isSeen?: boolean,
): void {
  const file = files()[number];
  if (!file || !person.mayLook() || !isLookedAt(file.entry)) return;
  const next = isSeen ?? seenOf(person.seen, file.entry) !== "same";
  const names = namesOf(file.entry);
  const kept = Promise.all(names.map((name) => person.seen.mark(name, next)));
  opening.toggle(number, !next);
  void kept.then((errors) => {
    const error = errors.find((each) => each !== undefined);
    if (error === undefined) return;
    view.said.value = texts.value.seen.failed(toVisibleText(messageOf(error)));
    opening.toggle(number, next);
  });
}

/** How much of a change set was looked at; undefined where nobody is asked. */
export function countSeen(
  { seen: texts }: Texts,
  { files, person }: Pick<Review, "files" | "person">,
): string | undefined {
  if (!person.mayLook()) return undefined;
  const entries = files().flatMap(({ entry }) => (isLookedAt(entry) ? [entry] : []));
  const count = entries.filter((entry) => seenOf(person.seen, entry) === "same").length;
  return entries.length === 0 ? undefined : texts.count(count, entries.length);
}
