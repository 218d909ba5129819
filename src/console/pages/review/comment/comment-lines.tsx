import { useLayoutEffect, useRef } from "preact/hooks";
import type { Texts } from "../../../texts/texts.ts";
import type { Review } from "../model/model.ts";
import { clampEnd, type Place, rangeOf } from "../person/person.ts";
import { goToBox, lastLine } from "./extend.ts";

/** Of which lines a comment is, and how far it goes: for fingers, and for who has it read out. */
export function CommentLines({
  texts,
  review,
  place,
}: {
  readonly texts: Texts["comment"];
  readonly review: Review;
  readonly place: Place;
}) {
  const { line = 1, to = line } = place;
  const isOld = place.side === "before";
  const field = useRef<HTMLInputElement>(null);
  const last = lastLine(review, place);
  useLayoutEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = String(to);
  }, [to]);
  const take = (input: HTMLInputElement) => {
    const end = clampEnd(place, input.value === "" ? Number.NaN : Number(input.value), last);
    input.value = String(end);
    if (end === to) return;
    const { path, side } = place;
    const own = { ...(path !== undefined && { path }), ...(side && { side }) };
    const next = { ...own, ...rangeOf(line, end) };
    if (review.opening.extend(place, next, false)) goToBox(review, next);
    else input.value = String(to);
  };
  return (
    <div class="comment-lines">
      <span>{namesOfLines(place, texts)}</span>
      <label>
        {texts.toLine}
        <input
          ref={field}
          type="number"
          inputMode="numeric"
          min={line}
          max={last}
          step={1}
          defaultValue={String(to)}
          aria-label={`${isOld ? texts.onOldLine(line) : texts.onLine(line)}, ${texts.toLine}`}
          onChange={({ currentTarget: input }) => take(input)}
        />
      </label>
    </div>
  );
}

/** The lines of a place by their numbers, and that they are old ones. */
export function namesOfLines(
  { side, line = 1, to = line }: Place,
  texts: Texts["comment"],
): string {
  return side === "before" ? texts.oldLines(line, to) : texts.lines(line, to);
}
