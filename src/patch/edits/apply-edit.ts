import type { HunkNote } from "../../texts/notes/notes.ts";
import { describeTolerance } from "../describe-hunks.ts";
import { isDotsComment, standsForLines } from "../hunks/hunks.ts";
import type { PlacedHunk } from "../patch-result.ts";
import { createLeaks, type Finder, findRepeat } from "../places/places.ts";
import { spliceHunks } from "../splice-hunks.ts";
import { findAddedAgain, findRepeated, quotesGap } from "./added-again.ts";
import type { Edit } from "./edit.ts";
import {
  afterRepeats,
  anchorAmbiguous,
  anchorMissing,
  beforeAmbiguous,
  beforeMissing,
  beforeUnsure,
  type EditFault,
  lineCutShort,
  occurrenceOutside,
  standsFor,
} from "./edit-fault.ts";
import { toHunk } from "./edit-hunk.ts";
import type { EditView } from "./edit-view.ts";
import { findAnchor } from "./find-anchor.ts";
import { type Found, findBefore, type Search } from "./find-before.ts";
import { type FlatText, lineAt, replaceSpan, type Span, toFlat } from "./flat-text.ts";

/**
 * How what an edit replaces was found: as it is quoted or up to layout, so that nothing but the block of
 * its anchor had a say; or in another way, in which the whole text had.
 */
export type EditMatch = "quoted" | "alike" | "other";

/** An edit that was made, or why it was not. */
export type Step =
  | {
      readonly kind: "made";
      readonly view: EditView;
      readonly hunk: PlacedHunk;
      readonly match: EditMatch;
    }
  | EditFault;

/** The anchor of an edit: where it is, and what was tolerated to find it there. */
export interface ChosenAnchor {
  readonly kind: "anchor";
  /** Undefined: it is nowhere. */
  readonly span: Span | undefined;
  readonly note?: HunkNote | undefined;
}

const THERE = "there";

/** Makes one edit in a text; `chosen` is its anchor where that is known already. */
export function applyEdit(view: EditView, edit: Edit, number: number, chosen?: ChosenAnchor): Step {
  const stand = findPlaceholder(view, edit);
  if (stand !== undefined) return standsFor(stand);
  const anchor = chosen ?? chooseAnchor(view, edit);
  if (anchor.kind === "fault") return anchor;
  const [before, after] = [toFlat(edit.before), toFlat(edit.after)];
  const { text, finder } = view;
  const search = {
    text,
    finder,
    number,
    before,
    after,
    anchor: anchor.span,
    isSure: anchor.note === undefined,
  };
  if (anchor.span !== undefined) return carryOut(view, search, findBefore(search), anchor.note);
  // An anchor that is nowhere may still be a misquoted part of what is looked for.
  const isPart = (edit.occurrence ?? 1) === 1 && before.includes(toFlat(edit.anchor));
  const found = isPart ? findBefore(search) : undefined;
  return found === undefined || found.kind === "nowhere"
    ? anchorMissing(search, edit)
    : carryOut(view, search, found, "anchor part");
}

/** A line of the new text that would be all that is left of lines of the old one. */
function findPlaceholder({ finder }: EditView, { before, after }: Edit): string | undefined {
  if (!after.includes("\n") && !before.includes("\n")) return undefined;
  const old = new Set(before.split("\n").map((line) => line.trim()));
  const renewed = after.split("\n");
  const isLess = renewed.length < before.split("\n").length;
  return renewed.find((line) => {
    const isStand = standsForLines(line) || (isLess && isDotsComment(line));
    const isNew = isStand && !old.has(line.trim());
    return isNew && finder.positions(line).length === 0;
  });
}

/** The anchor that an edit refers to, if it is in the file. */
function chooseAnchor(view: EditView, { anchor, occurrence }: Edit): EditFault | ChosenAnchor {
  const { text } = view;
  const { spans, note } = findAnchor(view, toFlat(anchor));
  const lines = spans.map(({ start }) => lineAt(text, start));
  if (occurrence === undefined && spans.length > 1) return anchorAmbiguous(text, lines);
  const span = spans[(occurrence ?? 1) - 1];
  const isOutside = span === undefined && spans.length > 0;
  if (isOutside) return occurrenceOutside(text, occurrence ?? 1, lines);
  return { kind: "anchor", span, note };
}

function carryOut(view: EditView, search: Search, found: Found, anchorNote?: HunkNote): Step {
  const { text, after } = search;
  switch (found.kind) {
    case "span": {
      const { span, note } = found;
      const repeat = findAddedAgain(search, span);
      if (repeat !== undefined) return afterRepeats(text, repeat);
      const cut = findLeakAtEnd(text, search, span, search.finder);
      if (cut !== undefined) return lineCutShort(text, cut);
      const [from, to] = [lineAt(text, span.start), lineAt(text, span.end) + 1];
      const hunk = describe(from, [anchorNote, note]);
      const renewed = renew(view, replaceSpan(text, span, after), from, to);
      return { kind: "made", view: renewed, hunk, match: note === undefined ? "quoted" : "alike" };
    }
    case "lines":
      return replaceLines(view, search, found, anchorNote);
    case "there":
      return {
        kind: "made",
        view,
        hunk: describe(found.line, [anchorNote], THERE),
        match: "quoted",
      };
    case "several":
      return beforeAmbiguous(text, found.lines);
    case "unsure":
      return beforeUnsure(text, found);
    case "nowhere":
      return beforeMissing(search);
    default:
      return found satisfies never;
  }
}

function replaceLines(
  view: EditView,
  search: Search,
  { placements, isAlike = false }: Extract<Found, { kind: "lines" }>,
  anchorNote?: HunkNote,
): Step {
  for (const { hunk, place } of placements) {
    const { lines } = view.text.origin;
    const isGap = quotesGap(
      search,
      lines[place.start - 1],
      lines[place.start + hunk.before.length],
    );
    const repeat =
      placements.length === 1
        ? findRepeated(lines, hunk, place.start, isGap)
        : findRepeat(lines, hunk, place.start);
    if (repeat !== undefined) return afterRepeats(view.text, repeat);
  }
  const splicing = spliceHunks(view.text.origin, placements);
  if (splicing.kind === "misfits") {
    const reason = splicing.misfits.map((misfit) => misfit.reason).join("; ");
    return { ...beforeMissing(search), reason };
  }
  const from = Math.min(...placements.map(({ place }) => place.start));
  const to = Math.max(...placements.map(({ hunk, place }) => place.start + hunk.before.length));
  const isDone = placements.every(({ hunk }) => splicing.skipped.has(hunk));
  const notes = [anchorNote, ...describeTolerance(placements)];
  const hunk = describe(placements[0]?.place.start ?? 0, notes, isDone ? THERE : undefined);
  const match = isAlike ? "alike" : "other";
  return { kind: "made", view: renew(view, splicing.text, from, to), hunk, match };
}

function renew(view: EditView, source: string, from: number, to: number): EditView {
  const { lines, source: old } = view.text.origin;
  return source === old ? view : view.after(source, from, Math.min(to, lines.length));
}

/** `line` is an index. What was tolerated comes before the result of the edit. */
function describe(
  line: number,
  tolerated: readonly (HunkNote | undefined)[],
  outcome?: HunkNote,
): PlacedHunk {
  const isNote = (note: HunkNote | undefined) => note !== undefined;
  const matched = tolerated.some(isNote) ? "tolerant" : "exact";
  const said = [...tolerated, outcome].filter(isNote);
  return { line: line + 1, matched, said };
}

/**
 * The line of the file, as an index, of which an edit quotes all but some signs at its end, as both of
 * its texts have it, where the edit changes such signs elsewhere: it is quoted as it is to be.
 */
function findLeakAtEnd(
  text: FlatText,
  { before, after }: Pick<Edit, "before" | "after">,
  { end }: Span,
  finder: Finder,
): number | undefined {
  const { flat, starts } = text;
  const quoted = before.slice(before.lastIndexOf("\n") + 1);
  const isShared = quoted.length < before.length && after.endsWith(`\n${quoted}`);
  if (!isShared || end >= flat.length || flat[end] === "\n") return undefined;
  const line = lineAt(text, end);
  const theirs = flat.slice(starts[line], starts[line + 1]).trimEnd();
  if (/[\p{L}\p{N}_]/u.test(theirs.slice(end - (starts[line] ?? 0)))) return undefined;
  const leaks = createLeaks(toHunk({ before, after }, 1).lines, finder.goal);
  return leaks.misquoted(quoted, theirs) === "slip" ? undefined : line;
}
