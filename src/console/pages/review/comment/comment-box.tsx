import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { toVisibleText } from "../../../../core/visible-text.ts";
import type { Texts } from "../../../texts/texts.ts";
import { type Cursor, linesAt, type Review } from "../model/model.ts";
import { elementAt } from "../pane.ts";
import { MOST_CHARS, type Place, placeKey } from "../person/person.ts";
import { CommentLines } from "./comment-lines.tsx";
import { goToBox } from "./extend.ts";

/** A box for what somebody is about to say of a place; what is typed is never written over. */
export function CommentBox({
  texts: { comment: texts },
  review,
  place,
}: {
  readonly texts: Texts;
  readonly review: Review;
  readonly place: Place;
}) {
  const { comments, mayLook } = review.person;
  // What was answered takes no words any more; those that are there can be read, and let go.
  const isOver = !mayLook();
  const key = placeKey(place);
  const box = useRef<HTMLTextAreaElement>(null);
  const said = comments.all.value.find((each) => placeKey(each) === key);
  const kept = said?.text ?? "";
  // As long as nothing is written, only this box knows.
  const [isTurned, setTurned] = useState(false);
  const instead = kept === "" ? isTurned : said?.instead === true;
  const lines = linesAt(review.files(), place);
  const label = labelOf(place, instead, texts);
  const first = useMemo(() => kept, []);
  const isFresh = useRef(true);
  useLayoutEffect(() => {
    const area = box.current;
    // From another window, or joined to it; never under the hands, which go on with the lines it is of.
    const isFree = document.activeElement !== area || (instead && kept === lines);
    if (area && isFree && area.value !== kept) area.value = kept;
  }, [kept]);
  useLayoutEffect(() => {
    if (comments.wanted !== key) return;
    comments.wanted = undefined;
    box.current?.focus({ preventScroll: true });
    // One that has just come, with its words, is gone on with at their end.
    if (isFresh.current) box.current?.setSelectionRange(first.length, first.length);
  });
  const isElsewhere = comments.elsewhere.value.has(key);
  const isFull = kept.length >= MOST_CHARS;
  useLayoutEffect(() => {
    if (!isFresh.current) review.layout.bump(); // it has another height by what it says
  }, [isElsewhere, isFull, isOver]);
  useLayoutEffect(() => {
    isFresh.current = false;
    return () => comments.release(place);
  }, []);
  const write = (text: string, isInstead: boolean) =>
    comments.write({ ...place, text, ...(isInstead && { instead: true }) });
  /** Whoever leaves the box is at what it is about, and goes on from there. */
  const lead = () => {
    const pane = box.current?.closest<HTMLElement>(".scroller") ?? null;
    const cursor = place.path === undefined ? undefined : review.position.cursor();
    const target = cursor && elementAt(pane, place.line === undefined ? headOf(cursor) : cursor);
    (target ?? pane)?.focus({ preventScroll: true });
  };
  const close = () => {
    comments.write({ ...place, text: "" });
    void comments.flush();
    comments.show(place, false);
    review.layout.relay();
  };
  /** What was typed stays; an empty box begins with the lines. */
  const turn = () => {
    const area = box.current;
    if (!area) return;
    if (!instead && area.value === "") area.value = lines ?? "";
    else if (instead && area.value === lines) area.value = "";
    setTurned(!instead);
    write(area.value, !instead);
    area.focus();
  };
  return (
    <div class="comment-box" onFocusCapture={() => goToBox(review, place)}>
      {place.line !== undefined && <CommentLines texts={texts} review={review} place={place} />}
      <textarea
        ref={box}
        class={instead ? "verbatim" : ""}
        rows={3}
        maxLength={MOST_CHARS}
        aria-label={label}
        placeholder={label}
        defaultValue={first}
        onInput={({ currentTarget: area }) => {
          const before = area.offsetHeight;
          write(area.value, instead);
          if (area.offsetHeight !== before) review.layout.bump();
        }}
        readOnly={isOver}
        onFocus={() => comments.hold(place)}
        onBlur={() => {
          comments.release(place);
          void comments.flush();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          lead();
          if (event.currentTarget.value === "") close();
        }}
      />
      {isElsewhere && (
        <p class="quiet" role="status">
          {texts.elsewhere}{" "}
          <button type="button" class="act other" onClick={() => comments.takeThose(place)}>
            {texts.takeThose}
          </button>
        </p>
      )}
      {isFull && (
        <p class="quiet" role="status">
          {texts.full(MOST_CHARS)}
        </p>
      )}
      {!isOver && (lines !== undefined || instead) && (
        <button type="button" class="act other" aria-pressed={instead} onClick={turn}>
          {place.to === undefined ? texts.writeLine : texts.writeLines}
        </button>
      )}
      <button type="button" class="act other" aria-label={texts.dropOf(label)} onClick={close}>
        {texts.drop}
      </button>
    </div>
  );
}

function headOf({ file }: Cursor): Cursor {
  return { file, row: -1 };
}

function labelOf(
  { path, side, line, to }: Place,
  instead: boolean,
  texts: Texts["comment"],
): string {
  if (path === undefined) return texts.onAll;
  if (line === undefined) return texts.onFile(toVisibleText(path));
  if (to === undefined) {
    if (instead) return texts.instead(line);
    return side === "before" ? texts.onOldLine(line) : texts.onLine(line);
  }
  if (instead) return texts.insteadOf(line, to);
  return side === "before" ? texts.onOldLines(line, to) : texts.onLines(line, to);
}
