import type { ComponentChildren } from "preact";
import { type Line, type Row, wordRanges } from "../diff/diff.ts";
import type { Texts } from "../texts/texts.ts";
import { toPieces } from "./marks.ts";
import { FIRST_CHARS } from "./model.ts";

/** What a row shows beside what it is. */
export interface RowOptions {
  readonly number: number;
  readonly isCurrent: boolean;
  readonly query: string;
  /** How many characters of a long line are shown. */
  readonly shownChars: number;
  readonly texts: Texts;
}

/** A row of the review: plain elements, since hundreds of them come and go while somebody scrolls. */
export function renderRow(row: Row, options: RowOptions) {
  const { number, isCurrent, texts } = options;
  const current = isCurrent ? " current" : "";
  if (row.kind === "fold") {
    return (
      <div key={number} class={`fold${current}`} data-row={number} tabIndex={-1}>
        <span class="fold-buttons">
          {row.isKnown && row.hasAbove && (
            <button type="button" data-open="top" title={texts.fold.up} aria-label={texts.fold.up}>
              ↓
            </button>
          )}
          {row.isKnown && row.hasBelow && (
            <button
              type="button"
              data-open="bottom"
              title={texts.fold.down}
              aria-label={texts.fold.down}
            >
              ↑
            </button>
          )}
        </span>
        {row.isKnown ? (
          <button type="button" data-open="all" title={texts.fold.all}>
            {texts.fold.lines(row.hidden)}
          </button>
        ) : (
          <span>{texts.fold.lines(row.hidden)}</span>
        )}
      </div>
    );
  }
  if (row.kind === "line") {
    const { line } = row;
    return (
      <div key={number} class={`row ${line.kind}${current}`} data-row={number} tabIndex={-1}>
        <span class="num" data-n={line.old} data-side="L" />
        <span class="num" data-n={line.new} data-side="R" />
        {renderText(line, row.other, options)}
      </div>
    );
  }
  const { left, right, isRevised } = row.pair;
  const isSame = left?.kind === "same";
  return (
    <div key={number} class={`row pair${current}`} data-row={number} tabIndex={-1}>
      <span class={`num ${left?.kind ?? "none"}`} data-n={left?.old} data-side="L" />
      {left ? renderText(left, isRevised ? right : undefined, options) : <span class="text none" />}
      <span class={`num ${right?.kind ?? "none"}`} data-n={right?.new} data-side="R" />
      {right ? (
        renderText(right, isRevised ? left : undefined, options, isSame)
      ) : (
        <span class="text none" />
      )}
    </div>
  );
}

/** The text of a line; who hears it gets what it is before it, and its number at the end. */
function renderText(line: Line, other: Line | undefined, options: RowOptions, isTwin = false) {
  const { texts, query, shownChars, number } = options;
  const isLong = line.text.length > shownChars;
  const text = isLong ? line.text.slice(0, shownChars) : line.text;
  const changed = isLong || shownChars > FIRST_CHARS ? [] : wordRanges(line, other);
  const what =
    line.kind === "add" ? texts.line.added : line.kind === "del" ? texts.line.removed : "";
  const at = texts.line.at(line.new ?? line.old ?? 0);
  return (
    <span
      class={`text ${line.kind}`}
      aria-hidden={isTwin ? "true" : undefined}
      data-what={what === "" ? undefined : `${what}: `}
      data-at={`, ${at}`}
    >
      {toPieces(text, changed, query).map(renderPiece)}
      {line.isOpenEnd && <span class="open-end">{texts.line.openEnd}</span>}
      {isLong && (
        <button type="button" class="more" data-more={number}>
          {texts.line.more(line.text.length - shownChars)}
        </button>
      )}
    </span>
  );
}

function renderPiece({ text, isChanged, isFound, isHidden }: ReturnType<typeof toPieces>[number]) {
  let shown: ComponentChildren = text;
  if (isHidden) shown = <b class="hidden-sign">{shown}</b>;
  if (isFound) shown = <mark>{shown}</mark>;
  if (isChanged) shown = <span class="word">{shown}</span>;
  return shown;
}
