import { ROW_PX } from "./guess.ts";
import { type Content, hasLines, type Review, type ReviewFile } from "./model/model.ts";

/** How many files could not be read: nobody has seen what they say. */
export function countUnread({ files, layout }: Pick<Review, "files" | "layout">): number {
  void layout.version.value; // whoever asks is told again when it is another
  return files().filter(({ content }) => hasFailed(content)).length;
}

function hasFailed(content: Content): boolean {
  return content.kind === "failed" || (content.kind === "loading" && content.failed !== undefined);
}

/** Whether it is shown as rows: its lines, or what is said of a file that has none. */
export function hasRows(file: ReviewFile): boolean {
  return hasLines(file) ? !file.isPicture : file.laid.rows.length > 0;
}

/** How far below the head of a file its rows begin: below the picture, where it is one. */
export function aboveRows({ isPicture }: ReviewFile): number {
  return isPicture ? IMAGE_PX : 0;
}

/** How high the body of a file is; guessed by its figures until it is there. */
export function bodyHeight(file: ReviewFile): number {
  if (!file.isOpen) return 0;
  if (!hasLines(file)) return aboveRows(file) + file.laid.heights.total();
  if (file.isPicture) return IMAGE_PX;
  if (file.content.kind === "ready" && file.laid.rows.length > 0) return file.laid.heights.total();
  if (file.content.kind === "ready" || file.content.kind === "failed") return NOTE_PX;
  return Math.max(NOTE_PX, (file.entry.added + file.entry.removed + 6) * ROW_PX);
}

/** Both sides of a picture; the style sheet says the same. */
const IMAGE_PX = 320;
/** A line that says why there are no rows. */
export const NOTE_PX = 40;
