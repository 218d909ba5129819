import { closeSync, openSync, readSync } from "node:fs";
import { EXACT_FLAGS } from "../system/open-exact.ts";

/** What is read at a time. */
const WINDOW_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

/** A stretch of a file that holds whole lines, or a part of one line that is longer than a window. */
export interface Stretch {
  readonly bytes: Buffer;
  /** Lines before it. */
  readonly lines: number;
  /** It goes on with the line that the stretch before ended in. */
  readonly isRest: boolean;
}

/**
 * Reads a file of any size, a window after the other, as stretches of whole lines. Of a line that is
 * longer than a window each part begins with the end of the one before, `overlapBytes` of it. A stretch
 * is overwritten by the next one. `mayRead` looks at what was opened.
 *
 * @throws what the disk says when it refuses
 */
export function* readStretches(
  path: string,
  overlapBytes: number,
  mayRead: (fd: number) => boolean,
): Generator<Stretch> {
  const fd = openSync(path, EXACT_FLAGS);
  try {
    if (!mayRead(fd)) return; // another file by now
    const buffer = Buffer.allocUnsafe(WINDOW_BYTES + overlapBytes);
    let [kept, lines, isRest] = [0, 0, false];
    for (;;) {
      const read = readSync(fd, buffer, kept, buffer.length - kept, null);
      const filled = buffer.subarray(0, kept + read);
      if (read === 0) {
        if (kept > 0) yield { bytes: filled, lines, isRest };
        return;
      }
      const end = filled.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        yield { bytes: filled.subarray(0, end), lines, isRest };
        lines += countNewlines(filled.subarray(0, end));
        isRest = false;
        kept = filled.copy(buffer, 0, end);
      } else if (filled.length === buffer.length) {
        yield { bytes: filled, lines, isRest };
        isRest = true;
        kept = filled.copy(buffer, 0, filled.length - overlapBytes);
      } else {
        kept = filled.length;
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** Newlines in some bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
