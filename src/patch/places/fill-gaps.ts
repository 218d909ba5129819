import type { HunkLine } from "../hunks/hunks.ts";

/** What a hunk has between two of its old lines with text: blank ones and added ones. */
export interface Gap {
  readonly lines: readonly HunkLine[];
  /** The old lines above and below; none at the edge of the hunk. */
  readonly above: HunkLine | undefined;
  readonly below: HunkLine | undefined;
}

const KEPT: HunkLine = { kind: "keep", text: "" };
const REMOVED: HunkLine = { kind: "remove", text: "" };

/**
 * A gap with as many blank lines as the file has there. Undefined where the added lines could be
 * above or below a blank line, and where it is not clear which blank lines go.
 */
export function fillGap(
  { lines, above, below }: Gap,
  blanks: number,
): readonly HunkLine[] | undefined {
  const kept = Array.from({ length: blanks }, () => KEPT);
  const gone = Array.from({ length: blanks }, () => REMOVED);
  const old = lines.filter(({ kind }) => kind !== "add");
  if (old.length === blanks) return lines;
  const added = lines.filter(({ kind }) => kind === "add");
  const goesAbove = above?.kind === "remove";
  const goesBelow = below?.kind === "remove";
  const isRemoved = old.every(({ kind }) => kind === "remove");
  const addsBlank = added.some(({ text }) => text.trim() === "");
  // Taken away and put there again, it may stay or be one more.
  if (addsBlank && old.some(({ kind }) => kind === "remove")) return undefined;
  if (old.length > 0 && isRemoved) return goesAbove || goesBelow ? [...gone, ...added] : undefined;
  if (old.some(({ kind }) => kind === "remove")) return undefined;
  // Whatever is between two lines that go as one goes with them.
  if (old.length === 0 && goesAbove && goesBelow) return [...gone, ...added];
  if (added.length === 0 || blanks === 0) return [...kept, ...added];
  const first = lines.findIndex(({ kind }) => kind === "add");
  const last = lines.findLastIndex(({ kind }) => kind === "add");
  if (last - first + 1 > added.length) return undefined;
  const isAtTop = first === 0 && above !== undefined;
  const isAtBottom = last === lines.length - 1 && below !== undefined;
  if (isAtTop && (!isAtBottom || goesAbove)) return [...added, ...kept];
  return isAtBottom && (!isAtTop || goesBelow) ? [...kept, ...added] : undefined;
}
