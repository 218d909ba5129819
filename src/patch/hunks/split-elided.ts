import { createHunk, type Hunk, type HunkLine } from "./hunk.ts";
import { isElision, standsForLines } from "./placeholder.ts";

/**
 * The parts of a hunk between lines that mark left-out ones; undefined where there are none. Line
 * number and heading say something about the first lines only. A comment that the file has, as
 * `hasLine` says, marks none.
 */
export function splitElided(
  hunk: Hunk,
  hasLine: (line: string) => boolean,
): readonly Hunk[] | undefined {
  const runs: HunkLine[][] = [[]];
  for (const line of hunk.lines) {
    const mayMark = line.kind === "keep" && isElision(line.text);
    if (mayMark && !(standsForLines(line.text) && hasLine(line.text))) runs.push([]);
    else runs.at(-1)?.push(line);
  }
  if (runs.length === 1) return undefined;
  const { stated, heading, newUnterminated, oldUnterminated, ...rest } = hunk;
  const open = { heading: "", newUnterminated: false, oldUnterminated: false };
  const repairs = [...(hunk.repairs ?? []), "elided" as const];
  return runs.flatMap((lines, i) => {
    if (lines.every(({ kind, text }) => kind === "keep" && text.trim() === "")) return [];
    const first = i === 0 ? { heading, ...(stated && { stated }) } : {};
    const last = i === runs.length - 1 ? { newUnterminated, oldUnterminated } : {};
    return [createHunk({ ...rest, ...open, ...first, ...last, lines, repairs })];
  });
}
