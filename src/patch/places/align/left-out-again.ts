import type { HunkLine } from "../../hunks/hunks.ts";
import { isNewForm, isSameLine } from "../../lines/lines.ts";
import type { Leaks } from "./find-leaks.ts";
import type { Notes } from "./notes.ts";

/** A line of a hunk that has been laid on the file. */
export interface LaidLine extends HunkLine {
  /** The hunk leaves it out; only the file has it. */
  readonly isLeftOut?: boolean;
}

/** A hunk on its lines of the file, and what is known of it. */
interface LaidHunk {
  readonly lines: readonly LaidLine[];
  readonly leaks: Leaks;
  readonly notes: Notes;
}

/** What has fewer letters and digits is in many places: that it is added says nothing. */
const TELLING = 4;

/**
 * The lines of a laid hunk, in which a line that was left out beside a change and added again is
 * there once: the new side is as its author wrote it. Undefined where that is not certain: it is
 * only nearly the same line, is elsewhere as well, or is not beside the change.
 */
export function takeAgain(
  { lines, leaks, notes }: LaidHunk,
  around: readonly string[],
): readonly HunkLine[] | undefined {
  if (!lines.some(isLeftOut)) return lines;
  const added = lines.filter(({ kind }) => kind === "add").map(({ text }) => text);
  const removed = lines.filter(({ kind }) => kind === "remove").map(({ text }) => text);
  const isTwin = (line: LaidLine | undefined) =>
    line?.isLeftOut === true &&
    line.text.trim() !== "" &&
    added.some((text) => isSameLine(text, line.text));
  const taken: HunkLine[] = [];
  const again: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.isLeftOut) taken.push(line);
    else if (isTwin(line)) {
      if (adjacentChanges(lines, at, isTwin).length === 0) return undefined;
      if (!isOne(line.text, added) || !isOne(line.text, around)) return undefined;
      notes.again(line.text);
      again.push(line.text);
      taken.push({ kind: "remove", text: line.text });
    } else if (mayChange(lines, at, leaks, { added, removed })) {
      return undefined;
    } else taken.push(line);
  }
  // But for blanks at its end it is the file's line still.
  const own = (text: string) => {
    const line = again.find((one) => one.trim() === text.trim());
    return line === undefined ? text : text.trimEnd() + line.slice(line.trimEnd().length);
  };
  return taken.map(({ kind, text }) => ({ kind, text: kind === "add" ? own(text) : text }));
}

/** The runs of changed lines with only lines that `mayBe` between them and this one. */
function adjacentChanges(
  lines: readonly LaidLine[],
  from: number,
  mayBe: (line: LaidLine | undefined) => boolean,
): readonly (readonly LaidLine[])[] {
  return [-1, 1].flatMap((step) => {
    let at = from;
    while (mayBe(lines[at])) at += step;
    const change: LaidLine[] = [];
    for (let line = lines[at]; line !== undefined && line.kind !== "keep"; line = lines[at]) {
      change.push(line);
      at += step;
    }
    return change.length > 0 ? [change] : [];
  });
}

function isLeftOut(line: LaidLine | undefined): boolean {
  return line?.isLeftOut === true;
}

function isOne(text: string, among: readonly string[]): boolean {
  const isTelling = text.replace(/[^\p{L}\p{N}]/gu, "").length >= TELLING;
  return isTelling && among.filter((line) => isSameLine(line, text)).length === 1;
}

/** Whether a line that is left out may have been meant to change with what is beside it. */
function mayChange(
  lines: readonly LaidLine[],
  at: number,
  leaks: Leaks,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): boolean {
  const text = lines[at]?.text ?? "";
  if (text.trim() === "") return false;
  if (leaks.addedElsewhere(text)) return true;
  return adjacentChanges(lines, at, isLeftOut).some(
    (change) =>
      grows(change) ||
      leaks.leftOut(text) === "doubt" ||
      added.some((line) => isNewForm(line, text, removed)),
  );
}

/** More lines are added than removed: one of them may be the new form of a line that is left out. */
function grows(change: readonly LaidLine[]): boolean {
  const count = (wanted: LaidLine["kind"]) =>
    change.filter(({ kind, text }) => kind === wanted && text.trim() !== "").length;
  return count("add") > count("remove");
}
