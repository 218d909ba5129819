import type { ComponentChildren } from "preact";
import { type FileColors, KINDS } from "../../../colors/colors.ts";
import { type Line, type Row, wordRanges } from "../../../diff/diff.ts";
import type { Texts } from "../../../texts/texts.ts";
import { FIRST_CHARS, type LineOf } from "../model/model.ts";
import { type Piece, syntaxOf, toPieces } from "./marks.ts";

/** What a row shows beside what it is. */
export interface RowOptions {
  readonly number: number;
  readonly isCurrent: boolean;
  /** It is selected: as a whole, or a side of it. */
  readonly chosen?: LineOf["side"] | "all" | undefined;
  /** Of the current row the side on which somebody is. */
  readonly side?: LineOf["side"] | undefined;
  readonly query: string;
  /** How many characters of a long line are shown. */
  readonly shownChars: number;
  readonly isOldSide?: boolean;
  readonly texts: Texts;
  /** Of the whole file, as soon as there are any. */
  readonly colors: FileColors | undefined;
  readonly comments: RowComments;
}

/** What may be said of lines, and was. */
export interface RowComments {
  /** Each line has a button to say something of it. */
  readonly mayWrite: boolean;
  readonly isMarked: (line: LineOf) => boolean;
}

/** A row of the review: plain elements, since hundreds of them come and go while somebody scrolls. */
export function renderRow(row: Row, options: RowOptions) {
  const { number, isCurrent, texts } = options;
  const chosen = options.chosen === undefined ? "" : ` chosen ${options.chosen}`;
  const current = `${isCurrent ? " current" : ""}${chosen}`;
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
        {renderNumber("L", line.old, line.kind === "del", "", options)}
        {renderNumber("R", line.new, line.kind !== "del", "", options)}
        {renderText(line, row.other, options)}
      </div>
    );
  }
  if (row.kind !== "pair") return null; // what is no line is drawn by who knows what it is
  const { left, right, isRevised } = row.pair;
  const isSame = left?.kind === "same";
  return (
    <div key={number} class={`row pair${current}`} data-row={number} tabIndex={-1}>
      {renderNumber("L", left?.old, left?.kind === "del", left?.kind ?? "none", options)}
      {left ? (
        renderText(left, isRevised ? right : undefined, { ...options, isOldSide: true })
      ) : (
        <span class="text none" />
      )}
      {renderNumber("R", right?.new, right !== undefined, right?.kind ?? "none", options)}
      {right ? (
        renderText(right, isRevised ? left : undefined, options, isSame)
      ) : (
        <span class="text none" />
      )}
    </div>
  );
}

/** The number of a line; where something may be said of it, the button for that. */
function renderNumber(
  side: "L" | "R",
  line: number | undefined,
  isOwn: boolean,
  kind: string,
  { comments: { mayWrite, isMarked }, texts, isCurrent, side: own }: RowOptions,
) {
  const here = isCurrent && side === own ? " here" : "";
  const marked = (line !== undefined && isMarked({ side, line }) ? " marked" : "") + here;
  const isButton = mayWrite && isOwn && line !== undefined;
  if (!isButton) return <span class={`num ${kind}${marked}`} data-n={line} data-side={side} />;
  const { onLine, onOldLine } = texts.comment;
  const label = side === "L" ? onOldLine(line) : onLine(line);
  return (
    <button
      type="button"
      class={`num ${kind}${marked}`}
      data-n={line}
      data-side={side}
      tabIndex={-1}
      aria-label={label}
    />
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
  // On its old side a line has the colours of the file as it was.
  const isOld = line.kind === "del" || (line.kind === "same" && options.isOldSide === true);
  const syntax = isOld
    ? syntaxOf(options.colors?.before, line.old)
    : syntaxOf(options.colors?.after, line.new);
  const at = texts.line.at(line.new ?? line.old ?? 0);
  return (
    <span
      class={`text ${line.kind}`}
      aria-hidden={isTwin ? "true" : undefined}
      data-what={what === "" ? undefined : `${what}: `}
      data-at={`, ${at}`}
    >
      {toPieces(text, changed, query, syntax).map(renderPiece)}
      {line.isOpenEnd && <span class="open-end">{texts.line.openEnd}</span>}
      {isLong && (
        <button type="button" class="more" data-more={number}>
          {texts.line.more(line.text.length - shownChars)}
        </button>
      )}
    </span>
  );
}

function renderPiece({ text, isChanged, isFound, isHidden, syntax }: Piece) {
  let shown: ComponentChildren = text;
  if (isHidden) shown = <b class="hidden-sign">{shown}</b>;
  if (isFound) shown = <mark>{shown}</mark>;
  const kind = KINDS[isHidden ? 0 : syntax] ?? "plain";
  const color = kind === "plain" || text.trim() === "" ? "" : ` k-${kind}`;
  if (isChanged || color !== "")
    shown = <span class={`${isChanged ? "word" : ""}${color}`}>{shown}</span>;
  return shown;
}
