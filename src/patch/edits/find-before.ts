import type { HunkNote } from "../../texts/notes/notes.ts";
import { type Hunk, hasWords, splitElided } from "../hunks/hunks.ts";
import { foldRemoved } from "../lines/lines.ts";
import type { Finder, Place, Placement } from "../places/places.ts";
import { blockEnd, findMisquoted, findSpaced, indentOf, saysSomething } from "../places/places.ts";
import { quoteHunk, toHunk, trimEdges } from "./edit-hunk.ts";
import { findFragments } from "./find-fragment.ts";
import { type FlatText, findSpans, lineAt, type Span } from "./flat-text.ts";
import { isInserted } from "./is-inserted.ts";

/** What an edit looks for, and in what. */
export interface Search {
  readonly text: FlatText;
  readonly finder: Finder;
  /** Position of the edit in its list, from 1. */
  readonly number: number;
  readonly before: string;
  readonly after: string;
  /** Where the anchor is; undefined: it is only a part of what is looked for. */
  readonly anchor: Span | undefined;
  /** Whether the anchor is there as quoted. */
  readonly isSure: boolean;
}

/** Where the text to replace is; `lines` are indexes. */
export type Found =
  | { readonly kind: "span"; readonly span: Span; readonly note?: HunkNote }
  /** `isAlike`: whole lines up to layout, of which nothing but the block of the anchor has a say. */
  | {
      readonly kind: "lines";
      readonly placements: readonly Placement[];
      readonly isAlike?: boolean;
    }
  | { readonly kind: "there"; readonly line: number }
  | { readonly kind: "several"; readonly lines: readonly number[] }
  /** It may be the text at `line`; or the edit was made before, at the line `there`. */
  | { readonly kind: "unsure"; readonly line: number; readonly there: number }
  | { readonly kind: "nowhere" };

const NOWHERE = { kind: "nowhere" } as const;
const LAYOUT = "layout";

/** A misquoted block may begin so many lines off the start that its lines imply. */
const ALIGNED = 6;

/**
 * Finds the text that an edit replaces: around its anchor, else behind it within its block. As
 * quoted; up to layout; with `...` for left-out lines; with a few misquoted lines of context. The
 * first way that leads anywhere decides, and only if it leads to one place.
 */
export function findBefore(search: Search): Found {
  const exact = findExact(search);
  if (exact?.kind === "span" && isInserted(search, exact.span)) {
    return { kind: "there", line: lineAt(search.text, exact.span.start) };
  }
  const isShifted = exact?.kind === "span" && isOutdented(search, exact.span);
  if (exact !== undefined && !isShifted) return exact;
  const hunk = toHunk(search, search.number);
  if (isShifted) {
    return shiftTo(lineAt(search.text, exact.span.start), findTolerant(search, hunk)) ?? exact;
  }
  const alike =
    findTolerant(search, hunk) ??
    // Without its indentation the new text would be the old one.
    (isLayout(hunk) ? undefined : findFragment(search));
  if (alike !== undefined) return doubtWhereMade(search, hunk, alike);
  return (
    findDone(search, hunk) ??
    findSpacedIn(search, hunk) ??
    findElided(search, hunk) ??
    findDoubtful(search, hunk)
  );
}

/**
 * Whether a whole line was quoted without its indentation, and the lines to put there have less as
 * well: it is in the file as quoted, but they are to be indented like it. After a blank line, or
 * behind a bracket that closes what is around, they have the indentation that they are to have.
 */
function isOutdented({ text, before, after }: Search, { start, end }: Span): boolean {
  const lineStart = text.starts[lineAt(text, start)] ?? 0;
  const skipped = text.flat.slice(lineStart, start);
  if (!/^[ \t]+$/.test(skipped)) return false;
  if (!before.endsWith("\n") && text.flat.charAt(end) !== "\n") return false;
  const [, ...more] = after.trimEnd().split("\n");
  const isLess = (line: string) => line.trim() !== "" && indentOf(line).length < skipped.length;
  return more.length > 0 && more.every(isLess) && countClosed(after) <= countClosed(before);
}

/** How many of the brackets around a text it closes. */
function countClosed(text: string): number {
  let [depth, least] = [0, 0];
  for (const bracket of text.match(/[()[\]{}]/g) ?? []) {
    depth += "([{".includes(bracket) ? 1 : -1;
    least = Math.min(least, depth);
  }
  return -least;
}

function shiftTo(line: number, found: Found | undefined): Found | undefined {
  const isThere = found?.kind === "lines" && found.placements[0]?.place.start === line;
  return isThere ? found : undefined;
}

function findExact(search: Search): Found | undefined {
  return settleSpan(search, pickSpans(search, search.before));
}

function settleSpan({ text }: Search, spans: readonly Span[], note?: HunkNote): Found | undefined {
  const [span, other] = spans;
  if (span === undefined) return undefined;
  if (other === undefined) return { kind: "span", span, ...(note !== undefined && { note }) };
  return { kind: "several", lines: spans.map(({ start }) => lineAt(text, start)) };
}

/** The places around the anchor, or else those that begin behind it in its block. */
function pickSpans({ text, anchor }: Search, wanted: string): readonly Span[] {
  if (anchor === undefined) return findSpans(text, wanted, 0, text.flat.length);
  const from = Math.max(0, anchor.end - wanted.length);
  const around = findSpans(text, wanted, from, anchor.start + 1);
  if (around.length > 0) return around;
  return findSpans(text, wanted, anchor.start, text.starts[blockOf(text, anchor).end] ?? 0);
}

/** The same for places of whole lines. */
function pickPlaces<T extends { readonly start: number }>(
  { text, anchor }: Search,
  places: readonly T[],
  count: number,
): readonly T[] {
  if (anchor === undefined) return places;
  const { first, last, end } = blockOf(text, anchor);
  const around = places.filter(({ start }) => start <= first && last < start + count);
  return around.length > 0 ? around : places.filter(({ start }) => start >= first && start < end);
}

/** The first and last line of an anchor, and the line behind its block. */
function blockOf(text: FlatText, anchor: Span) {
  const first = lineAt(text, anchor.start);
  const last = Math.max(first, lineAt(text, anchor.end - 1));
  return { first, last, end: Math.max(last + 1, blockEnd(text.origin.lines, first)) };
}

function findTolerant(search: Search, whole: Hunk): Found | undefined {
  const certain = proves(search, whole);
  for (const hunk of readings(whole)) {
    const done = certain ? search.finder.exact(hunk.after) : [];
    const places = pickPlaces(search, search.finder.tolerant(hunk), hunk.before.length).filter(
      ({ start }) => !done.some((other) => overlap(start, hunk, other)),
    );
    if (places.length === 0) continue;
    const found = settle(hunk, places);
    return found.kind === "lines" ? { ...found, isAlike: true } : found;
  }
  return undefined;
}

function findFragment(search: Search): Found | undefined {
  const { text, before, anchor } = search;
  const block = anchor ? blockOf(text, anchor) : { first: 0, end: text.origin.lines.length };
  // What begins with blanks replaces them as well.
  const blanks = indentOf(before);
  const spans = findFragments(text, before, block.first, block.end)
    .map(({ start, end }) => ({ start: start - blanks.length, end }))
    .filter(({ start }) => text.flat.startsWith(blanks, start));
  const isOther = spans.length === 1 && spans.some((span) => differsInLiteral(search, span));
  return isOther ? undefined : settleSpan(search, spans, LAYOUT);
}

/** Whether a piece differs from what was quoted in more than layout, as its whole line tells. */
function differsInLiteral({ text, before }: Search, { start, end }: Span): boolean {
  const index = lineAt(text, start);
  const [line, at] = [text.origin.lines[index] ?? "", text.starts[index] ?? 0];
  const quoted = line.slice(0, start - at) + before + line.slice(end - at);
  return foldRemoved(line) !== foldRemoved(quoted);
}

/** The hunk, and the hunk without blank lines at its edges. */
function readings(hunk: Hunk): readonly Hunk[] {
  const trimmed = trimEdges(hunk);
  return trimmed === undefined ? [hunk] : [hunk, trimmed];
}

function overlap(start: number, hunk: Hunk, done: Place): boolean {
  return start < done.start + hunk.after.length && done.start < start + hunk.before.length;
}

/**
 * A place found up to layout is the wrong one if the new text is elsewhere: then that was the
 * place.
 */
function doubtWhereMade(search: Search, hunk: Hunk, found: Found): Found {
  const { text, after, isSure } = search;
  const line =
    found.kind === "lines"
      ? found.placements[0]?.place.start
      : found.kind === "span" && lineAt(text, found.span.start);
  if (typeof line !== "number" || isLayout(hunk) || !proves(search, hunk)) return found;
  const [made] = pickSpans(isSure ? search : { ...search, anchor: undefined }, after);
  const there = made === undefined ? line : lineAt(text, made.start);
  return there === line ? found : { kind: "unsure", line, there };
}

function settle(hunk: Hunk, places: readonly Place[]): Found {
  const [place, other] = places;
  if (place === undefined) return NOWHERE;
  if (other !== undefined) return { kind: "several", lines: places.map(({ start }) => start) };
  return { kind: "lines", placements: [{ hunk, place, done: false }] };
}

/** The old text is gone and the new one is in its place. */
function findDone(search: Search, hunk: Hunk): Found | undefined {
  const { text, after, anchor } = search;
  if (!proves(search, hunk)) return undefined;
  // Without a place one line alone may well be somewhere by chance.
  if (anchor === undefined && hunk.after.length < 2) return undefined;
  const [span, other] = pickSpans(search, after);
  if (span === undefined || other !== undefined) return undefined;
  if (isStillThere(search, hunk, span)) return undefined;
  return { kind: "there", line: lineAt(text, span.start) };
}

/** Whether a line that was to go is next to the new text: then this edit did not write that. */
function isStillThere({ text }: Search, { lines }: Hunk, { start, end }: Span): boolean {
  const own = text.origin.lines;
  const neighbours = [own[lineAt(text, start) - 1], own[lineAt(text, end - 1) + 1]];
  const isNeighbour = (line: string) => neighbours.some((other) => other?.trim() === line.trim());
  return lines.some(
    ({ kind, text: line }) => kind === "remove" && hasWords(line) && isNeighbour(line),
  );
}

/** Whether the new text, where it is, cannot be a piece of the old one. */
function proves({ before, after }: Search, hunk: Hunk): boolean {
  if (isLayout(hunk)) return saysSomething(hunk);
  const adds = hunk.lines.some(({ kind }) => kind === "add");
  return saysSomething(hunk) && !(adds && before.includes(after.trim()));
}

/** Whether an edit changes nothing but how its lines are indented. */
function isLayout({ before, after }: Hunk): boolean {
  return (
    before.length === after.length &&
    before.every((line, i) => line.trim() === after[i]?.trim()) &&
    before.some((line, i) => line !== after[i])
  );
}

/** Whole lines but for blank ones between them. */
function findSpacedIn(search: Search, hunk: Hunk): Found | undefined {
  const spaced = findSpaced(search.text.origin.lines, hunk, search.finder);
  if (spaced === undefined) return undefined;
  if (spaced.places.length === 0) return NOWHERE;
  const places = pickPlaces(search, spaced.places, spaced.hunk.before.length);
  return places.length === 0 ? undefined : settle(spaced.hunk, places);
}

/** Every part between left-out lines occurs once after the part above it. */
function findElided(search: Search, hunk: Hunk): Found | undefined {
  const { finder } = search;
  const placements: Placement[] = [];
  let from = 0;
  for (const part of splitElided(hunk, (line) => finder.positions(line).length > 0) ?? []) {
    const { length } = part.before;
    const exact = finder.exact(part.before);
    const places = exact.length > 0 ? exact : finder.tolerant(part);
    const left =
      placements.length > 0
        ? places.filter(({ start }) => start >= from)
        : pickPlaces(search, places, length);
    const found = settle(part, left);
    if (found.kind !== "lines") return found;
    placements.push(...found.placements);
    from = (left[0]?.start ?? 0) + length;
  }
  return placements.length === 0 ? undefined : { kind: "lines", placements };
}

/** The one place that most quoted lines speak for, if all that is changed is there. */
function findDoubtful(search: Search, hunk: Hunk): Found {
  const { finder, text } = search;
  const reach = hunk.before.length + ALIGNED;
  const found = findMisquoted(text.origin.lines, hunk, finder, (votes) =>
    pickPlaces(search, votes, reach),
  );
  if (found === undefined) return NOWHERE;
  const isNear = pickPlaces(search, [found.place], found.hunk.before.length).length > 0;
  if (!isNear) return NOWHERE;
  // Who misquotes what stays does not have it right in the new text.
  const there = finder.tolerant(quoteHunk(search.after, search.number));
  if (pickPlaces(search, there, hunk.after.length).length > 0) return NOWHERE;
  return { kind: "lines", placements: [{ ...found, done: false }] };
}
