import { createHunk, type Hunk, type HunkLine, hasWords } from "../../hunks/hunks.ts";
import { isAlike, isSameLine } from "../../lines/lines.ts";
import type { Goal } from "../goal.ts";
import type { Step } from "./alignment-paths.ts";
import { createLeaks, type Leaks } from "./find-leaks.ts";
import { type LaidLine, takeAgain } from "./left-out-again.ts";
import { Notes } from "./notes.ts";

/** A quoted line, how it was recognised, and the lines of the file above it that it left out. */
export interface Fit {
  readonly quoted: HunkLine;
  readonly step: Exclude<Step, "skipped">;
  readonly theirs: string;
  readonly skipped: readonly string[];
}

/** What a laid hunk is made of. */
interface Laying {
  readonly lines: LaidLine[];
  readonly notes: Notes;
  readonly leaks: Leaks;
  readonly added: readonly string[];
  readonly around: readonly string[];
}

/** What a hunk is laid among. */
export interface Surroundings {
  /** Lines of the file where the hunk lies, and some more on both sides. */
  readonly around: readonly string[];
  /** What the whole patch is about. */
  readonly patch: Goal;
}

/**
 * The hunk with the file's own lines in place of the quoted ones, from line `start` on. Undefined
 * where what differs may be part of the change: its goal got into the context, or a line that is
 * added is one that was left out.
 */
export function layHunk(
  hunk: Hunk,
  fits: readonly Fit[],
  start: number,
  { around, patch }: Surroundings,
): Hunk | undefined {
  const notes = new Notes(start, hunk);
  const added = hunk.lines.filter(({ kind }) => kind === "add").map(({ text }) => text);
  const laying: Laying = { lines: [], notes, leaks: createLeaks(hunk.lines, patch), added, around };
  let next = 0;
  for (const [i, line] of hunk.lines.entries()) {
    const fit = line.kind === "add" ? undefined : fits[next++];
    if (fit === undefined) laying.lines.push(line);
    else if (!layLine(laying, fit, isByChange(hunk.lines, i))) return undefined;
  }
  const lines = takeAgain(laying, around);
  return lines && createHunk({ ...hunk, lines, repairs: notes.all() });
}

/** Whether a changed line is next to this one, blank lines aside. */
function isByChange(lines: readonly HunkLine[], at: number): boolean {
  return [-1, 1].some((step) => {
    let next = at + step;
    while (lines[next]?.kind === "keep" && lines[next]?.text.trim() === "") next += step;
    return lines[next] !== undefined && lines[next]?.kind !== "keep";
  });
}

/** Puts what the file has for a quoted line; false: it may be part of the change. */
function layLine(
  { lines, notes, leaks, added, around }: Laying,
  fit: Fit,
  byChange: boolean,
): boolean {
  const { quoted, theirs } = fit;
  for (const text of fit.skipped) {
    lines.push({ kind: "keep", text, isLeftOut: true });
    notes.leftOut(text);
  }
  if (fit.step === "match") {
    lines.push({ kind: quoted.kind, text: theirs });
    notes.pass();
    return true;
  }
  if (fit.step === "invented") {
    notes.invented(quoted.text);
    if (!hasWords(quoted.text)) return true;
    return !byChange && leaks.invented(quoted.text, around) === "slip";
  }
  if (byChange && !isAlike(quoted.text, theirs)) return false;
  const difference = leaks.misquoted(quoted.text, theirs);
  // The file's line may be one that is left out and added again, and the quoted one be further down.
  const isAdded = added.some((text) => isSameLine(text, theirs));
  if (difference === "doubt" || (isAdded && hasWords(theirs))) return false;
  if (difference === "slip") lines.push({ kind: "keep", text: theirs });
  else lines.push({ kind: "remove", text: theirs }, { kind: "add", text: quoted.text });
  if (difference === "slip") notes.misquoted(quoted.text, theirs);
  else notes.part(quoted.text, theirs);
  return true;
}
