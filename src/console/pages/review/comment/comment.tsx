import { toVisibleText } from "../../../../core/visible-text.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { Review } from "../model/model.ts";
import { standingOf } from "../person/person.ts";
import { CommentBox } from "./comment-box.tsx";
import { namesOfLines } from "./comment-lines.tsx";

export { namesOfLines } from "./comment-lines.tsx";
export { extendBy, extendToRow, placeHere } from "./extend.ts";
export { markedIn } from "./marked.ts";

/** What is said of a place: by the person before, and what they are about to say. */
export function CommentRow({
  texts,
  review,
  of,
  row,
}: {
  readonly texts: Texts;
  readonly review: Review;
  /** What stands there; without it what is about the whole. */
  readonly of?: readonly string[];
  /** Its row, where it has one. */
  readonly row?: number;
}) {
  const { person } = review;
  const all = standingOf(person.said(), person.comments);
  const own = all.filter(({ id, place }) => of?.includes(id) ?? place.path === undefined);
  return (
    <div class="comment-row" data-row={row}>
      {own.map(({ id, place, said }) =>
        said ? (
          <div key={id} class="said-before">
            <span class="quiet">
              {said.was_line === undefined
                ? texts.comment.said
                : texts.comment.saidAt(said.was_line)}
            </span>
            {place.to !== undefined && (
              <span class="quiet"> · {namesOfLines(place, texts.comment)}</span>
            )}
            <pre class="wrap">{toVisibleText(said.text)}</pre>
          </div>
        ) : (
          <CommentBox key={id} texts={texts} review={review} place={place} />
        ),
      )}
    </div>
  );
}
