import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Page } from "../../page.ts";
import type { Review } from "./model.ts";
import { type Place, placeKey } from "./person/person.ts";

/** What is said of a place: by the person before, and what they are about to say. */
export function CommentRow({
  page,
  review,
  place,
  row,
}: {
  readonly page: Page;
  readonly review: Review;
  readonly place: Place;
  /** Its row, where it has one. */
  readonly row?: number;
}) {
  const texts = page.texts.value.comment;
  const { comments } = review;
  const key = placeKey(place);
  const said = review.said().filter((each) => placeKey(each) === key);
  const isOpen = comments.open.value.has(key);
  return (
    <div class="comment-row" data-row={row}>
      {said.map(({ text, was_line: was }, at) => (
        <div key={at} class="said-before">
          <span class="quiet">{was === undefined ? texts.said : texts.saidAt(was)}</span>
          <pre class="wrap">{toVisibleText(text)}</pre>
        </div>
      ))}
      {isOpen && <CommentBox page={page} review={review} place={place} />}
    </div>
  );
}

/** A box for what somebody is about to say of a place; what is typed is never written over. */
export function CommentBox({
  page,
  review,
  place,
}: {
  readonly page: Page;
  readonly review: Review;
  readonly place: Place;
}) {
  const texts = page.texts.value.comment;
  const { comments } = review;
  const key = placeKey(place);
  const box = useRef<HTMLTextAreaElement>(null);
  const kept = comments.all.value.find((each) => placeKey(each) === key)?.text ?? "";
  const first = useMemo(() => kept, []);
  useLayoutEffect(() => {
    if (comments.wanted !== key) return;
    comments.wanted = undefined;
    box.current?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const area = box.current;
    // From another window; never under the hands.
    if (area && document.activeElement !== area && area.value !== kept) area.value = kept;
  }, [kept]);
  const close = () => {
    comments.write({ ...place, text: "" });
    comments.show(place, false);
    review.relay();
  };
  return (
    <div class="comment-box">
      <textarea
        ref={box}
        rows={3}
        maxLength={MOST_CHARS}
        aria-label={labelOf(place, texts)}
        placeholder={labelOf(place, texts)}
        defaultValue={first}
        onInput={({ currentTarget: area }) => {
          const before = area.offsetHeight;
          comments.write({ ...place, text: area.value });
          if (area.offsetHeight !== before) review.bump();
        }}
        onBlur={() => void comments.flush()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          if (event.currentTarget.value === "") close();
          else event.currentTarget.blur();
        }}
      />
      <button
        type="button"
        class="act other"
        aria-label={texts.dropOf(labelOf(place, texts))}
        onClick={close}
      >
        {texts.drop}
      </button>
    </div>
  );
}

/** The daemon takes no more of one comment. */
const MOST_CHARS = 10_000;

function labelOf({ path, side, line }: Place, texts: Page["texts"]["value"]["comment"]): string {
  if (path === undefined) return texts.onAll;
  if (line === undefined) return texts.onFile(toVisibleText(path));
  return side === "before" ? texts.onOldLine(line) : texts.onLine(line);
}
