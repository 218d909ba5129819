import type { Page } from "../../../page/page.ts";
import { namesOfLines, placeHere } from "../comment/comment.tsx";
import type { PaneHolder } from "../files-view/files-view.tsx";
import { linesIn, type Review } from "../model/model.ts";
import { findOtherSide, findStop } from "../walk.ts";

/** Goes on to the next line that is shown, or back: who uses no mouse gets to each of them. */
export async function stepLine(review: Review, holder: PaneHolder, step: 1 | -1): Promise<void> {
  const { files, position } = review;
  const side = position.stretch()?.side;
  const first = holder.current?.first();
  const start = first && { ...first, row: first.row - step };
  const next = await findStop(review, step, "line", start);
  if (!next) return;
  // Who reads a side goes on in it, as long as there is something of it.
  const line = linesIn(files()[next.file]?.laid.rows[next.row]).find((each) => each.side === side);
  position.goTo(next, line);
  holder.current?.reveal(next, "focus");
}

/** Goes over to the line on the other side, which is told: what may be said of it is another thing. */
export function changeSide(
  { texts, view }: Pick<Page, "texts" | "view">,
  review: Review,
  holder: PaneHolder,
): void {
  const cursor = review.position.cursor();
  const other = findOtherSide(review);
  if (!cursor || !other) {
    view.said.value = texts.value.line.oneSided;
    return;
  }
  const next = { file: cursor.file, row: other.row };
  review.position.goTo(next, other.line);
  holder.current?.reveal(next, "focus");
  const place = placeHere(review);
  if (place) view.said.value = namesOfLines(place, texts.value.comment);
}
