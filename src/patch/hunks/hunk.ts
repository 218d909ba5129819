import type { HunkNote } from "../../texts/notes/notes.ts";

/** One line of a hunk without its marker. */
export interface HunkLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

/** The numbers of a hunk header; the counts may be left out. */
export interface StatedRange {
  readonly oldStart: number;
  readonly oldCount?: number | undefined;
  readonly newStart: number;
  readonly newCount?: number | undefined;
}

/** One block of changed lines as the patch has it. */
export interface Hunk {
  /** Position in its patch, from 1, for messages. */
  readonly number: number;
  readonly stated?: StatedRange | undefined;
  /** What follows the second `@@`: the enclosing function or heading, or "". */
  readonly heading: string;
  readonly lines: readonly HunkLine[];
  /** Kept and removed lines: what the source must have. */
  readonly before: readonly string[];
  /** Kept and added lines: what is there afterwards. */
  readonly after: readonly string[];
  /** `\ No newline at end of file` follows a removed line. */
  readonly oldUnterminated: boolean;
  /** `\ No newline at end of file` follows an added line. */
  readonly newUnterminated: boolean;
  /** It was no diff: its lines have lost no markers. */
  readonly unmarked?: boolean;
  /** Some of its context has no markers, so that lines with a blank before may lack one too. */
  readonly lostMarkers?: boolean;
  /** What was not taken as written. */
  readonly repairs?: readonly HunkNote[];
  /** Why not all of the hunk could be read; carrying out the rest would be a part of a change. */
  readonly fault?: string | undefined;
}

/** A hunk whose sides are those of its lines. */
export function createHunk(hunk: Omit<Hunk, "before" | "after">): Hunk {
  const before = hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  const after = hunk.lines.filter(({ kind }) => kind !== "remove").map(({ text }) => text);
  return { ...hunk, before, after };
}

/** The hunk with the text of all its lines changed, and what that repairs. */
export function withLines(
  hunk: Hunk,
  change: (text: string) => string,
  ...repairs: readonly HunkNote[]
): Hunk {
  const lines = hunk.lines.map(({ kind, text }) => ({ kind, text: change(text) }));
  return createHunk({ ...hunk, lines, repairs: [...(hunk.repairs ?? []), ...repairs] });
}

/** More than a bracket or two. */
export function hasWords(line: string): boolean {
  return line.trim().length > 2;
}

/** Index of the source line at which the header says the old side begins, if it does. */
export function statedStart({ stated, before }: Hunk): number | undefined {
  if (stated === undefined) return undefined;
  // "-7,0" inserts after line 7. No lines said but some quoted, or the other way round: made up.
  if ((stated.oldCount === 0) !== (before.length === 0)) return undefined;
  // "-0,0 +0,0": no tool writes that for added lines; the zeros mean "unknown".
  if (before.length === 0) return stated.newStart === 0 ? undefined : stated.oldStart;
  return stated.oldStart > 0 ? stated.oldStart - 1 : undefined;
}

/** What belongs to the hunk of each number: one was taken apart where it leaves lines out. */
export function partsByHunk<T extends { readonly hunk: Hunk }>(
  parts: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const byNumber = new Map<number, T[]>();
  for (const part of parts) {
    const own = byNumber.get(part.hunk.number);
    if (own) own.push(part);
    else byNumber.set(part.hunk.number, [part]);
  }
  return byNumber;
}
