import { type Drawn, drawnBetween } from "../../../heights/heights.ts";
import { aboveRows, bodyHeight } from "../file-facts.ts";
import { headPx, SECTION_GAP_PX } from "../guess.ts";
import { type Cursor, hasLines, type ReviewFile } from "../model/model.ts";

/** With more files than this the heads of those that are far away are not drawn either. */
const MOST_HEADS = 100;

/** A file of which something is drawn: all of it or its head alone. */
export interface DrawnFile {
  readonly file: number;
  readonly drawn: Drawn;
  readonly isHeadOnly: boolean;
  readonly isNear: boolean;
}

/** What is drawn of each file between two heights. */
export function toDrawn(
  files: readonly ReviewFile[],
  top: number,
  bottom: number,
): readonly DrawnFile[] {
  const all = files.length <= MOST_HEADS;
  const drawn: DrawnFile[] = [];
  let at = 0;
  for (const [file, it] of files.entries()) {
    const height = sectionHeight(it);
    const isNear = at < bottom && at + height > top;
    if (isNear || all) {
      const start = at + headPx() + aboveRows(it);
      const isLaid = it.content.kind === "ready" || !hasLines(it);
      const rows =
        isLaid && it.isOpen
          ? drawnBetween(it.laid.heights, top - start, bottom - start)
          : { from: 0, to: 0, above: 0, below: bodyHeight(it) };
      drawn.push({ file, drawn: rows, isHeadOnly: !isNear, isNear });
    }
    at += height;
  }
  return drawn;
}

/** How high a file is with its head, and what is below it. */
export function sectionHeight(file: ReviewFile | undefined): number {
  return file ? headPx() + bodyHeight(file) + SECTION_GAP_PX : 0;
}

/** How far below the first file another begins. */
export function offsetOf(files: readonly ReviewFile[], file: number): number {
  let sum = 0;
  for (let at = 0; at < file; at++) sum += sectionHeight(files[at]);
  return sum;
}

/** How far below the first file the rows of another begin. */
export function rowsOffset(files: readonly ReviewFile[], file: number): number {
  const it = files[file];
  return offsetOf(files, file) + headPx() + (it ? aboveRows(it) : 0);
}

/** The first row at or below a place, or the head of a file that has none there. */
export function rowAtTop(files: readonly ReviewFile[], top: number): Cursor | undefined {
  const at = anchorAt(files, top);
  const it = at && files[at.file];
  if (!it) return undefined;
  const within = Math.max(0, top + headPx() - rowsOffset(files, at.file));
  const isAbove = top < offsetOf(files, at.file) || it.laid.heights.count === 0 || !it.isOpen;
  return { file: at.file, row: isAbove ? -1 : it.laid.heights.rowAt(within) };
}

/** What is at the upper edge, so that it can be brought there again. */
export function anchorAt(files: readonly ReviewFile[], top: number) {
  let at = 0;
  for (const [file, it] of files.entries()) {
    const height = sectionHeight(it);
    if (top < at + height) return { file, share: Math.max(0, (top - at) / height) };
    at += height;
  }
  return undefined;
}
