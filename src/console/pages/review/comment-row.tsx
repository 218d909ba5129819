import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Review } from "./model/model.ts";
import { type Place, placeKey } from "./person/person.ts";

/** What is said of a place: by the person before, and what they are about to say. */
export function CommentRow({
  texts,
  review,
  place,
  row,
}: {
  readonly texts: Texts;
  readonly review: Review;
  readonly place: Place;
  /** Its row, where it has one. */
  readonly row?: number;
}) {
  const { comments } = review.person;
  const key = placeKey(place);
  const said = review.person.said().filter((each) => placeKey(each) === key);
  const isOpen = comments.open.value.has(key);
  return (
    <div class="comment-row" data-row={row}>
      {said.map(({ text, was_line: was }, at) => (
        <div key={at} class="said-before">
          <span class="quiet">
            {was === undefined ? texts.comment.said : texts.comment.saidAt(was)}
          </span>
          <pre class="wrap">{toVisibleText(text)}</pre>
        </div>
      ))}
      {isOpen && <CommentBox texts={texts} review={review} place={place} />}
    </div>
  );
}

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
  const { comments } = review.person;
  const key = placeKey(place);
  const box = useRef<HTMLTextAreaElement>(null);
  const said = comments.all.value.find((each) => placeKey(each) === key);
  const kept = said?.text ?? "";
  // As long as nothing is written, only this box knows.
  const [isTurned, setTurned] = useState(false);
  const instead = kept === "" ? isTurned : said?.instead === true;
  const line = lineAt(review, place);
  const label = instead ? texts.instead(place.line ?? 0) : labelOf(place, texts);
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
    review.layout.relay();
  };
  const write = (text: string, isInstead: boolean) =>
    comments.write({ ...place, text, ...(isInstead && { instead: true }) });
  /** What was typed stays; an empty box begins with the line. */
  const turn = () => {
    const area = box.current;
    if (!area) return;
    if (!instead && area.value === "") area.value = line ?? "";
    else if (instead && area.value === line) area.value = "";
    setTurned(!instead);
    write(area.value, !instead);
    area.focus();
  };
  return (
    <div class="comment-box">
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
        onBlur={() => void comments.flush()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          if (event.currentTarget.value === "") close();
          else event.currentTarget.blur();
        }}
      />
      {line !== undefined && (
        <button type="button" class="act other" aria-pressed={instead} onClick={turn}>
          {texts.writeLine}
        </button>
      )}
      <button type="button" class="act other" aria-label={texts.dropOf(label)} onClick={close}>
        {texts.drop}
      </button>
    </div>
  );
}

/** A line as the change leaves it, which may be written anew; undefined: it is none. */
function lineAt(review: Review, { path, side, line }: Place): string | undefined {
  if (side !== "after" || line === undefined) return undefined;
  const content = review.files().find(({ entry }) => entry.path === path)?.content;
  if (content?.kind !== "ready") return undefined;
  return content.texts.after?.split("\n")[line - 1]?.replace(/\r$/u, "");
}

/** The daemon takes no more of one comment. */
const MOST_CHARS = 10_000;

function labelOf({ path, side, line }: Place, texts: Texts["comment"]): string {
  if (path === undefined) return texts.onAll;
  if (line === undefined) return texts.onFile(toVisibleText(path));
  return side === "before" ? texts.onOldLine(line) : texts.onLine(line);
}
