import { describeTolerance } from "../describe-hunks.ts";
import { isDotsComment, standsForLines } from "../hunks/hunks.ts";
import type { AppliedHunk, PatchRefusal, PatchResult } from "../patch-result.ts";
import type { Placement } from "../places/places.ts";
import { findNearRepeat, findRepeat } from "../places/places.ts";
import { spliceHunks } from "../splice-hunks.ts";
import { findAddedAgain } from "./added-again.ts";
import { applyApart } from "./apply-apart.ts";
import type { Edit } from "./edit.ts";
import {
  afterRepeats,
  anchorAmbiguous,
  anchorMissing,
  beforeAmbiguous,
  beforeMissing,
  beforeUnsure,
  type EditFault,
  occurrenceOutside,
  standsFor,
  tooManyEdits,
} from "./edit-fault.ts";
import { createView, type EditView } from "./edit-view.ts";
import { findAnchor } from "./find-anchor.ts";
import { type Found, findBefore, type Search } from "./find-before.ts";
import { flattenSource, lineAt, replaceSpan, type Span, toFlat } from "./flat-text.ts";
import { restoreEdits } from "./restore-edits.ts";

export type { Edit } from "./edit.ts";

/** Settings of {@link applyEdits}. */
export interface EditOptions {
  /** The file that is edited; is quoted in messages. */
  readonly path?: string;
}

type Step =
  | { readonly kind: "made"; readonly view: EditView; readonly hunk: AppliedHunk }
  | EditFault;

/** Each edit takes time in proportion to the source; an action of a plan has far fewer. */
const MOST_EDITS = 1000;
const THERE = "already there, nothing to do";
const TWICE = "written twice, applied once";

/**
 * Makes anchored replacements one after the other, each in the text that the earlier ones left: all
 * of them where they were intended, or none. The rules are in `docs/patch-rules.md`.
 *
 * Pure; each edit takes time in proportion to the source. The line of an applied edit is one of the
 * text that this edit met. A refusal has no text.
 */
export function applyEdits(
  source: string,
  edits: readonly Edit[],
  options: EditOptions = {},
): PatchResult {
  if (edits.length > MOST_EDITS)
    return refuse(tooManyEdits(edits.length, MOST_EDITS), MOST_EDITS + 1, options.path);
  const apart = applyApart(flattenSource(source), edits, (part, own) =>
    applyInRow(createView(part, own), own),
  );
  if (apart !== undefined) return apart;
  const view = createView(source, edits);
  const result = applyInRow(view, edits, options.path);
  if (result.ok && result.hunks.every(({ matched }) => matched === "exact")) return result;
  const restored = restoreEdits(view, edits);
  if (restored === undefined) return result;
  const { repairs } = restored;
  const renewed = applyInRow(view, restored.edits, options.path);
  if (!renewed.ok) return renewed;
  return { ...renewed, hunks: renewed.hunks.map((hunk) => withNote(hunk, repairs)) };
}

function applyInRow(source: EditView, edits: readonly Edit[], path?: string): PatchResult {
  const hunks: AppliedHunk[] = [];
  const made = new Map<string, AppliedHunk>();
  let view = source;
  for (const [i, edit] of edits.entries()) {
    const key = JSON.stringify([edit.anchor, edit.before, edit.after, edit.occurrence]);
    const twin = made.get(key);
    // An insertion leaves its old text in place: the same edit would be made a second time.
    if (twin !== undefined && edit.after.includes(edit.before)) {
      hunks.push({ ...twin, note: [twin.note, TWICE].filter(Boolean).join(", ") });
      continue;
    }
    const step = applyEdit(view, edit, i + 1);
    if (step.kind === "fault") return refuse(step, i + 1, path);
    // What was made before may be gone again.
    if (step.view !== view) made.clear();
    view = step.view;
    made.set(key, step.hunk);
    hunks.push(step.hunk);
  }
  return { ok: true, text: view.text.origin.source, hunks };
}

function withNote(hunk: AppliedHunk, repairs: readonly string[]): AppliedHunk {
  const note = [hunk.note, ...repairs].filter(Boolean).join(", ");
  return { ...hunk, matched: "tolerant", note };
}

function applyEdit(view: EditView, edit: Edit, number: number): Step {
  const stand = findPlaceholder(view, edit);
  if (stand !== undefined) return standsFor(stand);
  const anchor = chooseAnchor(view, edit);
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
    : carryOut(view, search, found, "its anchor is only part of what it replaces");
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

type ChosenAnchor = {
  readonly kind: "anchor";
  readonly span: Span | undefined;
  readonly note?: string | undefined;
};

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

function carryOut(view: EditView, search: Search, found: Found, anchorNote?: string): Step {
  const { text, after } = search;
  switch (found.kind) {
    case "span": {
      const { span, note } = found;
      const repeat = findAddedAgain(search, span);
      if (repeat !== undefined) return afterRepeats(repeat);
      const [from, to] = [lineAt(text, span.start), lineAt(text, span.end) + 1];
      const hunk = describe(from, [anchorNote, note]);
      return { kind: "made", view: renew(view, replaceSpan(text, span, after), from, to), hunk };
    }
    case "lines":
      return replaceLines(view, search, found.placements, anchorNote);
    case "there":
      return { kind: "made", view, hunk: describe(found.line, [anchorNote], THERE) };
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
  placements: readonly Placement[],
  anchorNote?: string,
): Step {
  for (const { hunk, place } of placements) {
    const { lines } = view.text.origin;
    const repeat =
      findRepeat(lines, hunk, place.start) ??
      (placements.length === 1 ? findNearRepeat(lines, hunk, place.start) : undefined);
    if (repeat !== undefined) return afterRepeats(repeat);
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
  return { kind: "made", view: renew(view, splicing.text, from, to), hunk };
}

function renew(view: EditView, source: string, from: number, to: number): EditView {
  const { lines, source: old } = view.text.origin;
  return source === old ? view : view.after(source, from, Math.min(to, lines.length));
}

/** `line` is an index. What was tolerated comes before the result of the edit. */
function describe(
  line: number,
  tolerated: readonly (string | undefined)[],
  outcome?: string,
): AppliedHunk {
  const matched = tolerated.some(Boolean) ? "tolerant" : "exact";
  const note = [...tolerated, outcome].filter(Boolean).join(", ");
  return { line: line + 1, matched, ...(note !== "" && { note }) };
}

function refuse({ code, reason, hint }: EditFault, number: number, path?: string): PatchRefusal {
  const target = path === undefined ? "" : ` to "${path}"`;
  const message = `Cannot apply edit ${number}${target}: ${reason}`;
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}
