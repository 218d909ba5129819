import { shorten } from "../../core/cut-text.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { describeNearest, MOST_PLACES, type Repeat, showAround } from "../places/places.ts";
import type { Edit } from "./edit.ts";
import { quoteHunk } from "./edit-hunk.ts";
import type { Search } from "./find-before.ts";
import { type FlatText, findSpans, lineAt } from "./flat-text.ts";

/** Why an edit is not made, and what helps to repair it. */
export interface EditFault {
  readonly kind: "fault";
  readonly code: Extract<ErrorCode, `ERR_EDIT_${string}`>;
  readonly reason: string;
  readonly hint?: string;
}

const MOST_LISTED = 10;

/** There are more edits than one call makes. */
export function tooManyEdits(count: number, most: number): EditFault {
  const reason = `it is one of ${count}, and at most ${most} are made at once; replace the lines that change as one text`;
  return { kind: "fault", code: "ERR_EDIT_APPLY_FAILED", reason };
}

/**
 * The anchor occurs several times and nothing says which it is. `lines` are indexes, here and
 * below.
 */
export function anchorAmbiguous(text: FlatText, lines: readonly number[]): EditFault {
  const reason = `its anchor is at ${listLines(lines)}; set "occurrence" or quote a longer anchor`;
  return { kind: "fault", code: "ERR_EDIT_AMBIGUOUS", reason, hint: showLines(text, lines) };
}

/** There are fewer anchors than `occurrence` counts. */
export function occurrenceOutside(
  text: FlatText,
  occurrence: number,
  lines: readonly number[],
): EditFault {
  const reason = `occurrence "${occurrence}" of its anchor is not there: it is at ${listLines(lines)}; count from 1`;
  return { kind: "fault", code: "ERR_EDIT_APPLY_FAILED", reason, hint: showLines(text, lines) };
}

/** The anchor is not in the file. */
export function anchorMissing({ text, finder, number }: Search, { anchor }: Edit): EditFault {
  const quoted = quoteHunk(anchor, number);
  return {
    kind: "fault",
    code: "ERR_EDIT_ANCHOR_NOT_FOUND",
    reason: `its anchor "${clip(anchor)}" is nowhere as it is quoted; copy an exact piece of the file`,
    hint: describeNearest(text.origin.lines, quoted, finder, `The anchor of edit ${number}`),
  };
}

/** The text to replace occurs several times where the anchor leads. */
export function beforeAmbiguous(text: FlatText, lines: readonly number[]): EditFault {
  const reason = `its "before" is at ${listLines(lines)}; quote more of it, or make the anchor a part of it that is longer or told apart by "occurrence"`;
  return { kind: "fault", code: "ERR_EDIT_AMBIGUOUS", reason, hint: showLines(text, lines) };
}

/** Another text may be intended than the one that is like it. */
export function beforeUnsure(
  text: FlatText,
  { line, there }: { readonly line: number; readonly there: number },
): EditFault {
  const reason = `its "before" is only like line ${line + 1}, and its "after" is at line ${there + 1} already; copy an exact piece of the file if it is still to be replaced`;
  return {
    kind: "fault",
    code: "ERR_EDIT_AMBIGUOUS",
    reason,
    hint: showLines(text, [line, there]),
  };
}

/** The new text has a line at its edge that is there already, beside the old one. */
export function afterRepeats(
  { origin }: FlatText,
  { text, line, isNearly = false }: Repeat,
): EditFault {
  const reason = isNearly
    ? `its "after" adds "${clip(text.trim())}", which is like line ${line + 1}, right beside its "before"; quote that line in "before" as well`
    : `its "after" adds "${clip(text.trim())}", which is at line ${line + 1} already, right beside its "before"; leave that line out, or quote it in "before" as well`;
  return {
    kind: "fault",
    code: "ERR_EDIT_AMBIGUOUS",
    reason,
    hint: showAround(origin.lines, line),
  };
}

/** What is left out at the end of a line may be a part of the change. */
export function lineCutShort({ origin }: FlatText, line: number): EditFault {
  const theirs = clip((origin.lines[line] ?? "").trim());
  const reason = `its "before" has line ${line + 1} without all of its end, "${theirs}", and it changes such signs elsewhere; quote that line whole, and change it in "after" if it is to change`;
  return {
    kind: "fault",
    code: "ERR_EDIT_AMBIGUOUS",
    reason,
    hint: showAround(origin.lines, line),
  };
}

/** The new text has a comment in place of lines. */
export function standsFor(text: string): EditFault {
  const reason = `its "after" has "${clip(text.trim())}" in place of lines; write those out`;
  return { kind: "fault", code: "ERR_EDIT_AMBIGUOUS", reason };
}

/** The text to replace is not where the anchor leads. */
export function beforeMissing(search: Search): EditFault {
  const { text, before, anchor } = search;
  const line = anchor === undefined ? 0 : lineAt(text, anchor.start);
  const lines = findSpans(text, before, 0, text.flat.length).map((s) => lineAt(text, s.start));
  const isElsewhere = lines.length > 0;
  const reason = lines.includes(line)
    ? `its "before" is in front of its anchor in line ${line + 1}; make the anchor a part of it`
    : isElsewhere
      ? `its "before" is at ${listLines(lines)}, not in the block of its anchor at line ${line + 1}; choose an anchor next to it`
      : `its "before" is, as it is quoted, not in the block of its anchor at line ${line + 1}; copy an exact piece of the file`;
  const hint = isElsewhere ? showLines(text, lines) : showNearest(search, line);
  return { kind: "fault", code: "ERR_EDIT_BEFORE_NOT_FOUND", reason, hint };
}

function showNearest({ text, finder, number, before }: Search, line: number): string {
  const stated = { oldStart: line + 1, newStart: line + 1 };
  const quoted = { ...quoteHunk(before, number), stated };
  return describeNearest(text.origin.lines, quoted, finder, `The "before" of edit ${number}`);
}

function listLines(lines: readonly number[]): string {
  const own = [...new Set(lines)];
  const shown = own.slice(0, MOST_LISTED).map((line) => line + 1);
  const isCut = lines.length >= MOST_PLACES;
  const more =
    own.length > shown.length ? ` and ${isCut ? "many" : own.length - shown.length} more` : "";
  const often = own.length < lines.length ? " (more than once in a line)" : "";
  return `${own.length === 1 ? "line" : "lines"} ${shown.join(", ")}${more}${often}`;
}

function showLines({ origin }: FlatText, lines: readonly number[]): string {
  const shown = [...new Set(lines)].slice(0, MOST_LISTED);
  return shown.map((line) => `${line + 1}|${clip(origin.lines[line] ?? "")}`).join("\n");
}

function clip(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length < text.length && line.length <= 100 ? `${line}…` : shorten(line, 100);
}
