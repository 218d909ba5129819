import { blockEnd } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import { findMany } from "./find-many.ts";
import { type FlatText, findSpans, flattenSource, lineAt, type Span, toFlat } from "./flat-text.ts";

/** A stretch of whole lines, and the edits whose anchors and texts are all inside of it. */
export interface Part {
  readonly from: number;
  readonly to: number;
  /** Positions in the list of edits. */
  readonly edits: number[];
}

/** So much around an edit may have a say in it. */
const MARGIN_LINES = 30;
const MARGIN_UNITS = 600;
/** More places of one anchor are not looked at. */
const MOST_PLACES = 64;
/** The blocks of all anchors together have at most so many times the lines of the text. */
const MOST_BLOCKS = 2;

/**
 * The parts of a text that edits are about, apart from each other, so that each edit can be made in
 * its part as it would be in the whole. Undefined where an anchor is not there as quoted once, or
 * where what an edit replaces is not at it or in its block.
 */
export function partEdits(text: FlatText, edits: readonly Edit[]): readonly Part[] | undefined {
  const keys = new Set(edits.map(({ anchor, before, after }) => `${anchor}\0${before}\0${after}`));
  if (keys.size < edits.length) return undefined;
  const anchors = findAnchors(text, edits);
  if (anchors === undefined) return undefined;
  const parts: Part[] = [];
  let linesLeft = MOST_BLOCKS * text.origin.lines.length;
  for (const [i, edit] of edits.entries()) {
    const anchor = anchors[i];
    if (anchor === undefined || (edit.occurrence ?? 1) !== 1) return undefined;
    const part = partFor(text, edit, anchor, linesLeft);
    if (part === undefined) return undefined;
    linesLeft -= part.to - part.from;
    parts.push({ ...part, edits: [i] });
  }
  return merge(parts);
}

/** Whether each anchor is in the part of its edit only; `ranges` are of flat text, one for each edit. */
export function areApart(source: string, edits: readonly Edit[], ranges: readonly Span[]): boolean {
  const text = flattenSource(source);
  const found = findMany(
    text.flat,
    edits.map(({ anchor }) => toFlat(anchor)),
    MOST_PLACES,
  );
  if (found === undefined) return false;
  return edits.every(({ anchor }, i) => {
    const [places, range] = [found[i] ?? [], ranges[i]];
    const isOutside = (at: number) => range === undefined || at < range.start || at >= range.end;
    const isReal = (at: number) => findSpans(text, toFlat(anchor), at, at + 1).length > 0;
    return places.length < MOST_PLACES && !places.some((at) => isOutside(at) && isReal(at));
  });
}

/** The only place of each anchor. */
function findAnchors(text: FlatText, edits: readonly Edit[]): readonly Span[] | undefined {
  const anchors = edits.map(({ anchor }) => toFlat(anchor));
  const found = findMany(text.flat, anchors, MOST_PLACES);
  const spans: Span[] = [];
  for (const [i, anchor] of anchors.entries()) {
    const places = found?.[i] ?? [];
    if (places.length === MOST_PLACES) return undefined;
    const [span, other] = places.flatMap((at) => findSpans(text, anchor, at, at + 1));
    if (span === undefined || other !== undefined) return undefined;
    spans.push(span);
  }
  return spans;
}

/** The lines that have a say in one edit, if `most` lines suffice. */
function partFor(
  text: FlatText,
  edit: Edit,
  anchor: Span,
  most: number,
): Omit<Part, "edits"> | undefined {
  const { lines } = text.origin;
  const before = toFlat(edit.before);
  const reach = Math.max(before.length, toFlat(edit.after).length);
  const first = lineAt(text, anchor.start);
  const from = Math.max(0, anchor.end - before.length);
  const isAround = findSpans(text, before, from, anchor.start + 1).length > 0;
  const end = isAround ? first : blockEnd(lines, first);
  if (end - first > most) return undefined;
  const [low, high] = [anchor.start - reach - MARGIN_UNITS, anchor.end + reach + MARGIN_UNITS];
  return {
    from: Math.max(0, lineAt(text, Math.max(0, low)) - MARGIN_LINES),
    to: Math.min(lines.length, Math.max(lineAt(text, high), end) + MARGIN_LINES),
  };
}

function merge(parts: readonly Part[]): readonly Part[] {
  const merged: { from: number; to: number; edits: number[] }[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || part.from > last.to) merged.push({ ...part, edits: [...part.edits] });
    else {
      last.to = Math.max(last.to, part.to);
      last.edits.push(...part.edits);
    }
  }
  for (const { edits } of merged) edits.sort((a, b) => a - b);
  return merged;
}
