import { shorten } from "../../core/cut-text.ts";
import { type Hunk, type HunkLine, hasWords, type StatedRange } from "./hunk.ts";
import { isBodyLine, isEdge, markOf, type PatchLines } from "./marked-lines.ts";
import { isElision } from "./placeholder.ts";

/** A hunk as it was read: its lines end before `end`, and the patch goes on at `next`. */
interface ReadHunk {
  readonly body: Pick<Hunk, "lines" | "before" | "after">;
  readonly stated: StatedRange | undefined;
  readonly end: number;
  readonly next: number;
}

/** Lines of the old and of the new side that the header counts and the hunk does not have. */
interface Missing {
  readonly old: number;
  readonly renewed: number;
}

const NO_CHANGE =
  'it has no changed line, though its counts or what it quotes say that it had one; begin added lines with "+"';

/**
 * Why a hunk may have ended too early, if it may: it ends at a line without a marker, which is prose
 * or an added line that lost its plus. To take the second for the first would carry out half a change.
 */
export function findDoubt(patch: PatchLines, read: ReadHunk): string | undefined {
  const { body, stated, next } = read;
  const missing = stated && missingOf(body, stated);
  // It would be passed over, beside hunks that are carried out.
  const isIdle = body.lines.every(({ kind }) => kind === "keep");
  if (isIdle && !isBareHeader(patch, read) && losesChange(patch, read, missing)) return NO_CHANGE;
  const line = patch.lines[next];
  if (line === undefined || isEdge(patch.lines, next)) return undefined;
  // Where the header bears it out there is no doubt, whatever follows.
  if (missing?.old === 0 && missing.renewed === 0) return undefined;
  if (!isDoubtful(patch, read, missing)) return undefined;
  const shown = shorten(line.trim(), 80);
  return `"${shown}" has no marker and is no line of the file, so that it may be an added line; begin every line of a hunk with " ", "-" or "+", and leave a line empty before other text`;
}

/** Whether a header has nothing below it, and is written once more there or is the last line. */
function isBareHeader({ lines, cut }: PatchLines, { body, end, next }: ReadHunk): boolean {
  if (body.lines.length > 0) return false;
  return next === lines.length ? !cut : lines[next]?.trimEnd() === lines[end - 1]?.trimEnd();
}

/** Whether a hunk of context only was to change something: by both its counts, or as the file has not all of it. */
function losesChange(
  { hasLine, isMade }: PatchLines,
  { body: { lines }, stated }: ReadHunk,
  missing?: Missing,
): boolean {
  const isCounted = stated?.oldCount !== undefined && stated.newCount !== undefined;
  if (isCounted && missing?.old !== missing?.renewed) return true;
  const isOwn = ({ text }: HunkLine) => hasWords(text) && !isElision(text) && !hasLine(text);
  // It may show what another hunk makes, if it says itself that it changes nothing.
  const isShown = (at: number) => {
    const pairs = [lines.slice(at - 1, at + 1), lines.slice(at, at + 2)];
    const whole = pairs.filter((pair) => pair.length === 2);
    const isPair = ([upper, lower]: readonly HunkLine[]) =>
      isMade(upper?.text ?? "", lower?.text ?? "");
    return isCounted && whole.length > 0 && whole.every(isPair);
  };
  return lines.some((line, at) => isOwn(line) && !isShown(at));
}

function missingOf({ before, after }: ReadHunk["body"], stated: StatedRange): Missing {
  return {
    old: (stated.oldCount ?? 1) - before.length,
    renewed: (stated.newCount ?? 1) - after.length,
  };
}

function isDoubtful(patch: PatchLines, { body, end, next }: ReadHunk, missing?: Missing): boolean {
  const blanks = next - end;
  if (patch.isWrapper(patch.lines[next] ?? "")) return goesOn(patch, next);
  if (blanks === 0 && body.lines.length > 0) return true;
  // All of the old side is there, so that the counts were no guess; the new side lacks lines.
  if (missing?.old === blanks && missing.renewed > blanks) return true;
  return goesOn(patch, next);
}

/**
 * Whether lines with a marker follow that the file has. Behind an empty line there may be sample
 * code, which is not indented by one blank more than the file has it.
 */
function goesOn({ lines, hasLine }: PatchLines, from: number): boolean {
  let isApart = false;
  for (let at = from + 1; at < lines.length && !isEdge(lines, at); at++) {
    const line = lines[at] ?? "";
    isApart ||= line === "";
    if (line.trim() === "" || !isBodyLine(line)) continue;
    const isExact = isApart && markOf(line) === "keep";
    if (isExact ? hasLine(line.slice(1), "exactly") : hasLine(line)) return true;
  }
  return false;
}
