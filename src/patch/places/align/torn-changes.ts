import { type HunkLine, hasWords } from "../../hunks/hunks.ts";
import { isSameLine } from "../../lines/lines.ts";
import type { Fit } from "./lay-hunk.ts";

/**
 * Whether a change touches what is in doubt: then its own place is in doubt, too. Removed lines
 * with words in them say where they are, if every line like them nearby is quoted; all other
 * changes need certain neighbours, and lines without words between are not certain enough.
 */
export function isTorn(
  lines: readonly HunkLine[],
  fits: readonly Fit[],
  around: readonly string[],
): boolean {
  return findChanges(lines).some(({ from, to, added }) => {
    const removed = fits.slice(from, to);
    if (removed.some((fit, i) => i > 0 && isGap(fit))) return true;
    if (isPinned(removed, fits, around)) return false;
    const isAgain = from === to && isAddedAgain(fits[to]?.skipped ?? [], added);
    return !(isFirm(fits, from - 1, -1, isAgain) && isFirm(fits, to, 1, isAgain));
  });
}

function isAddedAgain(skipped: readonly string[], added: readonly string[]): boolean {
  return skipped.every(
    (line) => line.trim() !== "" && added.some((text) => isSameLine(text, line)),
  );
}

/** A run of changed lines: the quoted lines that it removes, of which there may be none, and new ones. */
interface Change {
  readonly from: number;
  to: number;
  readonly added: string[];
}

function findChanges(lines: readonly HunkLine[]): readonly Change[] {
  const changes: Change[] = [];
  let open: Change | undefined;
  let quoted = 0;
  for (const { kind, text } of lines) {
    if (kind === "keep") open = undefined;
    else if (open === undefined) changes.push((open = { from: quoted, to: quoted, added: [] }));
    if (kind !== "add") quoted++;
    if (open !== undefined) open.to = quoted;
    if (kind === "add") open?.added.push(text);
  }
  return changes;
}

/** Whether removed lines can be no others than these. */
function isPinned(
  removed: readonly Fit[],
  fits: readonly Fit[],
  around: readonly string[],
): boolean {
  const worded = removed.filter(({ quoted }) => hasWords(quoted.text));
  return worded.length > 0 && worded.every((fit) => hasNoDouble(around, fits, fit));
}

/**
 * Whether the lines from `from` on are certain and adjoin, up to one with words; what is left out
 * right there does not count where it `isAgain` added.
 */
function isFirm(fits: readonly Fit[], from: number, step: 1 | -1, isAgain: boolean): boolean {
  for (let i = from; ; i += step) {
    // Above the change a gap lies below the line that was looked at before.
    if (isGap(fits[step > 0 ? i : i + 1]) && !(isAgain && i === from)) return false;
    const fit = fits[i];
    if (fit === undefined) return true;
    if (fit.step !== "match") return false;
    if (hasWords(fit.quoted.text)) return true;
  }
}

/** Whether every line around there that is like this one is quoted, and no more of them are. */
function hasNoDouble(around: readonly string[], fits: readonly Fit[], { theirs }: Fit): boolean {
  const wanted = theirs.trim();
  const found = fits.filter((one) => one.step === "match" && one.theirs.trim() === wanted);
  const isMissed = fits.some((one) => one.step !== "match" && one.quoted.text.trim() === wanted);
  return !isMissed && around.filter((line) => line.trim() === wanted).length === found.length;
}

function isGap(fit: Fit | undefined): boolean {
  return fit !== undefined && fit.skipped.length > 0;
}
