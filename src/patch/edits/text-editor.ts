import type { HunkNote } from "../../texts/notes/notes.ts";
import { foldLine } from "../lines/lines.ts";
import type { PlacedHunk } from "../patch-result.ts";
import { blockEnd } from "../places/places.ts";
import { applyEdit, type ChosenAnchor, type EditMatch } from "./apply-edit.ts";
import type { Edit } from "./edit.ts";
import type { EditFault } from "./edit-fault.ts";
import { createView, type EditView } from "./edit-view.ts";
import { CUT, FOLDED } from "./find-anchor.ts";
import { type FlatText, findSpans, lineAt, toFlat } from "./flat-text.ts";
import { createNeedles, isShort } from "./needles.ts";
import { PieceIndex, type PiecePlace } from "./piece-index.ts";
import { cutIntoPieces, MOST_REACH, mayBeCut, type Piece, replacePieces } from "./pieces.ts";

/** What became of one edit of a list. */
export type EditStep =
  | {
      readonly kind: "made";
      readonly hunk: PlacedHunk;
      readonly isChanged: boolean;
      readonly match: EditMatch;
    }
  | EditFault;

/** A text in which edits are made one after the other. */
export interface TextEditor {
  apply(edit: Edit, number: number): EditStep;
  text(): string;
}

/** With fewer edits there is nothing to gain by pieces. */
const FEW = 3;
/** So much around an edit may have a say in it. */
const MARGIN_LINES = 30;
const MARGIN_UNITS = 600;
/** So many edits are made in the whole text before all others are. */
const MOST_WHOLE = 4;
/** All blocks that are looked through together have at most so many times the length of the text. */
const MOST_BLOCKS = 2;
/** A higher `occurrence` is not looked for. */
const MOST_PLACES = 1000;

/** Makes each edit in the whole of a text. */
export function openWhole(source: EditView): TextEditor {
  let view = source;
  return {
    apply(edit, number) {
      const step = applyEdit(view, edit, number);
      if (step.kind === "fault") return step;
      const isChanged = step.view !== view;
      view = step.view;
      return { kind: "made", hunk: step.hunk, isChanged, match: step.match };
    },
    text: () => view.text.origin.source,
  };
}

/**
 * Makes each edit that is quoted as the text is, or up to layout, in a few pieces of it, so that many take time in
 * proportion to the text and the edits; the others in the whole of it.
 */
export function openEditor(source: string, edits: readonly Edit[]): TextEditor {
  const inPieces = edits.length < FEW ? undefined : createPieceEditor(source, edits);
  if (inPieces === undefined) return openWhole(createView(source, edits));
  let whole: TextEditor | undefined;
  let wholeLeft = MOST_WHOLE;
  return {
    apply(edit, number) {
      const step = whole ? undefined : inPieces.apply(edit, number);
      if (step !== undefined) return step;
      const editor = whole ?? openWhole(createView(inPieces.text(), edits));
      if (--wholeLeft < 0) whole = editor;
      const made = editor.apply(edit, number);
      if (whole === undefined && made.kind === "made") inPieces.put(editor.text());
      return made;
    },
    text: () => (whole ?? inPieces).text(),
  };
}

/** A text of pieces, in which an edit is made or not. */
interface PieceEditor {
  apply(edit: Edit, number: number): EditStep | undefined;
  put(source: string): void;
  text(): string;
}

function createPieceEditor(source: string, edits: readonly Edit[]): PieceEditor | undefined {
  if (!mayBeCut(source) || !edits.every(({ after }) => mayBeCut(` ${after}`))) return undefined;
  const anchors = new Set(edits.map(({ anchor }) => toFlat(anchor)));
  const needles = createNeedles(anchors, source);
  if (needles === undefined) return undefined;
  const index = new PieceIndex(needles, toFlat);
  const inFolded = lazy(() => {
    const forms = createNeedles(new Set([...anchors].map(foldAnchor)), source);
    return forms && new PieceIndex(forms, foldAll);
  });
  const inNew = lazy(() => {
    const texts = createNeedles(new Set(edits.map(({ after }) => toFlat(after))), source);
    return texts && new PieceIndex(texts, toFlat);
  });
  let pieces = cutIntoPieces(source);
  let unitsLeft = MOST_BLOCKS * source.length;
  return {
    apply(edit, number) {
      const found = findAnchorIn(pieces, edit, index, inFolded);
      if (found === undefined) return undefined;
      const window = windowOf(pieces, edit, found, unitsLeft);
      if (window === undefined) return undefined;
      unitsLeft -= window.more;
      const { view, chosen, range } = window;
      const step = applyEdit(view, edit, number, chosen);
      if (step.kind === "fault" || step.match === "other") return undefined;
      // Where neither is as quoted, the edit may have been made elsewhere before.
      const isDoubtful = step.match === "alike" && found.note !== undefined;
      if (isDoubtful && !isNowhere(pieces, toFlat(edit.after), inNew())) return undefined;
      const above = sumOf(pieces.slice(0, range[0]), ({ lineCount }) => lineCount);
      const isChanged = step.view !== view;
      if (isChanged) pieces = replacePieces(pieces, range, step.view.text.origin.source);
      const hunk = { ...step.hunk, line: step.hunk.line + above };
      return { kind: "made", hunk, isChanged, match: step.match };
    },
    put(renewed) {
      pieces = replacePieces(pieces, [0, pieces.length], renewed);
    },
    text: () => pieces.map((piece) => piece.source).join(""),
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function isNowhere(pieces: readonly Piece[], text: string, index: PieceIndex | undefined): boolean {
  if (index === undefined || isShort(text) || text.length > MOST_REACH) return false;
  return index.findRaw(pieces, text, 1).length === 0;
}

/** The anchor of an edit in a text of pieces; a whole line where it is not as quoted. */
interface FoundIn {
  readonly place: PiecePlace;
  readonly note?: HunkNote;
  /** Its lines, where it is only like those at the place. */
  readonly lines?: { readonly first: number; readonly count: number };
}

/** The same as in the whole text, or undefined where that has to decide. */
function findAnchorIn(
  pieces: readonly Piece[],
  { anchor, occurrence }: Edit,
  index: PieceIndex,
  inFolded: () => PieceIndex | undefined,
): FoundIn | undefined {
  const wanted = toFlat(anchor);
  const nth = occurrence ?? 1;
  if (wanted === "" || wanted.length > MOST_REACH || nth > MOST_PLACES) return undefined;
  const most = occurrence ?? 2;
  const choose = (places: readonly PiecePlace[]) =>
    occurrence === undefined && places.length > 1 ? undefined : places[nth - 1];
  const exact = index.find(pieces, wanted, most);
  if (exact.length > 0) {
    const place = choose(exact);
    return place && { place };
  }
  const form = foldAnchor(wanted);
  if (isShort(wanted) || isShort(form) || form.length > MOST_REACH) return undefined;
  const like = inFolded();
  if (like === undefined) return undefined;
  const lines = like.find(pieces, form, MOST_PLACES);
  if (lines.length === MOST_PLACES) return undefined;
  if (lines.length > 0) {
    const isOther = (one: PiecePlace, at: number) => {
      const above = lines[at - 1];
      return above?.piece !== one.piece || like.lineOf(pieces, above) !== like.lineOf(pieces, one);
    };
    // Twice in one line says no more than once.
    const place = choose(lines.filter(isOther));
    const count = form.split("\n").length;
    return place && { place, note: FOLDED, lines: { first: like.lineOf(pieces, place), count } };
  }
  const place = choose(index.findRaw(pieces, wanted, most));
  // A character that is cut in two is none.
  const isWhole = !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(wanted);
  return place && isWhole ? { place, note: CUT } : undefined;
}

/** The part of the text that has a say in an edit. */
interface EditWindow {
  readonly view: EditView;
  readonly chosen: ChosenAnchor;
  readonly range: readonly [from: number, to: number];
  /** How much was read beyond the margins. */
  readonly more: number;
}

/** The pieces that have a say in an edit, if at most so many units more than the margins suffice. */
function windowOf(
  pieces: readonly Piece[],
  edit: Edit,
  { place, note, lines }: FoundIn,
  most: number,
): EditWindow | undefined {
  const before = toFlat(edit.before);
  const reach = Math.max(before.length, edit.after.length, edit.anchor.length) + MARGIN_UNITS;
  // Up to layout the same lines may have more signs.
  const margin = { units: reach, lines: MARGIN_LINES + before.split("\n").length };
  const from = marginFrom(pieces, place.piece, -1, margin);
  let to = marginFrom(pieces, place.piece, 1, margin) + 1;
  for (let more = 0; more <= most; ) {
    const view = createView(
      pieces
        .slice(from, to)
        .map((piece) => piece.source)
        .join(""),
      [edit],
    );
    const { text } = view;
    const above = pieces.slice(from, place.piece);
    const span =
      lines === undefined
        ? startingAt(sumOf(above, ({ flatLength }) => flatLength) + place.start, edit)
        : linesOf(text, sumOf(above, ({ lineCount }) => lineCount) + lines.first, lines.count);
    const isAround =
      findSpans(text, before, Math.max(0, span.end - before.length), span.start + 1).length > 0;
    const isInside =
      blockEnd(text.origin.lines, lineAt(text, span.start)) < text.origin.lines.length;
    if (isAround || isInside || to === pieces.length) {
      return { view, chosen: { kind: "anchor", span, note }, range: [from, to], more };
    }
    const next = Math.min(pieces.length, to + (to - from));
    more += sumOf(pieces.slice(from, next), ({ flatLength }) => flatLength);
    to = next;
  }
  return undefined;
}

function startingAt(start: number, { anchor }: Edit) {
  return { start, end: start + toFlat(anchor).length };
}

function linesOf({ starts }: FlatText, first: number, count: number) {
  return { start: starts[first] ?? 0, end: starts[first + count] ?? 0 };
}

/** The last piece in a direction so that the margin is between it and the piece `at`. */
function marginFrom(
  pieces: readonly Piece[],
  at: number,
  step: 1 | -1,
  margin: { readonly units: number; readonly lines: number },
): number {
  let [units, lines, last] = [0, 0, at];
  while (units < margin.units || lines < margin.lines) {
    const next = pieces[last + step];
    if (next === undefined) break;
    units += next.flatLength;
    lines += next.lineCount;
    last += step;
  }
  return last;
}

function sumOf(pieces: readonly Piece[], measure: (piece: Piece) => number): number {
  return pieces.reduce((sum, piece) => sum + measure(piece), 0);
}

function foldAnchor(anchor: string): string {
  return anchor.trim().split("\n").map(foldLine).join("\n");
}

function foldAll(source: string): string {
  const lines = toFlat(source).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${foldLine(line)}\n`).join("");
}
