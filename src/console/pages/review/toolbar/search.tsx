import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Texts } from "../../../texts/texts.ts";
import type { PaneHolder } from "../files-view/files-view.tsx";
import type { Cursor, Review } from "../model/model.ts";
import { createFinder, isBefore, isTextHidden, readAll } from "../walk.ts";

/** The field of the search; `/` leads to it. */
export const SEARCH_ID = "search";

/** Finds words in all files, those that are not drawn yet too. */
export function Search({
  texts: { search: texts },
  review,
  holder,
}: {
  readonly texts: Texts;
  readonly review: Review;
  readonly holder: PaneHolder;
}) {
  const left = useSignal(0);
  /** Nobody was led to what was typed last. */
  const isFresh = useSignal(true);
  const reading = useRef<AbortController>(undefined);
  /** Enter was pressed before anything was found. */
  const wanted = useRef<1 | -1>(undefined);
  const query = review.position.query.value;
  const cursor = review.position.cursor();
  const find = useMemo(createFinder, [review]);
  const found = find(review.files(), query);
  const at = isFresh.value
    ? -1
    : found.findIndex(({ file, row }) => file === cursor?.file && row === cursor.row);
  useEffect(() => () => reading.current?.abort(), [review]);
  const search = (text: string) => {
    review.position.query.value = text;
    isFresh.value = true;
    wanted.current = undefined;
    if (text === "" || reading.current) return;
    const controller = new AbortController();
    reading.current = controller;
    void readAll(review, controller.signal, (count) => (left.value = count)).finally(() => {
      reading.current = undefined;
    });
  };
  const step = (by: 1 | -1) => {
    wanted.current = found.length === 0 ? by : undefined;
    if (found.length === 0) return;
    const isNext = (each: Cursor) =>
      !cursor || (isFresh.value ? !isBefore(each, cursor) : isBefore(cursor, each));
    const next =
      by === 1
        ? (found.find(isNext) ?? found[0])
        : (found.findLast((each) => cursor && isBefore(each, cursor)) ?? found.at(-1));
    isFresh.value = false;
    if (next) holder.current?.show(next, "quiet");
  };
  useEffect(() => {
    if (wanted.current !== undefined && found.length > 0) step(wanted.current);
  });
  useEffect(() => {
    const isNone = query !== "" && left.value === 0 && found.length === 0;
    if (!isNone || !review.layout.isSince.value || !isTextHidden(review.files(), query)) return;
    review.opening.showSince(false);
  });
  return (
    <search class="search">
      <input
        id={SEARCH_ID}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={texts.label}
        aria-label={texts.label}
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      {query !== "" && (
        <span class="found" role="status">
          {left.value > 0
            ? texts.reading(left.value)
            : found.length === 0
              ? texts.none
              : texts.count(at + 1, found.length)}
        </span>
      )}
    </search>
  );
}
