import type { HunkLine } from "../../hunks/hunks.ts";
import { endsInCommon, isSameLine, likeness } from "../../lines/lines.ts";
import type { Notes } from "./notes.ts";

/** A line of a hunk that has been laid on the file. */
export interface LaidLine extends HunkLine {
  /** The hunk leaves it out; only the file has it. */
  readonly isLeftOut?: boolean;
}

/** Two lines that have more of their words in common may be one line and its new form. */
const ALIKE = 0.6;
/** So may two that begin and end the same. */
const SAME_ENDS = 0.6;
/** What has fewer letters and digits is in many places: that it is added says nothing. */
const TELLING = 4;

/**
 * The lines of a laid hunk, in which a line that was left out beside a change and added again is
 * there once: the new side is as its author wrote it. Undefined where that is not certain: it is
 * only nearly the same line, is elsewhere as well, or is not beside the change.
 */
export function takeAgain(
  lines: readonly LaidLine[],
  around: readonly string[],
  notes: Notes,
): readonly HunkLine[] | undefined {
  if (!lines.some(isLeftOut)) return lines;
  const added = lines.filter(({ kind }) => kind === "add").map(({ text }) => text);
  const removed = lines.filter(({ kind }) => kind === "remove").map(({ text }) => text);
  const isTwin = (line: LaidLine | undefined) =>
    line?.isLeftOut === true &&
    line.text.trim() !== "" &&
    added.some((text) => isSameLine(text, line.text));
  const taken: HunkLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.isLeftOut) taken.push(line);
    else if (isTwin(line)) {
      if (!isBeside(lines, at, isTwin)) return undefined;
      if (!isOne(line.text, added) || !isOne(line.text, around)) return undefined;
      notes.again(line.text);
      taken.push({ kind: "remove", text: line.text });
    } else if (isBeside(lines, at, isLeftOut) && isRenewed(line.text, added, removed)) {
      return undefined;
    } else taken.push(line);
  }
  return taken;
}

/** Whether only lines that `mayBe` between are between this one and a change. */
function isBeside(
  lines: readonly LaidLine[],
  from: number,
  mayBe: (line: LaidLine | undefined) => boolean,
): boolean {
  return [-1, 1].some((step) => {
    let at = from;
    while (mayBe(lines[at])) at += step;
    return lines[at] !== undefined && lines[at]?.kind !== "keep";
  });
}

function isLeftOut(line: LaidLine | undefined): boolean {
  return line?.isLeftOut === true;
}

function isOne(text: string, among: readonly string[]): boolean {
  const isTelling = text.replace(/[^\p{L}\p{N}]/gu, "").length >= TELLING;
  return isTelling && among.filter((line) => isSameLine(line, text)).length === 1;
}

/** Whether an added line is rather a new form of this one than of any that is removed. */
function isRenewed(text: string, added: readonly string[], removed: readonly string[]): boolean {
  return added.some((line) => {
    const [words, ends] = [likeness(line, text), endsInCommon(line, text)];
    if (words < ALIKE && ends < SAME_ENDS) return false;
    return removed.every(
      (other) => likeness(line, other) < words || endsInCommon(line, other) < ends,
    );
  });
}
