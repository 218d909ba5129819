import { ROW_PX } from "./guess.ts";
import type { Content, Review, ReviewFile } from "./model/model.ts";

/** How many files could not be read: nobody has seen what they say. */
export function countUnread({ files, layout }: Pick<Review, "files" | "layout">): number {
  void layout.version.value; // whoever asks is told again when it is another
  return files().filter(({ content }) => hasFailed(content)).length;
}

function hasFailed(content: Content): boolean {
  return content.kind === "failed" || (content.kind === "loading" && content.failed !== undefined);
}

/** Whether a file has lines to show at all. */
export function hasLines({ entry }: ReviewFile): boolean {
  const isText = !entry.binary && !entry.isGone;
  return isText && entry.kind !== "mkdir" && entry.kind !== "rmdir";
}

/** How high the body of a file is; guessed by its figures until it is there. */
export function bodyHeight(file: ReviewFile): number {
  if (file.isOpen && file.isPicture) return IMAGE_PX;
  if (!file.isOpen || !hasLines(file)) return 0;
  if (file.content.kind === "ready" && file.laid.rows.length > 0) return file.laid.heights.total();
  if (file.content.kind === "ready" || file.content.kind === "failed") return NOTE_PX;
  return Math.max(NOTE_PX, (file.entry.added + file.entry.removed + 6) * ROW_PX);
}

/** Both sides of a picture; the style sheet says the same. */
const IMAGE_PX = 320;
/** A line that says why there are no rows. */
export const NOTE_PX = 40;
