import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Line, Row } from "../../diff/diff.ts";
import { Figures, PathName } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { wordFor } from "../../texts/texts.ts";
import { CommentRow, markedIn } from "./comment/comment.tsx";
import { hasRows } from "./file-facts.ts";
import { elementAt, FilesView, type PaneHolder } from "./files-view/files-view.tsx";
import { ImagePair } from "./image-view.tsx";
import {
  charsShown,
  hasLines,
  type LineOf,
  linesIn,
  type Review,
  type ReviewFile,
} from "./model/model.ts";
import { FileRevision, HunkHead } from "./revise-view.tsx";
import { SeenBox } from "./seen-view.tsx";

interface OfReview {
  readonly page: Page;
  readonly review: Review;
  readonly holder: PaneHolder;
  readonly children?: ComponentChildren;
}

/** The files as a person wants to read them: as a picture of code, or as a text. */
export function Files(props: OfReview) {
  return props.page.view.isReading.value ? <ReadingView {...props} /> : <FilesView {...props} />;
}

/** So many lines of a file are there at first, and so many more at each press. */
const STEP = 1000;

/**
 * All files as one text for who has it read out: what a line is comes before it and its number
 * behind it, each file and each change has a heading, and what is open is there as a whole, since
 * who reads so does not scroll.
 */
function ReadingView({ page, review, holder, children }: OfReview) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useSignal<ReadonlyMap<number, number>>(new Map());
  const wanted = useRef<"focus" | "quiet" | undefined>(undefined);
  void review.layout.version.value;
  const files = review.files();
  useLayoutEffect(() => {
    if (!review.layout.isSplit.value) return;
    review.layout.isSplit.value = false;
    review.layout.relay();
  }, [review, review.layout.isSplit.value]);
  useEffect(() => {
    for (const [at, file] of files.entries()) {
      if (file.isOpen && hasLines(file) && file.content.kind === "none")
        void review.source.loadFile(at);
    }
  });
  const more = (file: number, least: number) => {
    if (least > (shown.value.get(file) ?? STEP)) {
      shown.value = new Map(shown.value).set(file, Math.ceil(least / STEP) * STEP);
    }
  };
  const lead = () => {
    const how = wanted.current;
    const cursor = how && review.position.cursor();
    const target = cursor && elementAt(box.current, cursor);
    if (!target) return;
    wanted.current = undefined;
    if (how === "focus") target.focus();
    else target.scrollIntoView({ block: "center" });
  };
  holder.current = {
    show(cursor, how = "focus") {
      review.position.goTo(cursor);
      more(cursor.file, cursor.row + 1);
      wanted.current = how;
      lead();
    },
    reveal(cursor, how = "quiet") {
      if (how === "focus") this.show(cursor);
      else elementAt(box.current, cursor)?.scrollIntoView({ block: "nearest" });
    },
    first: () => undefined, // all of it is there
    hold() {}, // nothing is pressed here by which lines move
  };
  useLayoutEffect(lead);
  return (
    <div class="scroller reading" ref={box} role="region" aria-label={page.texts.value.showChanges}>
      {children}
      {files.map((file, at) => (
        <ReadFile
          key={file.entry.n}
          page={page}
          review={review}
          file={file}
          number={at}
          shown={shown.value.get(at) ?? STEP}
          onMore={() => more(at, (shown.value.get(at) ?? STEP) + 1)}
        />
      ))}
    </div>
  );
}

interface OfFile {
  readonly page: Page;
  readonly review: Review;
  readonly file: ReviewFile;
  readonly number: number;
}

function ReadFile(props: OfFile & { readonly shown: number; readonly onMore: () => void }) {
  const { page, review, file, number, shown, onMore } = props;
  const texts = page.texts.value;
  const { entry, isOpen, isPicture, content } = file;
  const { rows } = file.laid;
  const path = toVisibleText(entry.path);
  const hasBody = isPicture || hasLines(file) || rows.length > 0;
  const isShown = isOpen && hasRows(file);
  const left = rows.length - shown;
  const isMarked = markedIn(review, number);
  return (
    <section class="read-file" aria-label={path} data-section={number}>
      <h2>
        <button
          type="button"
          class="file-toggle"
          aria-expanded={isOpen && hasBody}
          disabled={!hasBody}
          onClick={() => review.opening.toggle(number)}
        >
          {entry.old && (
            <>
              <PathName path={entry.old.path} /> →{" "}
            </>
          )}
          <PathName path={entry.path} />
        </button>
      </h2>
      <p class="item-facts">
        {entry.kind !== "update" && <span>{wordFor(texts.file, entry.kind, entry.kind)}</span>}
        {entry.generated && <span>{texts.file.generated}</span>}
        <Figures texts={texts} added={entry.added} removed={entry.removed} />
        <SeenBox page={page} review={review} number={number} file={file} />
        <FileRevision texts={texts} review={review} file={file} />
      </p>
      {isOpen && isPicture && <ImagePair texts={texts} source={review.source} file={file} />}
      {isOpen && !isPicture && content.kind === "failed" && (
        <p class="file-message bad">{texts.file.failed(toVisibleText(content.message))}</p>
      )}
      {isOpen && content.kind === "ready" && rows.length === 0 && <p>{texts.file.noLines}</p>}
      {isShown && rows.slice(0, shown).map((row, at) => readRow(props, row, at, isMarked))}
      {isShown && left > 0 && (
        <button type="button" class="act other" onClick={onMore}>
          {texts.reading.more(Math.min(left, STEP))}
        </button>
      )}
    </section>
  );
}

function readRow(
  { page, review, file, number }: OfFile,
  row: Row,
  at: number,
  isMarked: (line: LineOf) => boolean,
) {
  const texts = page.texts.value;
  switch (row.kind) {
    case "hunk":
      return <HunkHead key={at} texts={texts} review={review} file={file} row={row} at={at} />;
    case "comment":
      return <CommentRow key={row.key} texts={texts} review={review} of={row.of} row={at} />;
    case "fold":
      return (
        <p key={at} data-row={at} tabIndex={-1}>
          <button
            type="button"
            class="more"
            disabled={!row.isKnown}
            onClick={() => review.opening.openFold(number, row.fold, { top: row.hidden })}
          >
            {texts.fold.lines(row.hidden)}
          </button>
        </p>
      );
    case "line": {
      const change = file.laid.rows.some(({ kind }) => kind === "hunk")
        ? -1
        : file.laid.starts.indexOf(at);
      return [
        change >= 0 && <h3 key={`h${at}`}>{texts.leave.hunk(change + 1)}</h3>,
        <p
          key={at}
          class={`read-line ${row.line.kind} ${linesIn(row).some(isMarked) ? "marked" : ""}`}
          data-row={at}
          tabIndex={-1}
          onFocus={() => review.position.goTo({ file: number, row: at })}
        >
          <ReadLine
            page={page}
            review={review}
            file={file}
            number={number}
            line={row.line}
            at={at}
          />
        </p>,
      ];
    }
    case "pair":
      return null; // they are laid one below the other in a moment
    default:
      return row satisfies never;
  }
}

function ReadLine(props: OfFile & { readonly line: Line; readonly at: number }) {
  const { page, review, file, number, line, at } = props;
  const { line: texts, reading } = page.texts.value;
  const shown = charsShown(file, file.laid.rows[at]);
  const left = line.text.length - shown;
  const words = toVisibleText(left > 0 ? line.text.slice(0, shown) : line.text);
  const what = { add: texts.added, del: texts.removed, same: "" }[line.kind];
  return (
    <>
      {what !== "" && <span class="read-what">{what}: </span>}
      <code>{words.trim() === "" ? <span class="quiet">{reading.blank}</span> : words}</code>
      {line.isOpenEnd && <span class="quiet"> {texts.openEnd}</span>}
      {left > 0 && (
        <button type="button" class="more" onClick={() => review.opening.showLonger(number, at)}>
          {texts.more(left)}
        </button>
      )}
      <span class="read-at">, {texts.at(line.new ?? line.old ?? 0)}</span>
    </>
  );
}
