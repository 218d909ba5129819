import { toVisibleText } from "../../../core/visible-text.ts";
import type { Row } from "../../diff/diff.ts";
import type { Texts } from "../../texts/texts.ts";
import { type Review, type ReviewFile } from "./model/model.ts";
import { isLeftOut, toggleHunk, toggleShown } from "./person/person.ts";

interface OfFile {
  readonly texts: Texts;
  readonly review: Review;
  readonly file: ReviewFile;
}

/** What the head of a file has of a change set that may still be another one. */
export function FileRevision({ texts, review, file }: OfFile) {
  const { entry } = file;
  if (!review.person.mayRevise()) return null;
  const path = toVisibleText(entry.path);
  const toggle = () => {
    const shown = review.files().map((each) => each.entry);
    const all = review.source.set.value?.files ?? [];
    const { picks } = review.person;
    picks.set(toggleShown(picks.now.value, all, shown, entry));
  };
  return (
    <span class="file-revision">
      <button
        type="button"
        class="file-comment"
        aria-label={texts.comment.onFile(path)}
        title={texts.comment.onFile(path)}
        onClick={() => review.opening.comment({ path: entry.path })}
      >
        ✎
      </button>
      {!entry.generated && (
        <label class="take" title={texts.leave.take(path)}>
          <input
            type="checkbox"
            aria-label={texts.leave.take(path)}
            checked={!isLeftOut(review.person.picks.now.value, entry.path)}
            onChange={toggle}
          />
          <span class="take-word" aria-hidden="true">
            {texts.leave.word}
          </span>
        </label>
      )}
    </span>
  );
}

/** The head of a hunk: whether it is taken, or that the version before had it. */
export function HunkHead({
  texts: { leave: texts },
  review: { person, source },
  file: { entry },
  row: { hunk, isHidden },
  at,
}: OfFile & { readonly row: Extract<Row, { readonly kind: "hunk" }>; readonly at: number }) {
  const { picks } = person;
  const isLooked = source.set.value?.previous?.isLooked === true;
  const asBefore = isLooked ? texts.asLooked : texts.asBefore;
  const name = texts.takeHunk(hunk + 1, toVisibleText(entry.path));
  const mayLeave = person.mayRevise() && !entry.generated;
  const isOut = isLeftOut(picks.now.value, entry.path, hunk);
  return (
    <div class={`fold hunk ${isOut ? "out" : ""}`} data-row={at}>
      {mayLeave && (
        <label class="take" title={name}>
          <input
            type="checkbox"
            aria-label={name}
            checked={!isOut}
            disabled={isLeftOut(picks.now.value, entry.path)}
            onChange={() => picks.set(toggleHunk(picks.now.value, entry.path, hunk))}
          />
          <span aria-hidden="true">{texts.word}</span>
        </label>
      )}
      <span>{isHidden ? asBefore(hunk + 1) : texts.hunk(hunk + 1)}</span>
    </div>
  );
}
