import { fstatSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../core/clock.ts";
import { openToRead, type Position, readBytes, readTail } from "./read-tail.ts";
import { listRotated } from "./rotating-file.ts";

const POLL_MS = 250;
const CHUNK_BYTES = 64 * 1024;
/** Enough for the last hundred lines; for more, more is read. */
const FIRST_BYTES = 256 * 1024;

/** The last `count` lines of a rotating log, and where in its newest file they end. */
export function readLastLines(
  path: string,
  count: number,
): {
  readonly lines: readonly string[];
  readonly end: Position | undefined;
  /** There are older ones. */
  readonly isCut: boolean;
} {
  for (let maxBytes = FIRST_BYTES; ; maxBytes *= 8) {
    const { text, isAll, end } = readTail(path, maxBytes);
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    if (isAll || lines.length > count)
      return { lines: count === 0 ? [] : lines.slice(-count), end, isCut: lines.length > count };
  }
}

/** What is appended from a position on, through every rotation, until the signal ends it. */
export async function* followLines(
  path: string,
  from: Position | undefined,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let at = from;
  let decoder = new StringDecoder("utf8");
  while (!signal.aborted) {
    for (const unread of findUnread(path, at)) {
      using opened = openToRead(unread.file);
      if (!opened) break;
      const { ino, size } = fstatSync(opened.descriptor);
      if (ino !== unread.ino) break; // rotated since it was looked for: look again
      if (ino !== at?.ino || size < at.offset) decoder = new StringDecoder("utf8"); // started over
      let offset = ino === at?.ino && size >= at.offset ? at.offset : 0;
      while (offset < size && !signal.aborted) {
        const bytes = readBytes(opened.descriptor, offset, Math.min(size, offset + CHUNK_BYTES));
        if (bytes.length === 0) break;
        offset += bytes.length;
        yield decoder.write(bytes);
      }
      at = { ino, offset };
    }
    await clock.sleep(POLL_MS, signal).catch(() => {});
  }
}

/** The file that holds the position and those that came after it; the newest when it is gone. */
function findUnread(
  path: string,
  at: Position | undefined,
): readonly { readonly file: string; readonly ino: number }[] {
  const current = statSync(path, { throwIfNoEntry: false })?.ino;
  if (current !== undefined && current === at?.ino) return [{ file: path, ino: current }];
  const files = listRotated(path).flatMap((file) => {
    const ino = statSync(file, { throwIfNoEntry: false })?.ino;
    return ino === undefined ? [] : [{ file, ino }];
  });
  const index = files.findIndex(({ ino }) => ino === at?.ino);
  return index < 0 ? files.slice(-1) : files.slice(index);
}
