import { toVisibleText } from "../../../../core/visible-text.ts";
import { Figures, PathName, toSize } from "../../../figures/figures.tsx";
import type { Drawn } from "../../../heights/heights.ts";
import type { Page } from "../../../page/page.ts";
import { type LinePlace, renderPlace } from "../../../route.ts";
import { type Texts, wordFor } from "../../../texts/texts.ts";
import { CommentRow, extendToRow, markedIn } from "../comment/comment.tsx";
import { hasRows } from "../file-facts.ts";
import { ImagePair } from "../image-view.tsx";
import { charsShown, hasLines, type Review, type ReviewFile } from "../model/model.ts";
import type { PaneHolder } from "../pane.ts";
import { nameOf } from "../person/person.ts";
import { FileRevision, HunkHead } from "../revise-view.tsx";
import { renderRow } from "../row/row.tsx";
import { SeenBox } from "../seen-view.tsx";

/** So many lines a fold opens at each press. */
const FOLD_STEP = 20;

/** One file: its head, and those of its rows that are to be drawn. */
export function FileSection({
  page,
  review,
  number,
  pane,
  drawn,
  current,
  chosen,
}: {
  readonly page: Page;
  readonly review: Review;
  readonly number: number;
  readonly pane: PaneHolder;
  readonly drawn: Drawn;
  readonly current: number;
  /** The rows that are selected, and of which side alone. */
  readonly chosen: Chosen | undefined;
}) {
  const texts = page.texts.value;
  const file = review.files()[number];
  if (!file) return null;
  const { entry, isOpen } = file;
  const path = toVisibleText(entry.path);
  const old = entry.old && toVisibleText(entry.old.path);
  const { isPicture } = file;
  const hasBody = isPicture || hasLines(file) || file.laid.rows.length > 0;
  return (
    <section
      class={`file-section ${current === -1 ? "current" : ""}`}
      aria-label={path}
      data-section={number}
    >
      <header class="file-head">
        <button
          type="button"
          class="file-toggle"
          aria-expanded={isOpen && hasBody}
          aria-label={isOpen ? texts.file.shut(path) : texts.file.open(path)}
          disabled={!hasBody}
          onClick={() => review.opening.toggle(number)}
        >
          <span class={`arrow ${isOpen && hasBody ? "open" : ""}`} />
        </button>
        <span class="file-path" title={old === undefined ? path : `${old} → ${path}`}>
          {/* The box is cut at its beginning; what is in it is read from left to right. */}
          <bdi dir="ltr">
            {old !== undefined && (
              <>
                <PathName path={entry.old?.path ?? ""} />{" "}
                <span role="img" aria-label={texts.file.becomes}>
                  →
                </span>{" "}
              </>
            )}
            <PathName path={entry.path} />
          </bdi>
        </span>
        {entry.kind !== "update" && (
          <span class={`tag ${entry.kind}`}>{kindOf(entry.kind, texts)}</span>
        )}
        {entry.generated && <span class="tag">{texts.file.generated}</span>}
        {entry.since !== undefined && review.layout.isSince.value && (
          <span class="tag">{wordFor(texts.since, entry.since, entry.since)}</span>
        )}
        <span class="file-note">{noteOf(file, texts)}</span>
        {entry.added + entry.removed > 0 && (
          <Figures texts={texts} added={entry.added} removed={entry.removed} />
        )}
        {file.isDrawing && (
          <button
            type="button"
            class="tool word"
            aria-pressed={isPicture}
            aria-label={texts.file.picture(path)}
            onClick={() => review.opening.showPicture(number, !isPicture)}
          >
            {texts.file.asPicture}
          </button>
        )}
        <SeenBox page={page} review={review} number={number} file={file} />
        <FileRevision texts={texts} review={review} file={file} />
      </header>
      {isOpen && isPicture && <ImagePair texts={texts} source={review.source} file={file} />}
      {isOpen && hasRows(file) && (
        <div
          class="body"
          data-file={number}
          onMouseDown={keepSelection}
          onClick={(event) => onBodyClick(event, { page, review, number, pane })}
        >
          <div class="space" style={{ height: `${drawn.above}px` }} />
          {bodyOf({ page, review, drawn, current, chosen }, number)}
          {!isMessage(file) && <div class="space" style={{ height: `${drawn.below}px` }} />}
        </div>
      )}
    </section>
  );
}

interface Chosen {
  readonly rows: readonly [from: number, to: number];
  readonly side: "L" | "R" | undefined;
}

function isBetween(row: number, [from, to]: Chosen["rows"]): boolean {
  return from <= row && row <= to;
}

/** A line stands where its rows would. */
function isMessage({ content, laid }: ReviewFile): boolean {
  return content.kind === "failed" || (content.kind === "ready" && laid.rows.length === 0);
}

interface OfBody {
  readonly page: Page;
  readonly review: Review;
  readonly drawn: Drawn;
  readonly current: number;
  readonly chosen: Chosen | undefined;
}

function bodyOf({ page, review, drawn, current, chosen }: OfBody, at_: number) {
  const texts = page.texts.value;
  const file = review.files()[at_];
  if (!file) return null;
  const { content } = file;
  const comments = { mayWrite: review.person.mayRevise(), isMarked: markedIn(review, at_) };
  if (content.kind === "failed") {
    const reason = toVisibleText(content.message);
    return (
      <p class="file-message bad">
        {texts.file.failed(reason)}
        <button type="button" class="more" onClick={() => void review.source.retry()}>
          {texts.again}
        </button>
      </p>
    );
  }
  if (content.kind === "ready" && file.laid.rows.length === 0) {
    return <p class="file-message">{texts.file.noLines}</p>;
  }
  return file.laid.rows.slice(drawn.from, drawn.to).map((row, at) => {
    const number = drawn.from + at;
    if (row.kind === "hunk") {
      return (
        <HunkHead
          key={`h${row.hunk}`}
          texts={texts}
          review={review}
          file={file}
          row={row}
          at={number}
        />
      );
    }
    if (row.kind === "comment") {
      return <CommentRow key={row.key} texts={texts} review={review} of={row.of} row={number} />;
    }
    return renderRow(row, {
      comments,
      number,
      isCurrent: number === current,
      chosen: chosen && isBetween(number, chosen.rows) ? (chosen.side ?? "all") : undefined,
      side: review.position.stretch()?.side,
      query: review.position.query.value,
      shownChars: charsShown(file, row),
      texts,
      colors: file.colors,
    });
  });
}

interface Pressed {
  readonly page: Page;
  readonly review: Review;
  readonly number: number;
  readonly pane: PaneHolder;
}

/** With Shift a press on a number goes on to that line: the browser would select all text up to there. */
function keepSelection(event: MouseEvent): void {
  const isNumber = event.target instanceof HTMLElement && event.target.matches(".num");
  if (event.shiftKey && isNumber) event.preventDefault();
}

/** One listener for all rows: what was pressed says by its data what it is for. */
function onBodyClick(event: MouseEvent, { page, review, number, pane }: Pressed): void {
  if (!(event.target instanceof HTMLElement)) return;
  const { target } = event;
  const row = Number(target.closest<HTMLElement>("[data-row]")?.dataset["row"]);
  const { open, more, n, side } = target.dataset;
  const file = review.files()[number];
  const at = file?.laid.rows[row];
  if (!file || !at) return;
  if (open !== undefined && at.kind === "fold") {
    const opened = {
      top: { top: FOLD_STEP },
      bottom: { bottom: FOLD_STEP },
      all: { top: at.hidden },
    }[open];
    if (opened) review.opening.openFold(number, at.fold, opened);
  } else if (more !== undefined) review.opening.showLonger(number, row);
  else if (n !== undefined && (side === "L" || side === "R")) {
    if (event.shiftKey && review.person.mayRevise()) {
      pane.current?.hold({ file: number, row });
      const only = target instanceof HTMLButtonElement ? side : undefined;
      const lines = extendToRow(review, { file: number, row }, only);
      if (lines) return review.opening.comment(lines);
    }
    review.position.goTo({ file: number, row }, { side, line: Number(n) });
    const { entry } = file;
    const place: LinePlace = {
      file: side === "L" ? (entry.old?.n ?? entry.n) : entry.n,
      side,
      line: Number(n),
    };
    page.nav.name(renderPlace(place));
    page.view.said.value = "";
    if (target instanceof HTMLButtonElement) {
      const own = side === "L" ? "before" : "after";
      review.opening.comment({ path: nameOf(entry, own), line: Number(n), side: own });
    }
  }
}

function kindOf(kind: string, texts: Texts): string {
  return wordFor(texts.file, kind, kind);
}

/** What is to be said of a file beside its lines. */
function noteOf(file: ReviewFile, texts: Texts): string {
  const { binary, size_before, size_after, mode_before, mode_after, added, removed } = file.entry;
  const size = (bytes: number | undefined) =>
    bytes === undefined ? texts.file.nothing : toSize(bytes, texts.language);
  const notes = [
    binary ? texts.file.binary(size(size_before), size(size_after)) : "",
    mode_before !== undefined && mode_after !== undefined && mode_before !== mode_after
      ? texts.file.mode(mode_before, mode_after)
      : "",
    !file.isOpen && hasLines(file) ? texts.file.closed(added + removed) : "",
  ];
  return notes.filter((note) => note !== "").join(" · ");
}
